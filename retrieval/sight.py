"""What a scope lets be seen of one site: its metrics, its things, and rows of the lake."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import polars as pl

from retrieval.data_scope import EVERY, DataScope
from retrieval.metric_catalog import MetricCatalog
from retrieval.quantity import Quantity
from retrieval.request import Entity, EntityKind, Metric
from retrieval.sensors import owner_kind, owner_tags
from retrieval.site import Site

_JOBS = "job_table"
_OWNERS = (
    EntityKind.NODE,
    EntityKind.CRAC,
    EntityKind.PANEL,
    EntityKind.METER,
    EntityKind.WEATHER,
    EntityKind.SYSTEM,
)
"""The kinds of thing that a scope names, and that have sensors."""


@dataclass(frozen=True)
class Sight:
    """A scope, looked up at a site."""

    scope: DataScope
    names: Mapping[EntityKind, frozenset[str]] = field(default_factory=dict)
    """The things that are seen, by kind; of a kind that is not here, all of them."""

    @classmethod
    def of(cls, scope: DataScope, site: Site) -> "Sight":
        """What ``scope`` lets be seen of ``site``, which is the whole of it."""
        names: dict[EntityKind, frozenset[str]] = {}
        if scope.things is not None:
            for kind in _OWNERS:
                everything = _all_of(kind, site)
                for granted in scope.things:
                    everything &= _granted(kind, granted, site)
                names[kind] = everything
        if scope.partitions is not None:
            names[EntityKind.PARTITION] = scope.partitions
        return cls(scope, names)

    def has(self, metric: Metric) -> bool:
        """Whether there is anything to be seen of ``metric``."""
        if not self.has_plugin(metric.plugin):
            return False
        if metric.plugin == _JOBS:
            return self.scope.users is None or bool(self.scope.users)
        seen = self.names.get(owner_kind(metric))
        return seen is None or bool(seen)

    def has_plugin(self, plugin: str) -> bool:
        """Whether the plugin is seen."""
        return self.scope.plugins is None or plugin in self.scope.plugins

    def has_quantity(self, quantity: Quantity) -> bool:
        """Whether all metrics of ``quantity`` are seen."""
        return all(self.has(metric) for metric in quantity.members)

    def catalog(self, catalog: MetricCatalog) -> MetricCatalog:
        """The metrics of ``catalog`` that are seen."""
        return MetricCatalog(metric for metric in catalog.metrics if self.has(metric))

    def site(self, site: Site) -> Site:
        """``site`` with the things that are seen, and nothing that tells of others."""
        nodes = self.names.get(EntityKind.NODE)
        hosts = {p: self._seen(EntityKind.NODE, h) for p, h in site.hosts_by_plugin.items()}
        meters = {m: self._seen(EntityKind.METER, n) for m, n in site.meters_of_metric.items()}
        panels = self._seen(EntityKind.PANEL, site.panels)
        cracs = self._seen(EntityKind.CRAC, site.cracs)
        known = self._seen(EntityKind.METER, site.meters)
        login = tuple(n for n in site.login_nodes if nodes is None or str(n) in nodes)
        services = self._seen(EntityKind.NODE, site.service_hosts)
        racks = site.racks
        if nodes is not None:
            racks = tuple(held for rack in racks if (held := rack.holding(nodes)).nodes)
        rooms = {room for room in site.rooms if any(site.is_metered(room, m) for m in known)}
        if racks or cracs or panels or login or services:
            rooms.add(site.main_room)
        return replace(
            site,
            rooms=site.rooms if nodes is None else tuple(r for r in site.rooms if r in rooms),
            racks=racks,
            cracs=cracs,
            panels=panels,
            pumps=site.pumps if panels else (),
            valves=site.valves if panels else (),
            weather_stations=self._seen(EntityKind.WEATHER, site.weather_stations),
            login_nodes=login,
            meters=known,
            partitions=self._seen(EntityKind.PARTITION, site.partitions),
            service_hosts=services,
            hosts_by_plugin=hosts,
            meters_of_metric=meters,
            in_part=True,
        )

    def _seen(self, kind: EntityKind, names: tuple[str, ...]) -> tuple[str, ...]:
        seen = self.names.get(kind)
        return names if seen is None else tuple(name for name in names if name in seen)

    def rows(self, metric: Metric) -> pl.Expr | None:
        """Whether a stored reading of ``metric`` is seen; None where all of them are."""
        if not self.has(metric):
            return pl.lit(False)
        tests = []
        seen, tags = self.names.get(owner_kind(metric)), owner_tags(metric)
        if seen is not None and tags:
            owner = pl.concat_str([pl.col(t).cast(pl.String) for t in tags], separator="/")
            tests.append(_among(owner, seen))
        if self.scope.users is not None and "user_id" in metric.tags:
            tests.append(_among(pl.col("user_id").cast(pl.String), self.scope.users))
        return pl.all_horizontal(tests) if tests else None

    def jobs(self, columns: frozenset[str]) -> pl.Expr | None:
        """Whether a stored job is seen, in a table with ``columns``; None where all of them are.

        A job is seen where all of its nodes are: of one that is seen in part, the numbers would
        be those of another job.
        """
        tests = []
        if not self.has_plugin(_JOBS):
            tests.append(pl.lit(False))
        if self.scope.users is not None:
            tests.append(_in_column("user_id", self.scope.users, columns))
        if (partitions := self.names.get(EntityKind.PARTITION)) is not None:
            tests.append(_in_column("partition", partitions, columns))
        if (nodes := self.names.get(EntityKind.NODE)) is not None and "nodes" in columns:
            ids = pl.col("nodes").cast(pl.String).str.extract_all(r"\d+")
            inside = ids.list.eval(_among(pl.element(), nodes)).list.all()
            # A job that was never started has no nodes.
            tests.append(inside.fill_null(True))
        return pl.all_horizontal(tests) if tests else None


def _all_of(kind: EntityKind, site: Site) -> frozenset[str]:
    names = set(site.names(kind))
    if kind is EntityKind.NODE:
        names |= {str(node) for node in site.login_nodes} | set(site.service_hosts)
        names |= {host for hosts in site.hosts_by_plugin.values() for host in hosts}
    return frozenset(names)


def _granted(kind: EntityKind, things: frozenset[Entity], site: Site) -> frozenset[str]:
    """The names of ``kind`` among ``things``; racks bring their nodes in."""
    named = {thing.name for thing in things if thing.kind is kind}
    if EVERY in named:
        return _all_of(kind, site)
    if kind is EntityKind.NODE:
        racks = {thing.name for thing in things if thing.kind is EntityKind.RACK}
        for rack in site.racks:
            if rack.name in racks or EVERY in racks:
                named |= {str(node) for node in rack.nodes}
    return frozenset(named)


def _among(value: pl.Expr, names: frozenset[str]) -> pl.Expr:
    return value.is_in(sorted(names)).fill_null(False)


def _in_column(column: str, names: frozenset[str], columns: frozenset[str]) -> pl.Expr:
    if column not in columns:
        return pl.lit(False)
    return _among(pl.col(column).cast(pl.String), names)
