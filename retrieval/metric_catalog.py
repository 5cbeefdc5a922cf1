"""The metrics that exist: plugin, unit, scale, family and a description of each."""

import csv
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from retrieval.errors import CatalogError
from retrieval.request import Metric

PLUGINS: Mapping[str, str] = MappingProxyType(
    {
        "ganglia_pub": "node software and GPUs: load, CPU, memory, disk, network, GPU activity",
        "ipmi_pub": "node hardware: power, temperatures, fans and power supplies",
        "job_table": "jobs that have ended: user, nodes, times, requests and end state",
        "logics_pub": "electrical meters of the facility: power, energy, PUE",
        "nagios_pub": "alarms: the result of each check on each host",
        "schneider_pub": "water cooling of the racks: panels, pumps, valves and alarms",
        "slurm_pub": "the scheduler: nodes, CPUs, GPUs, memory and jobs by partition",
        "vertiv_pub": "room air conditioners: air temperatures, humidity, fans, compressor",
        "weather_pub": "weather outdoors: temperature, humidity, pressure, wind, clouds",
    }
)
"""What each plugin of the built-in catalogue measures, in one line."""

COLUMNS = (
    "plugin",
    "metric",
    "dtype",
    "tags",
    "unit",
    "ucum",
    "scale",
    "period",
    "family",
    "index",
    "description",
)


class MetricCatalog:
    """Metrics by plugin, name and family; never changes once made."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self.metrics: tuple[Metric, ...] = tuple(metrics)
        self._by_name: dict[str, list[Metric]] = {}
        self._by_folded: dict[str, list[Metric]] = {}
        self._by_family: dict[tuple[str, str], list[Metric]] = {}
        self._by_plugin: dict[str, list[Metric]] = {}
        for metric in self.metrics:
            self._by_name.setdefault(metric.name, []).append(metric)
            self._by_folded.setdefault(metric.name.lower(), []).append(metric)
            self._by_family.setdefault((metric.plugin, metric.family), []).append(metric)
            self._by_plugin.setdefault(metric.plugin, []).append(metric)

    @classmethod
    def load(cls, path: Path | None = None) -> "MetricCatalog":
        """The built-in catalogue, or a site's own file of the same columns.

        Raises CatalogError where the file cannot be read as such.
        """
        if path is None:
            text = files("retrieval").joinpath("data", "metrics.csv").read_text("utf-8")
            return cls(_metrics_in(text, "the built-in metric catalogue"))
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CatalogError(f"the metric catalogue {path} cannot be read: {error}") from error
        return cls(_metrics_in(text, str(path)))

    @property
    def plugins(self) -> Mapping[str, str]:
        """Each plugin of the catalogue with one line on what it measures, by name."""
        return MappingProxyType({name: PLUGINS.get(name, name) for name in sorted(self._by_plugin)})

    def find(self, plugin: str, name: str) -> Metric | None:
        """The metric of that plugin (``ipmi`` or ``ipmi_pub``) and name, if there is one."""
        wanted = self.plugin_name(plugin)
        found = [m for m in self._named(name) if m.plugin == wanted]
        return found[0] if len(found) == 1 else None

    def by_name(self, name: str) -> Metric | None:
        """The metric of exactly that name, else the only one that differs in case alone.

        The plugin may stand before it: ``ipmi_pub/total_power`` or ``ipmi.total_power``.
        """
        for mark in ("/", "."):
            plugin, found, rest = name.partition(mark)
            if found and self.plugin_name(plugin) is not None:
                return self.find(plugin, rest)
        named = self._named(name)
        return named[0] if len(named) == 1 else None

    def members(self, family: str, plugin: str | None = None) -> tuple[Metric, ...]:
        """All metrics of a family, in order of the catalogue; empty if there is none."""
        wanted = None if plugin is None else self.plugin_name(plugin)
        return tuple(
            metric
            for (owner, name), metrics in self._by_family.items()
            if name == family and (plugin is None or owner == wanted)
            for metric in metrics
        )

    def of_plugin(self, plugin: str) -> tuple[Metric, ...]:
        """All metrics of a plugin (``ipmi`` or ``ipmi_pub``); empty if there is none."""
        name = self.plugin_name(plugin)
        return tuple(self._by_plugin.get(name, ())) if name else ()

    def plugin_name(self, words: str) -> str | None:
        """The partition name of a plugin as people write it (``IPMI`` is ``ipmi_pub``)."""
        folded = words.strip().lower().replace(" ", "_")
        for name in (folded, f"{folded}_pub", folded.removesuffix("_pub")):
            if name in self._by_plugin:
                return name
        return None

    def _named(self, name: str) -> list[Metric]:
        return self._by_name.get(name) or self._by_folded.get(name.lower(), [])


def _metrics_in(text: str, source: str) -> list[Metric]:
    reader = csv.DictReader(text.splitlines())
    absent = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if absent:
        raise CatalogError(f"{source} has no column {', '.join(absent)}")
    metrics = []
    for row in reader:
        try:
            metrics.append(_metric(row))
        except (ValueError, TypeError, AttributeError) as error:
            raise CatalogError(f"{source}, line {reader.line_num}: {error}") from error
    if not metrics:
        raise CatalogError(f"{source} names no metric")
    return metrics


def _metric(row: dict[str, str]) -> Metric:
    return Metric(
        plugin=row["plugin"],
        name=row["metric"],
        unit=row["unit"],
        ucum=row["ucum"],
        scale=float(row["scale"]),
        period=float(row["period"]) if row["period"] else None,
        dtype=row["dtype"],
        tags=tuple(row["tags"].split()),
        family=row["family"],
        index=row["index"] or None,
        description=row["description"],
    )
