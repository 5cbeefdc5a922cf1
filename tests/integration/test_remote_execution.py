"""Queries over a store elsewhere: the same rows as in this process, and functions done here."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

from bot.settings import Settings
from bot.wiring import build_data_service, build_metric_index
from ontology.conformance import CheckedQuery
from ontology.vocabulary import FUNCTION
from retrieval.embedded_store import EmbeddedStore
from retrieval.graph_store import GraphStore
from retrieval.metric_catalog import MetricCatalog
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.settings import GraphStoreSettings, RetrievalSettings
from tests.both_ways import BothWays
from tests.fakes.graphdb_server import graphdb
from tests.integration.test_virtual_equals_materialised import SHAPES
from tests.odd_lake import odd_lake
from tests.oxigraph_server import oxigraph
from tests.stores import checked, graphdb_store, oxigraph_store
from tests.worker import SCOPE, USERS, small_execution

ROOT = Path(__file__).resolve().parents[2]
GRAPH = "https://odabot.example/data/graph/test"
CATALOG = MetricCatalog.load()
MEDIAN = checked(
    'SELECT (odaf:median(?v) AS ?middle) { ?s oda:metricName "total_power" ; oda:hasReading ?r .'
    " ?r oda:value ?v }"
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return odd_lake(tmp_path_factory.mktemp("lake") / "data")


@pytest.fixture(scope="module")
def both(root: Path) -> BothWays:
    return BothWays(root, 40)


@pytest.fixture(scope="module")
def here(both: BothWays) -> GraphStore:
    store = EmbeddedStore()
    store.load(GRAPH, both.triples())
    return store


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with oxigraph() as url:
        yield url


@pytest.fixture(scope="module")
def remote(both: BothWays, server: str) -> GraphStore:
    store = oxigraph_store(server)
    store.load(GRAPH, both.triples())
    return store


def _checked(name: str) -> CheckedQuery:
    return checked(SHAPES[name].text)


WITHOUT_FUNCTIONS = sorted(
    name
    for name, shape in SHAPES.items()
    if shape.file in ("paths", "results", "groups") and "odaf:" not in shape.text
)


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_the_gate_tells_every_function_of_ours(name: str) -> None:
    called = {FUNCTION + each for each in re.findall(r"odaf:(\w+)\s*\(", SHAPES[name].text)}

    assert _checked(name).functions == called


@pytest.mark.parametrize("name", WITHOUT_FUNCTIONS)
def test_gives_the_same_rows_from_a_server(name: str, here: GraphStore, remote: GraphStore) -> None:
    ours, theirs = (store.select(GRAPH, _checked(name), 120) for store in (here, remote))

    assert theirs.kinds == ours.kinds
    assert_frame_equal(theirs.frame, ours.frame, check_row_order=False, check_column_order=False)


def test_builds_a_graph_in_graphdb_and_leaves_nothing_there(root: Path) -> None:
    with graphdb() as server:
        result = small_execution(root, graphdb_store(server), EmbeddedStore()).run(USERS, SCOPE)
        left = graphdb_store(server).names()
        sent = len(server.requests("PUT"))

    assert (result.how, result.frame.rows(), left, sent) == ("materialised", [(3,)], (), 1)


def test_evaluates_our_functions_in_this_process(root: Path) -> None:
    here = EmbeddedStore()
    with graphdb() as server:
        result = small_execution(root, graphdb_store(server), here).materialised(MEDIAN, SCOPE)
        asked = len(server.seen)

    wanted = small_execution(root, here, here).run(MEDIAN, SCOPE)
    assert (wanted.how, result.how, asked) == ("virtual", "materialised", 0)
    assert_frame_equal(result.frame, wanted.frame)


def test_is_wired_as_the_settings_say(root: Path, tmp_path: Path) -> None:
    with graphdb() as server:
        store = GraphStoreSettings(kind="graphdb", url=server.url)
        retrieval = RetrievalSettings(lake=root, graph_store=store)
        settings = Settings(retrieval=retrieval, data=tmp_path)
        quantities = QuantityCatalog(CATALOG)
        index = build_metric_index(settings, quantities)
        execution = build_data_service(settings, CATALOG, quantities, index).source.execution

        ages = [execution.materialised(USERS, SCOPE).graph_age is None for _ in range(2)]
        here = execution.materialised(MEDIAN, SCOPE)

        # Kept over the network, and of a query with functions in this process.
        assert ages == [True, False]
        assert (here.graph_age, len(server.requests("PUT"))) == (None, 1)
        assert len(graphdb_store(server).names()) == 2


def test_what_one_process_built_another_asks(root: Path) -> None:
    code = "import sys; from tests.worker import tell_age; tell_age(*sys.argv[1:])"
    with graphdb() as server:
        said = [
            subprocess.run(
                [sys.executable, "-c", code, str(root), server.url],
                cwd=ROOT,
                env={"PYTHONHASHSEED": seed},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for seed in ("1", "2")
        ]

    assert said == ["3 True", "3 False"]
