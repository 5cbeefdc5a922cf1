"""Any sequence of questions, losses and restarts: answers are right, and the limit is kept."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from retrieval.cache_index import INDEX, CacheIndex
from retrieval.embedded_store import EmbeddedStore
from retrieval.graph_cache import GraphCache
from tests.caching import ONE_NODE, Clock, Wish

MOST = 7 * ONE_NODE


class Workers(RuleBasedStateMachine):
    """Two workers over one store."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.store = EmbeddedStore()
        self.caches = [GraphCache(self.store, MOST, self.clock) for _ in range(2)]
        self.last: list[tuple[int, str]] = []
        """What fits and was asked last, with nothing lost since."""

    @rule(
        worker=st.integers(0, 1),
        nodes=st.integers(1, 9),
        role=st.sampled_from(["", "user"]),
        keep=st.sampled_from([True, True, True, False]),
    )
    def ask(self, worker: int, nodes: int, role: str, keep: bool) -> None:
        wish = Wish(nodes, role, keep)

        result = wish.asked_of(self.caches[worker])

        assert result.frame.item() == nodes
        assert (result.graph_age is None) == (wish.built == 1)
        if keep and (nodes, role) in self.last:
            assert wish.built == 0
        if not keep or nodes > 7:
            assert wish.built == 1
        else:
            self.last = [(nodes, role)]

    @rule(minutes=st.integers(1, 200))
    def wait(self, minutes: int) -> None:
        self.clock.move(minutes=minutes)

    @rule(worker=st.integers(0, 1))
    def restart(self, worker: int) -> None:
        self.caches[worker] = GraphCache(self.store, MOST, self.clock)

    @precondition(lambda self: bool(CacheIndex(self.store).entries()))
    @rule(number=st.integers(0, 9), from_index=st.booleans())
    def lose(self, number: int, from_index: bool) -> None:
        entries = CacheIndex(self.store).entries()
        # By what they hold: their names differ from run to run.
        entry = sorted(entries, key=lambda e: (e.fingerprint, e.access))[number % len(entries)]
        if from_index:
            CacheIndex(self.store).forget(entry.graph)
        else:
            self.store.drop(entry.graph)
        self.last = []

    @invariant()
    def keeps_no_more_than_it_may(self) -> None:
        entries = CacheIndex(self.store).entries()

        assert sum(entry.length for entry in entries) <= MOST
        assert len({(entry.fingerprint, entry.access) for entry in entries}) == len(entries)

    @invariant()
    def every_graph_is_whole(self) -> None:
        known = {entry.graph: entry.triples for entry in CacheIndex(self.store).entries()}
        for graph in set(self.store.names()) - {INDEX}:
            assert self.store.size(graph) == known.get(graph, self.store.size(graph))


Workers.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestWorkers = Workers.TestCase
