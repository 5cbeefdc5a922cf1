"""What only a lake can tell of a site: its power meters, partitions and further hosts."""

from collections.abc import Iterable

import polars as pl

from retrieval.lake import JOB_METRIC, JOB_PLUGIN, Lake
from retrieval.lake_files import PartitionFile
from retrieval.metric_catalog import MetricCatalog
from retrieval.request import EntityKind, Metric
from retrieval.sensors import owner_kind, owner_tags
from retrieval.site import Site


def discovered(site: Site, lake: Lake, catalog: MetricCatalog) -> Site:
    """``site`` with the meters, partitions and hosts that ``lake`` has data of.

    Hosts and partitions are looked for in the smallest file of each plugin. Raises LakeError.
    """
    meters: dict[str, tuple[str, ...]] = {}
    hosts: dict[str, tuple[str, ...]] = {}
    partitions: set[str] = set()
    for plugin in catalog.plugins:
        metrics = [m for m in catalog.of_plugin(plugin) if (plugin, m.name) in lake.files]
        by_kind: dict[EntityKind, list[Metric]] = {}
        for metric in metrics:
            by_kind.setdefault(owner_kind(metric), []).append(metric)
        for metric in by_kind.get(EntityKind.METER, ()):
            meters[metric.name] = _owners(lake, metric)
        for metric in _smallest(lake, by_kind.get(EntityKind.NODE, ())):
            known = site.nodes_by_id.keys()
            hosts[plugin] = tuple(h for h in _owners(lake, metric) if h not in known)
        for metric in _smallest(lake, by_kind.get(EntityKind.PARTITION, ())):
            partitions.update(_owners(lake, metric))
    if (JOB_PLUGIN, JOB_METRIC) in lake.files:
        found = lake.collected(lake.jobs(["partition"]).unique())["partition"]
        partitions.update(str(name) for name in found if name is not None)
    return site.found(meters, tuple(partitions), hosts)


def _smallest(lake: Lake, metrics: Iterable[Metric]) -> list[Metric]:
    sizes = [(_newest(lake, m).path.stat().st_size, m.name, m) for m in metrics]
    return [min(sizes)[2]] if sizes else []


def _newest(lake: Lake, metric: Metric) -> PartitionFile:
    return lake.files[(metric.plugin, metric.name)][-1]


def _owners(lake: Lake, metric: Metric) -> tuple[str, ...]:
    file = _newest(lake, metric)
    names = pl.concat_str(
        [pl.col(tag).cast(pl.String) for tag in owner_tags(metric)], separator="/"
    )
    scan = pl.scan_parquet(file.path, hive_partitioning=False, glob=False)
    found = lake.collected(
        scan.select(owner_tags(metric)).unique().select(names.alias("n")), [file]
    )
    return tuple(sorted(name for name in found["n"] if name is not None))
