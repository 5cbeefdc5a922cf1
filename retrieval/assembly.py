"""Puts the door to the data together: whole, and once more for each scope that is asked under.

What a scope leaves out is in none of the parts of its door: not in the site or catalogue that
questions are read by, not in the graph of the topology, not in the lake.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from ontology.schema import Schema
from retrieval.compiler import Compiler
from retrieval.data_scope import DataScope
from retrieval.data_service import DataService
from retrieval.execution import SECONDS, Execution
from retrieval.graph_cache import GraphCache
from retrieval.lake import Lake
from retrieval.likeness_rules import MatchesMetrics
from retrieval.metric_catalog import MetricCatalog
from retrieval.metric_mentions import MetricReader
from retrieval.question_reader import QuestionReader
from retrieval.request_run import Source
from retrieval.seen_metrics import SeenMatcher
from retrieval.sight import Sight
from retrieval.site import Site
from retrieval.site_discovery import discovered
from retrieval.topology_store import TopologyStore

_KEPT = 48
"""So many scopes are kept ready; the least recently used goes first."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What doors to the same data are made of."""

    lake: Lake
    planned: Site
    """The site as its files describe it, without what the lake tells of it."""
    catalog: MetricCatalog
    schema: Schema
    checks: Sequence[str]
    metrics: MetricReader
    matcher: MatchesMetrics
    graphs: GraphCache
    function_graphs: GraphCache
    zone: ZoneInfo
    seconds: float = SECONDS


class Doors:
    """One door for each scope; safe in several threads."""

    def __init__(self, parts: Parts) -> None:
        """Raises LakeError where there is no lake."""
        self._parts = parts
        self._site = discovered(parts.planned, parts.lake, parts.catalog)
        self._lock = threading.Lock()
        self._kept: OrderedDict[DataScope, DataService] = OrderedDict()
        self._topologies: OrderedDict[object, TopologyStore] = OrderedDict()
        self.whole = self._made(parts, self._site, None)

    def within(self, scope: DataScope) -> DataService:
        """The door to what ``scope`` lets be seen; raises LakeError."""
        if scope.is_whole:
            return self.whole
        with self._lock:
            if scope not in self._kept:
                self._kept[scope] = self._seen(scope)
            self._kept.move_to_end(scope)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return self._kept[scope]

    def _seen(self, scope: DataScope) -> DataService:
        sight = Sight.of(scope, self._site)
        catalog = sight.catalog(self._parts.catalog)
        lake = self._parts.lake.seen(sight, catalog)
        matcher = SeenMatcher(self._parts.matcher, sight)
        parts = replace(self._parts, lake=lake, catalog=catalog, matcher=matcher)
        # Found out anew, so that nothing is known of the site that only hidden data tell.
        site = sight.site(discovered(self._parts.planned, lake, catalog))
        return self._made(parts, site, sight)

    def _made(self, parts: Parts, site: Site, sight: Sight | None) -> DataService:
        execution = Execution(
            parts.lake,
            parts.catalog,
            self._topology(parts.catalog, site),
            parts.graphs,
            parts.function_graphs,
            seconds=parts.seconds,
            access=sight.scope.key if sight is not None else "",
        )
        reader = QuestionReader(site, parts.checks, parts.metrics, parts.matcher, parts.zone, sight)
        compiler = Compiler(parts.catalog, str(parts.zone))
        source = Source(parts.schema, parts.lake, compiler, execution, parts.zone)
        return DataService(reader, source, self)

    def _topology(self, catalog: MetricCatalog, site: Site) -> TopologyStore:
        """The store of ``site``, shared by scopes that differ in their jobs alone."""
        hosts, meters = site.hosts_by_plugin, site.meters_of_metric
        key = (catalog.metrics, site, tuple(hosts.items()), tuple(meters.items()))
        if key not in self._topologies:
            self._topologies[key] = TopologyStore(site, catalog)
        self._topologies.move_to_end(key)
        while len(self._topologies) > _KEPT:
            self._topologies.popitem(last=False)
        return self._topologies[key]
