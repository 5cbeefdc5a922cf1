"""The port to a store that holds graphs and answers checked queries over one of them."""

from collections.abc import Iterable
from typing import Protocol

from ontology.conformance import CheckedQuery
from retrieval.query_result import QueryResult


class GraphStore(Protocol):
    """Named graphs, each one virtual knowledge graph; safe to use from several threads."""

    def names(self) -> tuple[str, ...]:
        """IRIs of the graphs in the store."""

    def load(self, graph: str, triples: Iterable[bytes]) -> None:
        """Replaces ``graph`` by chunks of N-Triples, each of whole lines.

        Raises GraphBuildError for what is no N-Triples, GraphStoreError where the store fails.
        """

    def select(self, graph: str, query: CheckedQuery, seconds: float) -> QueryResult:
        """The result of ``query`` over ``graph`` alone.

        Raises QueryTimedOut after ``seconds``, GraphStoreError where the store fails.
        """

    def drop(self, graph: str) -> None:
        """Removes ``graph``; does nothing where there is none."""

    def size(self, graph: str) -> int:
        """How many triples ``graph`` has; 0 where there is none."""

    def has(self, graph: str) -> bool:
        """Whether ``graph`` has any triple."""

    def read(self, graph: str) -> bytes:
        """All of ``graph`` as N-Triples; nothing where there is none."""

    def restate(self, graph: str, subject: str, triples: bytes, *, known: bool = False) -> None:
        """Replaces what ``graph`` says of ``subject`` by N-Triples about it, in one step.

        With ``known``, only where it says anything. Without triples, it says nothing afterwards.
        """
