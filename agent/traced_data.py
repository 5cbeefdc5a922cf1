"""The door to the data for one question: traced query by query, and shut once it is stopped."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from agent.answer_trace import told_of_outcome, told_of_request
from agent.budget import Budget
from agent.tracing import Kind, Tracer
from agent.waiting import unless_stopped
from retrieval.data_request import DataRequest
from retrieval.outcome import Retrieval, Retrieved
from retrieval.query_result import QueryResult
from retrieval.query_watch import UNWATCHED, Done, QueryWatch
from retrieval.understanding import NotUnderstood, Unclear


class AnswersRequests(Protocol):
    """Requests in, tables out."""

    def run(
        self, request: DataRequest, folder: Path, watch: QueryWatch = UNWATCHED
    ) -> Retrieval | Unclear | NotUnderstood:
        """Answer ``request``; tables are written below ``folder``."""
        ...

    def side_by_side(self, results: Sequence[Retrieved], folder: Path) -> Retrieved:
        """The first tables of ``results`` as one table."""
        ...


@dataclass(frozen=True, slots=True)
class TracedQueries:
    """Each query becomes a step below the one that is open."""

    tracer: Tracer
    budget: Budget

    @contextmanager
    def running(self, query: str) -> Iterator[Done]:
        """A step around a query: how it ran and how many rows it gave; raises Stopped."""
        self.budget.require_going_on()
        with self.tracer.span(Kind.TOOL, "query", {"sparql": query}) as span:

            def done(result: QueryResult) -> None:
                told = {
                    "how": result.how,
                    "rows": result.frame.height,
                    "columns": result.frame.columns,
                    "reason": result.reason,
                    "graph_age": result.graph_age,
                }
                span.tell({name: value for name, value in told.items() if value not in (None, "")})

            yield done

    def rejected(self, query: str, violations: str) -> None:
        """A check that the query did not pass."""
        with self.tracer.span(Kind.CHECK, "gate", {"sparql": query}) as span:
            span.tell(problem=violations)


@dataclass(frozen=True, slots=True)
class TracedData:
    """Answers as ``data`` does; each request is a step with its queries below it."""

    data: AnswersRequests
    tracer: Tracer
    budget: Budget

    def run(
        self, request: DataRequest, folder: Path, watch: QueryWatch = UNWATCHED
    ) -> Retrieval | Unclear | NotUnderstood:
        """Answer ``request``; tables are written below ``folder``.

        Raises Stopped at once where the question is stopped meanwhile; no further query begins.
        """
        watch = TracedQueries(self.tracer, self.budget)
        with self.tracer.span(Kind.TOOL, "request", told_of_request(request)) as span:
            outcome = unless_stopped(lambda: self.data.run(request, folder, watch), self.budget)
            span.tell(told_of_outcome(outcome))
        return outcome

    def side_by_side(self, results: Sequence[Retrieved], folder: Path) -> Retrieved:
        """The first tables of ``results`` as one table."""
        return self.data.side_by_side(results, folder)
