"""Both executions of a query must give the same rows, over a usual lake and over an odd one."""

import math
import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from string import Template

import polars as pl
import pytest

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
from retrieval.virtual_engine import run
from retrieval.virtual_groups import Sources
from tests.lakes import tiny_lake, tiny_profile
from tests.odd_lake import odd_lake

PARTS = {
    "SENSORS": "?n a oda:ComputeNode ; oda:nodeId ?id ; oda:hasSensor ?s .",
    "POWER": '?s oda:metricName "total_power" .',
    "READINGS": "?s oda:hasReading ?r . ?r oda:value ?v ; oda:timestamp ?t .",
    "TEN_MINUTES": 'FILTER(?t >= "2022-06-01T10:05:00Z"^^xsd:dateTime'
    ' && ?t < "2022-06-01T10:15:00Z"^^xsd:dateTime)',
    "JOBS": "?j a oda:Job ; oda:runsOn ?n ; oda:startTime ?b ; oda:endTime ?e .",
    "WHILE_RUNNING": "FILTER(?t >= ?b && ?t <= ?e)",
    "NEVER": 'FILTER(?t > "2030-01-01T00:00:00Z"^^xsd:dateTime)',
}
METRICS = (
    *("total_power", "ambient", "Gpu0_gpu_utilization", "Gpu1_gpu_utilization", "state"),
    *("s21.jobs.tot_jobs", "Tot", "temp", "gexec", "total_nodes_alloc"),
)
GRAPH = "https://odabot.example/data/graph/test"


def _shapes() -> dict[str, str]:
    text = Path(__file__).with_name("query_shapes.rq").read_text("utf-8")
    found = re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return {name: Template(query).substitute(PARTS) for name, query in found}


SHAPES = _shapes()


class Both:
    """One lake, with the whole graph of one scope in a store beside it."""

    def __init__(self, root: Path, minutes: int) -> None:
        catalog, lake = MetricCatalog.load(), Lake(root, LakeProfile())
        start = datetime(2022, 6, 1, 10, tzinfo=UTC)
        window = TimeWindow(start, start + timedelta(minutes=minutes))
        metrics = [metric for name in METRICS if (metric := catalog.by_name(name))]
        self.scope = GraphScope(tuple(metrics), (window,), jobs=True)
        self.store = EmbeddedStore()
        site = Site.load()
        small = replace(site, racks=site.racks[:2])
        topology = TopologyStore(discovered(small, lake, catalog), catalog)
        self._sources = Sources(lake, topology, self.scope)
        graphs = GraphCache(self.store)
        execution = Execution(lake, catalog, topology, graphs, graphs)
        self.triples = list(execution.triples(self.scope))
        self.store.load(GRAPH, self.triples)

    def virtual(self, query: CheckedQuery) -> QueryResult:
        return run(query.text, self._sources)

    def materialised(self, query: CheckedQuery) -> QueryResult:
        return self.store.select(GRAPH, query, 120)


def _few_jobs(root: Path) -> Path:
    return tiny_lake(root, profile=tiny_profile(jobs_a_day=30))


@pytest.fixture(scope="module", params=[(_few_jobs, 13), (odd_lake, 40)], ids=["tiny", "odd"])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Both:
    write, minutes = request.param
    return Both(write(tmp_path_factory.mktemp("lake") / "data"), minutes)


def _checked(name: str) -> CheckedQuery:
    checked = check_query(f"{HEADER}\n{SHAPES[name]}", load_schema())
    assert isinstance(checked, CheckedQuery), checked
    return checked


def _same(value: object) -> object:
    """``value`` without the last digits of a float, whose order of summing may differ."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return "NaN" if math.isnan(value) else float(f"{round(value, 12):.9g}")


def _rows(frame: pl.DataFrame) -> Counter[tuple[object, ...]]:
    return Counter(tuple(_same(value) for value in row) for row in frame.iter_rows())


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_gives_the_same_rows_either_way(name: str, both: Both) -> None:
    query = _checked(name)

    virtual, materialised = both.virtual(query), both.materialised(query)

    assert virtual.frame.columns == materialised.frame.columns
    got, wanted = _rows(virtual.frame), _rows(materialised.frame)
    assert (list((got - wanted).items())[:3], list((wanted - got).items())[:3]) == ([], [])


@pytest.mark.parametrize("name", ["orderoff", "order_unbound", "top3", "nan_order"])
def test_gives_the_same_order_either_way(name: str, both: Both) -> None:
    query = _checked(name)

    virtual, materialised = both.virtual(query), both.materialised(query)

    assert [[_same(value) for value in row] for row in virtual.frame.iter_rows()] == [
        [_same(value) for value in row] for row in materialised.frame.iter_rows()
    ]
