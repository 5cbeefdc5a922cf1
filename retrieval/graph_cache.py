"""Keeps the graphs that were built for queries, for the next query over the same data.

Several processes may share one store. What makes that safe: each load has a graph name of its own,
is told in the index only when it is whole, and goes once and for ever. So a graph that is still
there after a query was whole while it was asked; one that is not is built again.
"""

import logging
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from ontology.conformance import CheckedQuery
from ontology.vocabulary import DATA
from retrieval.cache_index import CacheIndex, KeptGraph
from retrieval.errors import GraphStoreError, GraphStoreUnavailable
from retrieval.graph_store import GraphStore
from retrieval.query_result import QueryResult

_log = logging.getLogger(__name__)

_BUILT = DATA + "graph/built/"
_STAMP = "%Y%m%dT%H%M%S"
_NAME = re.compile(re.escape(_BUILT) + r"(\d{8}T\d{6})-[0-9a-f]+")
_TRIES = 4
"""So often a graph may vanish under a query."""
_TOUCHED = timedelta(minutes=1)
"""The time of last use is kept up to so much."""
_LEFT_OVER = timedelta(hours=1)
"""After so long, a graph that the index does not know was left by a process that ended early."""
_LOCKS = 16


def wall_clock() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class WantedGraph:
    """A graph to be asked, and how to build it."""

    fingerprint: str
    """The same for graphs that hold the same, and for no others."""
    access: str
    """The role that it is for."""
    keep: bool
    """Whether it will still be right for the next query."""
    triples: Callable[[], Iterable[bytes]]
    """Its N-Triples in chunks; called once for each time it is built."""


class GraphCache:
    """Graphs in one store, the least recently used ones dropped; safe in threads and processes."""

    def __init__(
        self,
        store: GraphStore,
        most_bytes: int = 0,
        clock: Callable[[], datetime] = wall_clock,
    ) -> None:
        """``most_bytes`` of N-Triples are kept; 0 keeps nothing."""
        self._store = store
        self._index = CacheIndex(store)
        self._most_bytes = most_bytes
        self._clock = clock
        self._swept: datetime | None = None
        self._locks = [threading.Lock() for _ in range(_LOCKS)]

    def select(self, wanted: WantedGraph, query: CheckedQuery, seconds: float) -> QueryResult:
        """The result of ``query`` over ``wanted``, with the age of the graph where it was kept.

        Raises GraphStoreError, and what ``wanted.triples`` raises.
        """
        for number in range(_TRIES):
            # At last one that nobody else knows of, and so nobody else drops.
            keep = wanted.keep and self._most_bytes > 0 and number < _TRIES - 1
            now = self._clock()
            kept = self._found(wanted, now) if keep else None
            if kept is not None:
                result, whole = self._asked(kept.graph, query, seconds)
                if whole:
                    age = max(0.0, (now - kept.created).total_seconds())
                    return replace(result, graph_age=age)
                self._index.forget(kept.graph)
            else:
                made = self._result_of_new(wanted, query, seconds, keep=keep)
                if made is not None:
                    return made
        raise GraphStoreUnavailable("a graph was dropped from the store while it was asked")

    def _found(self, wanted: WantedGraph, now: datetime) -> KeptGraph | None:
        """The kept graph that is wanted, made for the same role."""
        for kept in self._index.entries():
            if kept.fingerprint == wanted.fingerprint and kept.access == wanted.access:
                if now - kept.used >= _TOUCHED:
                    self._index.touch(kept, now)
                return kept
        return None

    def _asked(self, graph: str, query: CheckedQuery, seconds: float) -> tuple[QueryResult, bool]:
        """The result, and whether the graph was there all the while."""
        result = self._store.select(graph, query, seconds)
        return result, self._store.has(graph)

    def _result_of_new(
        self, wanted: WantedGraph, query: CheckedQuery, seconds: float, *, keep: bool
    ) -> QueryResult | None:
        """The result over a graph built now; None where another thread built it, or it vanished."""
        with self._locks[hash(wanted.fingerprint) % _LOCKS] if keep else nullcontext():
            if keep and self._found(wanted, self._clock()) is not None:
                return None
            built = self._built(wanted)
            is_kept = keep and built.length <= self._most_bytes and self._told(built)
        try:
            result, whole = self._asked(built.graph, query, seconds)
        finally:
            if not is_kept:
                self._drop_quietly(built.graph)
        return result if whole else None

    def _built(self, wanted: WantedGraph) -> KeptGraph:
        """A graph loaded whole that nobody knows of yet."""
        now = self._clock()
        self._drop_left_over(now)
        graph = f"{_BUILT}{now.astimezone(UTC):{_STAMP}}-{uuid4().hex}"
        length = 0

        def measured() -> Iterator[bytes]:
            nonlocal length
            for chunk in wanted.triples():
                length += len(chunk)
                yield chunk

        try:
            self._store.load(graph, measured())
            triples = self._store.size(graph)
        except BaseException:
            self._drop_quietly(graph)
            raise
        return KeptGraph(graph, wanted.fingerprint, wanted.access, now, now, triples, length)

    def _told(self, built: KeptGraph) -> bool:
        """Put ``built`` into the index and drop others until all fit.

        False where another process was quicker with the same graph, so that this one is not kept.
        """
        try:
            self._index.add(built)
            for kept in self._superfluous(self._index.entries(), built.graph):
                self._index.forget(kept.graph)
                if kept.graph == built.graph:
                    return False
                self._store.drop(kept.graph)
        except GraphStoreError:
            self._drop_quietly(built.graph)
            raise
        return True

    def _superfluous(self, entries: tuple[KeptGraph, ...], newest: str) -> Iterator[KeptGraph]:
        """What has to go: graphs that another one repeats, then the least recently used."""
        first: dict[tuple[str, str], KeptGraph] = {}
        for kept in sorted(entries, key=lambda each: (each.created, each.graph)):
            first.setdefault((kept.fingerprint, kept.access), kept)
        once = set(first.values())
        yield from (kept for kept in entries if kept not in once)
        total = sum(kept.length for kept in once)
        for kept in sorted(once, key=lambda each: (each.used, each.created, each.fingerprint)):
            if total <= self._most_bytes:
                return
            if kept.graph != newest:
                total -= kept.length
                yield kept

    def _drop_left_over(self, now: datetime) -> None:
        """Drop what processes that ended early have left; looked for once in a while."""
        if self._swept is not None and now - self._swept < _LEFT_OVER:
            return
        self._swept = now
        known = {kept.graph for kept in self._index.entries()}
        for graph in self._store.names():
            name = _NAME.fullmatch(graph)
            if name is None or graph in known:
                continue
            made = datetime.strptime(name[1], _STAMP).replace(tzinfo=UTC)
            if now - made >= _LEFT_OVER:
                self._store.drop(graph)

    def _drop_quietly(self, graph: str) -> None:
        """Drop a graph of which nobody knows; where that fails, it is dropped as left over."""
        try:
            self._store.drop(graph)
        except GraphStoreError as error:
            _log.warning("a graph could not be dropped: %s", error, extra={"graph": graph})
