"""One lake asked both ways: as odabot asks it, and by way of a graph that is built once."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl

from ontology.conformance import CheckedQuery, check_query
from ontology.schema_loader import load_schema
from retrieval.embedded_store import EmbeddedStore
from retrieval.execution import Execution
from retrieval.graph_cache import GraphCache
from retrieval.lake import Lake
from retrieval.lake_profile import LakeProfile
from retrieval.metric_catalog import MetricCatalog
from retrieval.query_result import QueryResult
from retrieval.query_text import HEADER
from retrieval.request import TimeWindow
from retrieval.scope import GraphScope
from retrieval.site import Site
from retrieval.site_discovery import discovered
from retrieval.topology_store import TopologyStore

METRICS = (
    *("total_power", "ambient", "Gpu0_gpu_utilization", "Gpu1_gpu_utilization", "state"),
    *("s21.jobs.tot_jobs", "Tot", "temp", "gexec", "total_nodes_alloc"),
)
START = datetime(2022, 6, 1, 10, tzinfo=UTC)
_ALL = 1 << 40
"""So many bytes that the graph is built once and kept."""
NUMBERS = {"integer", "double"}


class BothWays:
    """A lake with the graph of one scope beside it; without ``minutes`` all of its readings."""

    def __init__(self, root: Path, minutes: int | None) -> None:
        catalog, lake = MetricCatalog.load(), Lake(root, LakeProfile())
        windows = (
            () if minutes is None else (TimeWindow(START, START + timedelta(minutes=minutes)),)
        )
        metrics = tuple(metric for name in METRICS if (metric := catalog.by_name(name)))
        self.scope = GraphScope(metrics, windows, jobs=True)
        site = Site.load()
        small = replace(site, racks=site.racks[:2])
        topology = TopologyStore(discovered(small, lake, catalog), catalog)
        graphs = GraphCache(EmbeddedStore(), _ALL)
        self._execution = Execution(lake, catalog, topology, graphs, graphs)

    def chosen(self, query: CheckedQuery) -> QueryResult:
        """The result by the way that odabot takes."""
        return self._execution.run(query, self.scope)

    def triples(self) -> Iterator[bytes]:
        """The graph as N-Triples."""
        return self._execution.triples(self.scope)

    def materialised(self, query: CheckedQuery) -> QueryResult:
        """The result over the graph."""
        return self._execution.materialised(query, self.scope)


def checked(body: str) -> CheckedQuery:
    """``body`` behind our prefixes and past the gate."""
    found = check_query(f"{HEADER}\n{body}", load_schema())
    assert isinstance(found, CheckedQuery), f"{body}\n{found}"
    return found


def plain_rows(frame: pl.DataFrame) -> list[tuple[object, ...]]:
    """The rows of ``frame`` without the last digits of floats, whose order of summing differs."""
    return [tuple(_plain(value) for value in row) for row in frame.iter_rows()]


def _plain(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return "NaN" if math.isnan(value) else float(f"{round(value, 12):.9g}")


def assert_same(got: QueryResult, wanted: QueryResult, *, ordered: bool = False) -> None:
    """Both results have the same columns, kinds of values, and rows as often."""
    assert got.frame.columns == wanted.frame.columns
    rows, wanted_rows = plain_rows(got.frame), plain_rows(wanted.frame)
    extra, missing = Counter(rows) - Counter(wanted_rows), Counter(wanted_rows) - Counter(rows)
    assert (list(extra.items())[:3], list(missing.items())[:3]) == ([], [])
    if ordered:
        assert rows == wanted_rows
    for name, kind in wanted.kinds.items():
        # A column without values has no kind in a graph; and numbers of two kinds become doubles.
        if wanted.frame[name].null_count() < wanted.frame.height:
            assert kind == got.kinds[name] or {kind, got.kinds[name]} <= NUMBERS, name
