"""The port to whoever watches queries run: each text, what the gate said, what came of it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from retrieval.query_result import QueryResult

Done = Callable[[QueryResult], None]


class QueryWatch(Protocol):
    """Told of each query of a request, in the thread that runs it."""

    def running(self, query: str) -> AbstractContextManager[Done]:
        """Around a checked query while it runs; what is yielded takes its result."""
        ...

    def rejected(self, query: str, violations: str) -> None:
        """A query that the gate does not let pass, and why."""
        ...


class Unwatched:
    """Nobody watches."""

    @contextmanager
    def running(self, query: str) -> Iterator[Done]:
        """Around a query that nobody is told of."""
        yield lambda result: None

    def rejected(self, query: str, violations: str) -> None:
        """Told to nobody."""


UNWATCHED = Unwatched()
