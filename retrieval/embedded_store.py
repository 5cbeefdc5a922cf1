"""A graph store within this process, over pyoxigraph."""

import threading
from collections.abc import Iterable
from queue import Empty, SimpleQueue

import pyoxigraph
from pyoxigraph import NamedNode

from ontology.conformance import CheckedQuery
from retrieval.analytic_functions import AGGREGATES, SCALARS
from retrieval.errors import GraphBuildError, GraphStoreError, QueryTimedOut
from retrieval.query_result import QueryResult
from retrieval.store_results import result_of
from retrieval.store_updates import restatement

_SIZE = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
_ABANDONED = 4
"""So many queries may still run after their time before further ones are refused."""


class EmbeddedStore:
    """Named graphs in memory; a query that is given up on goes on by itself until it ends."""

    def __init__(self) -> None:
        self._store = pyoxigraph.Store()
        self._lock = threading.Lock()
        self._abandoned = 0

    def names(self) -> tuple[str, ...]:
        """IRIs of the graphs in the store."""
        found = (
            graph.value for graph in self._store.named_graphs() if isinstance(graph, NamedNode)
        )
        return tuple(sorted(found))

    def load(self, graph: str, triples: Iterable[bytes]) -> None:
        """Replaces ``graph`` by chunks of N-Triples; a failed load leaves no graph."""
        self.drop(graph)
        name = NamedNode(graph)
        try:
            self._store.add_graph(name)
            for chunk in triples:
                self._store.bulk_load(
                    chunk, pyoxigraph.RdfFormat.N_TRIPLES, to_graph=name, lenient=True
                )
        except (SyntaxError, ValueError) as error:
            self.drop(graph)
            raise GraphBuildError(f"what was to become {graph} is no N-Triples: {error}") from error
        except OSError as error:
            self.drop(graph)
            raise GraphStoreError(f"{graph} could not be loaded: {error}") from error

    def select(self, graph: str, query: CheckedQuery, seconds: float) -> QueryResult:
        """The result of ``query`` over ``graph`` alone, or QueryTimedOut after ``seconds``."""
        if self._abandoned >= _ABANDONED:
            raise QueryTimedOut("too many queries are still running after their time")
        answers: SimpleQueue[QueryResult | Exception] = SimpleQueue()
        stopped, ended = threading.Event(), threading.Event()

        def work() -> None:
            try:
                answers.put(result_of(*self._solved(graph, query, stopped)))
            except (OSError, SyntaxError, ValueError, GraphStoreError) as error:
                # Without its frames: they hold solutions that only this thread may let go.
                answers.put(error.with_traceback(None))
            finally:
                with self._lock:
                    ended.set()
                    self._abandoned -= stopped.is_set()

        threading.Thread(target=work, name="graph query", daemon=True).start()
        try:
            answer = answers.get(timeout=seconds)
        except Empty:
            with self._lock:
                stopped.set()
                self._abandoned += not ended.is_set()
            raise QueryTimedOut(f"no result within {seconds:g} s") from None
        if isinstance(answer, GraphStoreError):
            raise answer
        if isinstance(answer, Exception):
            raise GraphStoreError(f"the store refused a checked query: {answer}") from answer
        return answer

    def drop(self, graph: str) -> None:
        """Removes ``graph``; does nothing where there is none."""
        self._store.remove_graph(NamedNode(graph))

    def size(self, graph: str) -> int:
        """How many triples ``graph`` has; 0 where there is none."""
        found = self._store.query(_SIZE, default_graph=NamedNode(graph), named_graphs=[])
        assert isinstance(found, pyoxigraph.QuerySolutions)
        return int(next(found)["n"].value)

    def has(self, graph: str) -> bool:
        """Whether ``graph`` has any triple."""
        quads = self._store.quads_for_pattern(None, None, None, NamedNode(graph))
        return next(quads, None) is not None

    def read(self, graph: str) -> bytes:
        """All of ``graph`` as N-Triples; nothing where there is none."""
        form = pyoxigraph.RdfFormat.N_TRIPLES
        written = self._store.dump(format=form, from_graph=NamedNode(graph))
        assert written is not None
        return written

    def restate(self, graph: str, subject: str, triples: bytes, *, known: bool = False) -> None:
        """Replaces what ``graph`` says of ``subject``; with ``known``, where it says anything."""
        try:
            self._store.update(restatement(graph, subject, triples, known=known))
        except (OSError, SyntaxError) as error:
            raise GraphStoreError(f"{graph} could not be changed: {error}") from error

    def _solved(
        self, graph: str, query: CheckedQuery, stopped: threading.Event
    ) -> tuple[list[str], list[list[object | None]]]:
        """Names and columns of terms; the store's own objects stay in this frame."""
        found = self._store.query(
            query.text,
            default_graph=NamedNode(graph),
            named_graphs=[],
            custom_functions=SCALARS,
            custom_aggregate_functions=AGGREGATES,
        )
        if isinstance(found, pyoxigraph.QueryBoolean):
            return ["ask"], [[_boolean(bool(found))]]
        if not isinstance(found, pyoxigraph.QuerySolutions):
            raise GraphStoreError("a checked query gave neither rows nor a truth value")
        names = [variable.value for variable in found.variables]
        columns: list[list[object | None]] = [[] for _ in names]
        for solution in found:
            if stopped.is_set():
                raise QueryTimedOut("given up")
            for column, term in zip(columns, solution, strict=True):
                column.append(term)
        return names, columns


def _boolean(value: bool) -> pyoxigraph.Literal:
    return pyoxigraph.Literal(value)
