"""Kept graphs, here and over HTTP: asked again, given up, never half, never another role's."""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from ontology.conformance import CheckedQuery
from retrieval.cache_index import INDEX, CacheIndex
from retrieval.embedded_store import EmbeddedStore
from retrieval.errors import GraphBuildError, GraphStoreError
from retrieval.graph_cache import GraphCache, WantedGraph
from retrieval.graph_store import GraphStore
from retrieval.query_result import QueryResult
from tests.caching import NODES, ONE_NODE, Clock, Wish
from tests.fakes.graphdb_server import Fault, graphdb
from tests.oxigraph_server import oxigraph
from tests.stores import graphdb_store, oxigraph_store

ROOT = Path(__file__).resolve().parents[2]
PLENTY = 1_000_000


@pytest.fixture(params=["embedded", "graphdb"])
def store(request: pytest.FixtureRequest) -> Iterator[GraphStore]:
    if request.param == "embedded":
        yield EmbeddedStore()
    else:
        with graphdb() as server:
            yield graphdb_store(server)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(store: GraphStore, clock: Clock) -> GraphCache:
    return GraphCache(store, PLENTY, clock)


def kept(store: GraphStore) -> list[str]:
    """Fingerprints of the graphs in the index."""
    return sorted(entry.fingerprint for entry in CacheIndex(store).entries())


def graphs(store: GraphStore) -> set[str]:
    return set(store.names()) - {INDEX}


def test_a_graph_is_built_once_and_its_age_is_told(cache: GraphCache, clock: Clock) -> None:
    wish = Wish(3)

    first = wish.asked_of(cache)
    clock.move(minutes=20)
    second = wish.asked_of(cache)

    assert (first.frame.rows(), second.frame.rows()) == ([(3,)], [(3,)])
    assert (first.graph_age, second.graph_age, wish.built) == (None, 1200, 1)


def test_a_kept_graph_serves_other_workers(
    store: GraphStore, cache: GraphCache, clock: Clock
) -> None:
    wish = Wish(3)
    wish.count(cache)

    assert wish.count(GraphCache(store, PLENTY, clock)) == 3
    assert wish.built == 1


def test_the_index_tells_what_is_kept(store: GraphStore, cache: GraphCache, clock: Clock) -> None:
    created = clock.now
    Wish(3, "operator").count(cache)
    clock.move(minutes=20)
    Wish(3, "operator").count(cache)

    [entry] = CacheIndex(store).entries()

    assert (entry.fingerprint, entry.access) == ("3", "operator")
    assert (entry.created, entry.used) == (created, clock.now)
    assert (entry.triples, entry.length) == (3, 3 * ONE_NODE)
    assert graphs(store) == {entry.graph}


def test_a_graph_of_one_role_is_not_given_to_another(cache: GraphCache) -> None:
    Wish(3, "operator").count(cache)
    other = Wish(3, "user")

    other.count(cache)

    assert other.built == 1


def test_a_role_is_held_against_the_index_even_if_the_fingerprint_agrees(
    store: GraphStore, cache: GraphCache, clock: Clock
) -> None:
    Wish(3, "operator").count(cache)
    [entry] = CacheIndex(store).entries()
    forged = replace(entry, fingerprint="5")
    CacheIndex(store).touch(forged, clock.now)
    wish = Wish(5, "user")

    assert (wish.count(cache), wish.built) == (5, 1)


@pytest.mark.parametrize(("keep", "most"), [(False, PLENTY), (True, 0), (True, 3 * ONE_NODE - 1)])
def test_what_is_not_to_be_kept_or_does_not_fit_is_dropped(
    store: GraphStore, keep: bool, most: int
) -> None:
    cache, wish = GraphCache(store, most, Clock()), Wish(3, keep=keep)

    found = [wish.asked_of(cache) for _ in range(2)]

    assert [(each.frame.item(), each.graph_age) for each in found] == [(3, None)] * 2
    assert (wish.built, graphs(store), kept(store)) == (2, set(), [])


