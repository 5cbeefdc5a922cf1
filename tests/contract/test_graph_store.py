"""What every graph store promises: in this process, in GraphDB's stand-in, in a real server."""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pyoxigraph
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ontology.vocabulary import DATA, ODA, RDF_TYPE, XSD
from retrieval.embedded_store import EmbeddedStore
from retrieval.errors import GraphBuildError, QueryTimedOut
from retrieval.graph_store import GraphStore
from tests.fakes.graphdb_server import graphdb
from tests.oxigraph_server import oxigraph
from tests.stores import checked, graphdb_store, oxigraph_store

ONE, TWO = f"{DATA}graph/one", f"{DATA}graph/two"
SECONDS = 60.0
NODES = checked("SELECT (COUNT(?n) AS ?nodes) { ?n a oda:ComputeNode }")
IDS = checked("SELECT ?id { ?n a oda:ComputeNode ; oda:nodeId ?id } ORDER BY ?id")
IS_THERE = checked('ASK { ?n a oda:ComputeNode ; oda:nodeId "7" }')
VALUES = checked(
    "SELECT ?s ?t ?v (?v > 3 AS ?high) (STR(?v) AS ?text) ?slot { ?s oda:hasReading ?r ."
    " ?r oda:value ?v ; oda:timestamp ?t . OPTIONAL { ?n oda:hasSensor ?s ; oda:slot ?slot } }"
    " ORDER BY ?t"
)
THRICE = checked("SELECT (COUNT(*) AS ?n) { ?a oda:slot ?x . ?b oda:slot ?x . ?c oda:slot ?x }")


def triple(subject: str, prop: str, target: str) -> bytes:
    return f"<{DATA}{subject}> <{prop}> {target} .\n".encode()


def literal(text: str, datatype: str = "string") -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    escaped = escaped.replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"^^<{XSD}{datatype}>'


def node(number: int, name: str | None = None) -> bytes:
    subject = f"node/{number}"
    return triple(subject, RDF_TYPE, f"<{ODA}ComputeNode>") + triple(
        subject, f"{ODA}nodeId", literal(str(number) if name is None else name)
    )


def reading(number: int, value: str, datatype: str, time: str) -> bytes:
    at = f"<{DATA}reading/{number}>"
    return (
        triple("sensor/a", f"{ODA}hasReading", at)
        + triple(f"reading/{number}", f"{ODA}value", literal(value, datatype))
        + triple(f"reading/{number}", f"{ODA}timestamp", literal(time, "dateTime"))
    )


@pytest.fixture(scope="module", params=["embedded", "graphdb", "oxigraph"])
def store(request: pytest.FixtureRequest) -> Iterator[GraphStore]:
    match request.param:
        case "embedded":
            yield EmbeddedStore()
        case "graphdb":
            with graphdb() as server:
                yield graphdb_store(server)
        case _:
            with oxigraph() as url:
                yield oxigraph_store(url)


@pytest.fixture(autouse=True)
def _empty(store: GraphStore) -> None:
    for name in store.names():
        store.drop(name)


def rows(store: GraphStore, graph: str, query: object = NODES) -> list[tuple[object, ...]]:
    return store.select(graph, query, SECONDS).frame.rows()  # type: ignore[arg-type]


def test_asks_one_graph_and_sees_nothing_of_the_others(store: GraphStore) -> None:
    store.load(ONE, [node(1), node(2)])
    store.load(TWO, [node(2), node(3), node(4)])

    assert rows(store, ONE) == [(2,)]
    assert rows(store, TWO) == [(3,)]


def test_finds_nothing_in_a_graph_that_is_not_there(store: GraphStore) -> None:
    store.load(ONE, [node(1)])

    assert rows(store, TWO) == [(0,)]
    assert rows(store, TWO, IDS) == []


def test_replaces_a_graph(store: GraphStore) -> None:
    store.load(ONE, [node(1), node(2)])

    store.load(ONE, [node(3)])

    assert rows(store, ONE, IDS) == [("3",)]


def test_joins_chunks_and_counts_a_triple_once(store: GraphStore) -> None:
    store.load(ONE, [node(1), node(2), b"", node(1)])

    assert store.size(ONE) == 4


def test_tells_the_names_and_sizes_of_graphs(store: GraphStore) -> None:
    store.load(TWO, [node(1)])
    store.load(ONE, [node(1), node(2)])

    assert store.names() == (ONE, TWO)
    assert [store.size(graph) for graph in (ONE, TWO, f"{DATA}graph/none")] == [4, 2, 0]


def test_drops_a_graph_and_no_other(store: GraphStore) -> None:
    store.load(ONE, [node(1)])
    store.load(TWO, [node(1)])

    store.drop(ONE)
    store.drop(f"{DATA}graph/none")

    assert store.names() == (TWO,)


