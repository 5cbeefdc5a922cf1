"""Decides how a checked query runs, and runs it: on the topology, virtually, or on a graph."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import cached_property

import pyoxigraph

from ontology.conformance import CheckedQuery
from retrieval.errors import ScopeTooLarge
from retrieval.graph_builder import count_jobs, count_readings, graph_triples
from retrieval.graph_cache import GraphCache, WantedGraph, wall_clock
from retrieval.graph_identity import fingerprint_of, is_settled
from retrieval.lake import Lake
from retrieval.metric_catalog import MetricCatalog
from retrieval.query_result import QueryResult
from retrieval.scope import GraphScope
from retrieval.site import Site
from retrieval.site_graph import catalogue, topology
from retrieval.store_results import result_of
from retrieval.topology_store import TopologyStore
from retrieval.virtual_engine import is_about_topology, run
from retrieval.virtual_groups import Sources
from retrieval.virtual_rows import NotTranslatable

MOST_READINGS = 2_000_000
"""Larger scopes are not turned into triples."""
SECONDS = 60.0
_READINGS_PER_JOB = 7
"""A job makes about so many times the triples of a reading."""


class Execution:
    """Runs checked queries; safe to use from several threads."""

    def __init__(
        self,
        lake: Lake,
        catalog: MetricCatalog,
        topology_store: TopologyStore,
        graphs: GraphCache,
        function_graphs: GraphCache,
        most_readings: int = MOST_READINGS,
        seconds: float = SECONDS,
        clock: Callable[[], datetime] = wall_clock,
        access: str = "",
    ) -> None:
        """``function_graphs`` are where our functions can be evaluated; ``graphs`` need not be.

        ``access`` names whose data these are: a graph that is kept for others is not asked.

        The ``clock`` is that of the machines: what they may still add to the lake is not kept.
        """
        self._lake = lake
        self._catalog = catalog
        self._topology = topology_store
        self._graphs = graphs
        self._function_graphs = function_graphs
        self._most_readings = most_readings
        self._seconds = seconds
        self._clock = clock
        self._access = access

    @property
    def site(self) -> Site:
        """What exists."""
        return self._topology.site

    def run(self, query: CheckedQuery, scope: GraphScope) -> QueryResult:
        """The result of ``query`` over the graph of ``scope``.

        Raises LakeError for a damaged file, ScopeTooLarge where a graph would have to be built
        that is too large, and GraphStoreError.
        """
        if is_about_topology(query.text, scope.jobs):
            return replace(self._on_topology(query, scope), how="graph")
        try:
            return run(query.text, Sources(self._lake, self._topology, scope))
        except NotTranslatable as error:
            return self.materialised(query, scope, str(error))

    def materialised(self, query: CheckedQuery, scope: GraphScope, reason: str = "") -> QueryResult:
        """The same by way of a graph, which is built unless it was kept.

        A store elsewhere does not know our functions; a query that calls one has its graph built
        in a store that does.
        """
        scope = replace(scope, access=self._access)
        wanted = WantedGraph(
            fingerprint_of(self._lake, scope, self._topology_digest),
            scope.access,
            is_settled(self._lake, scope, self._clock()),
            lambda: self._bounded_triples(scope, reason),
        )
        graphs = self._function_graphs if query.functions else self._graphs
        result = graphs.select(wanted, query, self._seconds)
        return replace(result, how="materialised", reason=reason)

    def _bounded_triples(self, scope: GraphScope, reason: str) -> Iterator[bytes]:
        size = count_readings(self._lake, scope) + _READINGS_PER_JOB * count_jobs(self._lake, scope)
        if size > self._most_readings:
            raise ScopeTooLarge(
                f"{size} readings (a job counts as {_READINGS_PER_JOB}) are too many for a graph"
                f" (the limit is {self._most_readings}), and the query needs one: {reason}"
            )
        return self.triples(scope)

    @cached_property
    def _topology_digest(self) -> str:
        always = topology(self._topology.site) + catalogue(self._catalog)
        return hashlib.sha256(always).hexdigest()

    def triples(self, scope: GraphScope) -> Iterator[bytes]:
        """Chunks of N-Triples of the whole graph of ``scope``, topology included."""
        site = self._topology.site
        yield topology(site)
        yield catalogue(self._catalog)
        yield from graph_triples(self._lake, site, scope)

    def _on_topology(self, query: CheckedQuery, scope: GraphScope) -> QueryResult:
        found = self._topology.select(query.text, scope.metrics)
        if isinstance(found, pyoxigraph.QueryBoolean):
            return result_of(["ask"], [[pyoxigraph.Literal(bool(found))]])
        names = [variable.value for variable in found.variables]
        solutions = list(found)
        return result_of(names, [[solution[name] for solution in solutions] for name in names])