def test_a_window_that_is_open_again_is_not_taken_from_what_was_kept(cache: GraphCache) -> None:
    Wish(3).count(cache)
    wish = Wish(3, keep=False)

    assert (wish.asked_of(cache).graph_age, wish.built) == (None, 1)


def test_the_least_recently_used_goes_first(store: GraphStore, clock: Clock) -> None:
    cache = GraphCache(store, 6 * ONE_NODE, clock)
    for nodes in (1, 2, 3, 1, 2):
        Wish(nodes).count(cache)
        clock.move(minutes=5)

    Wish(3).count(cache)
    clock.move(minutes=5)
    Wish(1).count(cache)
    clock.move(minutes=5)
    Wish(4).count(cache)

    # Of 1, 2 and 3, used in the order 2, 3, 1, four nodes leave room for one of one or two.
    assert kept(store) == ["1", "4"]
    assert len(graphs(store)) == 2


def test_a_graph_that_is_gone_is_built_again(store: GraphStore, cache: GraphCache) -> None:
    wish = Wish(3)
    wish.count(cache)
    [entry] = CacheIndex(store).entries()
    store.drop(entry.graph)

    again = wish.asked_of(cache)

    assert (again.frame.item(), again.graph_age, wish.built) == (3, None, 2)
    assert kept(store) == ["3"]


class Dropping:
    """A store in which another process drops graphs just before they are asked."""

    def __init__(self, store: GraphStore, times: int) -> None:
        self._store = store
        self._times = times
        self.names, self.load, self.drop = store.names, store.load, store.drop
        self.size, self.has = store.size, store.has
        self.read, self.restate = store.read, store.restate

    def select(self, graph: str, query: CheckedQuery, seconds: float) -> QueryResult:
        if self._times:
            self._times -= 1
            CacheIndex(self._store).forget(graph)
            self._store.drop(graph)
        return self._store.select(graph, query, seconds)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_graph_that_goes_while_it_is_asked_is_built_again(times: int, clock: Clock) -> None:
    wish = Wish(3)

    assert wish.count(GraphCache(Dropping(EmbeddedStore(), times), PLENTY, clock)) == 3


def test_gives_up_where_every_graph_goes(clock: Clock) -> None:
    with pytest.raises(GraphStoreError, match="was dropped"):
        Wish(3).count(GraphCache(Dropping(EmbeddedStore(), 99), PLENTY, clock))


def test_a_load_that_fails_is_never_asked(store: GraphStore, cache: GraphCache) -> None:
    def broken() -> Iterable[bytes]:
        yield b"<urn:a> <urn:b> <urn:c> .\n"
        yield b"no triple\n"

    with pytest.raises(GraphBuildError):
        cache.select(WantedGraph("3", "", True, broken), NODES, 60)

    assert (Wish(3).count(cache), kept(store)) == (3, ["3"])
    assert len(graphs(store)) == 1


def test_a_builder_that_fails_leaves_nothing(store: GraphStore, cache: GraphCache) -> None:
    def failing() -> Iterable[bytes]:
        yield b"<urn:a> <urn:b> <urn:c> .\n"
        raise KeyError("a damaged file")

    with pytest.raises(KeyError):
        cache.select(WantedGraph("3", "", True, failing), NODES, 60)

    assert store.names() == ()


def test_a_graph_that_could_not_be_told_is_dropped() -> None:
    with graphdb() as server:
        store = graphdb_store(server)
        server.misbehave(Fault.BROKEN, "POST /repositories/odabot/statements")

        with pytest.raises(GraphStoreError):
            Wish(3).count(GraphCache(store, PLENTY, Clock()))

        assert store.names() == ()


