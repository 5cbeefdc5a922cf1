"""What only a lake can tell of a site: its power meters, partitions and further hosts."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from retrieval.errors import LakeError
from retrieval.lake import JOB_METRIC, JOB_PLUGIN, Lake
from retrieval.lake_files import PartitionFile
from retrieval.lake_schema import reading_schema
from retrieval.metric_catalog import MetricCatalog
from retrieval.request import EntityKind, Metric
from retrieval.sensors import owner_kind, owner_tags
from retrieval.site import Site, Unread

log = logging.getLogger(__name__)


def discovered(site: Site, lake: Lake, catalog: MetricCatalog) -> Site:
    """``site`` with the meters, partitions and hosts that ``lake`` has data of.

    Hosts and partitions are looked for in the smallest file of each plugin that can be read. A
    file that cannot be read costs the questions that need it and no others: it is logged, and
    the site remembers what it does not know for that. Raises LakeError where there is no lake.
    """
    meters: dict[str, tuple[str, ...]] = {}
    unread: dict[str, str] = {}
    hosts: dict[str, tuple[str, ...]] = {}
    partitions = _partitions_of_jobs(lake)
    for plugin in catalog.plugins:
        metrics = [m for m in catalog.of_plugin(plugin) if (plugin, m.name) in lake.files]
        by_kind: dict[EntityKind, list[Metric]] = {}
        for metric in metrics:
            by_kind.setdefault(owner_kind(metric), []).append(metric)
        for metric in by_kind.get(EntityKind.METER, ()):
            found = _owners_of_first(lake, [metric])
            meters[metric.name] = found.names
            if found.error:
                unread[metric.name] = found.error
        if nodes := by_kind.get(EntityKind.NODE):
            names = _owners_of_first(lake, _smallest_first(lake, nodes)).names
            hosts[plugin] = tuple(name for name in names if name not in site.nodes_by_id)
        if scheduler := by_kind.get(EntityKind.PARTITION):
            # Counts of single users' jobs tell of no more partitions than these have used.
            fewest = min(len(metric.tags) for metric in scheduler)
            plain = [metric for metric in scheduler if len(metric.tags) == fewest]
            found = _owners_of_first(lake, _smallest_first(lake, plain))
            partitions = partitions.and_also(found)
    return site.found(meters, partitions.names, hosts, Unread(partitions.error, unread))


@dataclass(frozen=True, slots=True)
class _Found:
    """Names, or why they could not be found out."""

    names: tuple[str, ...] = ()
    error: str = ""

    def and_also(self, other: "_Found") -> "_Found":
        """Both together."""
        return _Found((*self.names, *other.names), self.error or other.error)

    @classmethod
    def failure(cls, error: LakeError) -> "_Found":
        """That ``error`` came in between."""
        log.warning("%s", error)
        return cls(error=str(error))


def _owners_of_first(lake: Lake, metrics: Iterable[Metric]) -> _Found:
    """The owners in the newest file of the first of ``metrics`` that has one to be read."""
    found = _Found()
    for metric in metrics:
        for file in reversed(lake.files[(metric.plugin, metric.name)]):
            try:
                return _Found(_owners(lake, metric, file))
            except LakeError as error:
                found = _Found.failure(error)
    return found


def _partitions_of_jobs(lake: Lake) -> _Found:
    if (JOB_PLUGIN, JOB_METRIC) not in lake.files:
        return _Found()
    try:
        found = lake.collected(lake.jobs(["partition"]).unique())["partition"]
    except LakeError as error:
        return _Found.failure(error)
    return _Found(tuple(str(name) for name in found if name is not None))


def _smallest_first(lake: Lake, metrics: Iterable[Metric]) -> list[Metric]:
    return sorted(metrics, key=lambda m: (_size(_newest(lake, m)), m.name))


def _size(file: PartitionFile) -> int:
    try:
        return file.path.stat().st_size
    except OSError:
        return 0  # whoever opens it says so


def _newest(lake: Lake, metric: Metric) -> PartitionFile:
    return lake.files[(metric.plugin, metric.name)][-1]


def _owners(lake: Lake, metric: Metric, file: PartitionFile) -> tuple[str, ...]:
    reading_schema(file, metric)
    names = pl.concat_str(
        [pl.col(tag).cast(pl.String) for tag in owner_tags(metric)], separator="/"
    )
    scan = lake.rows_of(file, metric)
    found = lake.collected(
        scan.select(owner_tags(metric)).unique().select(names.alias("n")), [file]
    )
    return tuple(sorted(name for name in found["n"] if name is not None))
