"""The skill MetricsExpert: what can be measured, as Markdown made from the catalogue."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from retrieval.metric_catalog import MetricCatalog
from retrieval.quantity import Quantity
from retrieval.request import Metric

_SHOWN = 10
"""Metrics in an excerpt; a small model reads no more."""


@dataclass(frozen=True, slots=True)
class MetricsExpert:
    """Background knowledge for a prompt: no model, no tools, no steps of its own."""

    catalog: MetricCatalog
    near: Callable[[Sequence[str]], Sequence[Quantity]]
    """The quantities whose meaning is nearest to texts, best first."""

    def excerpt(self, question: str) -> str:
        """The metrics that ``question`` may mean, by their exact names."""
        quantities = self.near((question,))
        metrics = [metric for quantity in quantities for metric in quantity.members[:4]]
        lines = (_line(metric) for metric in metrics[:_SHOWN])
        return "\n".join(("Metrics like those of the question (plugin/name):", *lines))


def metrics_skill(catalog: MetricCatalog) -> str:
    """All plugins and families of metrics: names, units, sampling, what they mean."""
    return "\n".join(("# Metrics", *_sections(catalog))) + "\n"


def _sections(catalog: MetricCatalog) -> Iterator[str]:
    for plugin, about in catalog.plugins.items():
        metrics = catalog.of_plugin(plugin)
        yield from ("", f"## {plugin}", "", f"{about[:1].upper()}{about[1:]}.", "")
        yield from ("| metric | unit | every | meaning |", "|---|---|---|---|")
        for family in dict.fromkeys(metric.family for metric in metrics):
            yield _row([metric for metric in metrics if metric.family == family])


def _row(members: Sequence[Metric]) -> str:
    first = members[0]
    names = first.name if len(members) == 1 else f"{first.name} … {members[-1].name}"
    every = "" if first.period is None else f"{first.period:g} s"
    cells: Iterable[str] = (names, first.unit, every, first.description)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _line(metric: Metric) -> str:
    unit = f" [{metric.unit}]" if metric.unit else ""
    return f"- {metric.plugin}/{metric.name}{unit}: {metric.description}"