def test_what_an_ended_process_left_is_dropped_after_an_hour(
    store: GraphStore, clock: Clock
) -> None:
    # A worker that ended between loading and telling, and a graph that is not ours.
    Wish(3).count(GraphCache(store, PLENTY, clock))
    [entry] = CacheIndex(store).entries()
    CacheIndex(store).forget(entry.graph)
    store.load("urn:other", [b"<urn:a> <urn:b> <urn:c> .\n"])

    clock.move(minutes=59)
    Wish(4).count(GraphCache(store, PLENTY, clock))
    early = graphs(store)
    clock.move(minutes=2)
    Wish(5).count(GraphCache(store, PLENTY, clock))

    assert entry.graph in early
    assert entry.graph not in graphs(store)
    assert "urn:other" in graphs(store)
    assert kept(store) == ["4", "5"]


def test_of_two_workers_that_build_the_same_one_graph_is_kept(
    store: GraphStore, clock: Clock
) -> None:
    one, other = (GraphCache(store, PLENTY, clock) for _ in range(2))
    first = Wish(3)

    def while_loading() -> Iterable[bytes]:
        assert first.count(one) == 3
        yield from Wish(3).wanted().triples()

    clock.move(seconds=1)
    found = other.select(WantedGraph("3", "", True, while_loading), NODES, 60)
    [entry] = CacheIndex(store).entries()

    assert found.frame.item() == 3
    assert graphs(store) == {entry.graph}
    assert first.asked_of(one).graph_age == 0


def test_an_answer_is_not_lost_with_the_drop_after_it() -> None:
    with graphdb() as server:
        server.misbehave(Fault.BROKEN, "DELETE")

        assert Wish(3, keep=False).count(GraphCache(graphdb_store(server), 0, Clock())) == 3


def test_threads_build_a_graph_once(store: GraphStore, cache: GraphCache) -> None:
    wish = Wish(3)

    with ThreadPoolExecutor(6) as pool:
        counts = list(pool.map(lambda _: wish.count(cache), range(12)))

    assert (counts, wish.built) == ([3] * 12, 1)


def test_threads_that_drive_each_other_out_get_right_answers(store: GraphStore) -> None:
    cache = GraphCache(store, 5 * ONE_NODE, Clock())
    wishes = [Wish(1 + number % 5) for number in range(40)]

    with ThreadPoolExecutor(6) as pool:
        counts = list(pool.map(lambda wish: wish.count(cache), wishes))

    assert counts == [wish.nodes for wish in wishes]
    assert sum(entry.length for entry in CacheIndex(store).entries()) <= 5 * ONE_NODE
    assert graphs(store) == {entry.graph for entry in CacheIndex(store).entries()}


def test_processes_share_one_store_and_get_right_answers() -> None:
    most = 5 * ONE_NODE
    with graphdb() as server:
        command = [sys.executable, "-m", "tests.caching", server.url]
        workers = [
            subprocess.Popen([*command, str(seed), str(most)], cwd=ROOT, stderr=subprocess.PIPE)
            for seed in range(2)
        ]
        ended = [(worker.communicate()[1], worker.returncode) for worker in workers]
        store = graphdb_store(server)
        entries = CacheIndex(store).entries()

        assert [code for _, code in ended] == [0, 0], ended
        assert sum(entry.length for entry in entries) <= most
        assert graphs(store) == {entry.graph for entry in entries}


def test_works_in_a_real_sparql_server(clock: Clock) -> None:
    with oxigraph() as url:
        store = oxigraph_store(url)
        cache = GraphCache(store, 6 * ONE_NODE, clock)
        ages = []
        for nodes in (1, 2, 3, 1, 4):
            ages.append(Wish(nodes).asked_of(cache).graph_age)
            clock.move(minutes=5)

        assert ages == [None, None, None, 900, None]
        assert kept(store) == ["1", "4"]


def test_a_store_that_is_down_is_told() -> None:
    with graphdb() as server:
        cache = GraphCache(graphdb_store(server), PLENTY, Clock())
        server.misbehave(Fault.UNAVAILABLE)

        with pytest.raises(GraphStoreError, match="down or too busy"):
            Wish(3).count(cache)