def test_says_whether_a_graph_has_anything(store: GraphStore) -> None:
    store.load(ONE, [node(1)])

    assert [store.has(graph) for graph in (ONE, TWO)] == [True, False]


def test_reads_a_graph_back(store: GraphStore) -> None:
    store.load(ONE, [node(1, 'say "é"\n')])
    store.load(TWO, [node(2)])

    written, read = (
        set(pyoxigraph.parse(triples, pyoxigraph.RdfFormat.N_TRIPLES))
        for triples in (node(1, 'say "é"\n'), store.read(ONE))
    )
    assert read == written
    assert store.read(f"{DATA}graph/none") == b""


def test_restates_one_subject_of_one_graph(store: GraphStore) -> None:
    store.load(TWO, [node(1)])
    for number, name in ((1, "a"), (2, "b"), (1, "c")):
        store.restate(ONE, f"{DATA}node/{number}", node(number, name))

    assert rows(store, ONE, IDS) == [("b",), ("c",)]
    assert rows(store, TWO, IDS) == [("1",)]


def test_restates_what_is_known_alone(store: GraphStore) -> None:
    store.load(ONE, [node(1)])

    store.restate(ONE, f"{DATA}node/1", node(1, "a"), known=True)
    store.restate(ONE, f"{DATA}node/2", node(2), known=True)

    assert rows(store, ONE, IDS) == [("a",)]


def test_takes_a_subject_back(store: GraphStore) -> None:
    store.load(ONE, [node(1), node(2)])

    store.restate(ONE, f"{DATA}node/1", b"")
    store.restate(ONE, f"{DATA}node/3", b"")

    assert rows(store, ONE, IDS) == [("2",)]


def test_answers_yes_and_no(store: GraphStore) -> None:
    store.load(ONE, [node(7)])

    assert rows(store, ONE, IS_THERE) == [(True,)]
    assert rows(store, TWO, IS_THERE) == [(False,)]


def test_gives_typed_columns(store: GraphStore) -> None:
    readings = [
        reading(1, "2.5", "double", "2022-06-01T10:00:00Z"),
        reading(2, "INF", "double", "2022-06-01T12:00:00.250+02:00"),
        reading(3, "-1.0E3", "double", "2022-06-01T11:00:00Z"),
    ]
    place = triple("node/1", f"{ODA}hasSensor", f"<{DATA}sensor/a>") + triple(
        "node/1", f"{ODA}slot", literal("7", "integer")
    )
    store.load(ONE, [*readings, place])

    result = store.select(ONE, VALUES, SECONDS)

    assert result.kinds == {
        **{"s": "iri", "t": "dateTime", "v": "double", "high": "boolean", "text": "string"},
        "slot": "integer",
    }
    assert result.frame["t"].to_list() == [
        datetime(2022, 6, 1, 10, tzinfo=UTC),
        datetime(2022, 6, 1, 10, 0, 0, 250_000, tzinfo=UTC),
        datetime(2022, 6, 1, 11, tzinfo=UTC),
    ]
    assert result.frame["v"].to_list() == [2.5, math.inf, -1000.0]
    assert result.frame["slot"].to_list() == [7, 7, 7]


def test_leaves_what_is_unbound_empty(store: GraphStore) -> None:
    store.load(ONE, [reading(1, "1", "double", "2022-06-01T10:00:00Z")])

    result = store.select(ONE, VALUES, SECONDS)

    assert (result.frame["slot"].to_list(), result.frame["high"].to_list()) == ([None], [False])


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(name=st.text(st.characters(exclude_categories=("Cs", "Cc"))) | st.just("a\n\r\t\\ \"'"))
def test_keeps_texts_as_they_are(store: GraphStore, name: str) -> None:
    store.load(ONE, [node(1, name)])

    assert rows(store, ONE, IDS) == [(name,)]


def test_refuses_what_is_no_triple_and_keeps_nothing_of_it(store: GraphStore) -> None:
    with pytest.raises(GraphBuildError):
        store.load(ONE, [node(1), b"no triple at all\n"])

    assert (store.names(), store.size(ONE)) == ((), 0)


def test_gives_up_on_a_query_that_takes_too_long(store: GraphStore) -> None:
    slots = [triple(f"node/{n}", f"{ODA}slot", literal("1", "integer")) for n in range(120)]
    store.load(ONE, slots)

    with pytest.raises(QueryTimedOut):
        store.select(ONE, THRICE, 0.01)


def test_serves_many_threads(store: GraphStore) -> None:
    graphs = [f"{DATA}graph/{number}" for number in range(8)]

    def count(number: int) -> object:
        store.load(graphs[number], [node(n) for n in range(number + 1)])
        found = rows(store, graphs[number])
        store.drop(graphs[number])
        return found[0][0]

    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(count, range(8)))

    assert counts == [1, 2, 3, 4, 5, 6, 7, 8]
    assert store.names() == ()
