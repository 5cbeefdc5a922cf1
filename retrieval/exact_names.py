"""Names of metrics and families as the catalogue writes them, found in a text."""

import re
from collections.abc import Iterator

from retrieval.quantity import Quantity
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.request import EntityKind, Metric

_NAME = re.compile(r"[A-Za-z]\w*(?:[./]\w+)*")
_COLUMNS = frozenset({"job_id", "num_nodes"})
"""Metrics whose names are far more often said of jobs."""

Found = tuple[tuple[int, int], Quantity, tuple[str, ...]]


class ExactNames:
    """Tells the very name of a metric from words that look alike."""

    def __init__(self, quantities: QuantityCatalog) -> None:
        self._known = quantities
        self._metrics: dict[str, list[Metric]] = {}
        self._families: dict[str, Quantity] = {}
        for metric in quantities.catalog.metrics:
            short = metric.name.removeprefix("PLC_PLC_Q101.")
            for name in {metric.name, short, metric.name.removeprefix("s21.")}:
                self._metrics.setdefault(name, []).append(metric)
                if name.lower() != name:
                    self._metrics.setdefault(name.lower(), []).append(metric)
            if metric.index is not None:
                quantity = quantities.of_metric(metric)
                self._families.setdefault(metric.family.lower(), quantity)

    def found_in(self, text: str, owners: frozenset[EntityKind]) -> Iterator[Found]:
        """Place, quantity and index of every name in the text."""
        for found in _NAME.finditer(text):
            written = found[0]
            plugin, name = self._parted(written)
            quoted = text[found.start() - 1 : found.start()] in "`'\"" if found.start() else False
            if not plugin and not quoted and not _looks_like_a_name(name):
                continue
            if name in _COLUMNS and not plugin:
                continue
            metric = self._metric(plugin, name, owners)
            if metric is not None:
                indices = (metric.index,) if metric.index is not None else ()
                yield found.span(), self._known.of_metric(metric), indices
            elif not plugin and name.lower() in self._families:
                yield found.span(), self._families[name.lower()], ()

    def _parted(self, written: str) -> tuple[str, str]:
        """Plugin and metric of ``ipmi_pub/total_power``; no plugin for a plain name."""
        first, mark, rest = written.partition("/")
        if not mark:
            first, mark, rest = written.partition(".")
        plugin = self._known.catalog.plugin_name(first) if mark else None
        return (plugin, rest) if plugin else ("", written)

    def _metric(self, plugin: str, name: str, owners: frozenset[EntityKind]) -> Metric | None:
        held = self._metrics.get(name) or self._metrics.get(name.lower(), [])
        if plugin:
            held = [metric for metric in held if metric.plugin == plugin]
        same = [m for m in held if m.name in (name, f"PLC_PLC_Q101.{name}")] or held
        if EntityKind.PARTITION in owners:  # the older totals know no partition
            same = [m for m in held if "partition" in m.tags] or same
        return same[0] if same else None


def _looks_like_a_name(word: str) -> bool:
    return "_" in word or "." in word or word in ("gexec", "boottime")
