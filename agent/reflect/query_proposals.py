"""Has the Reflect Agent write a query that is told in words, for a person to confirm."""

from typing import Protocol
from zoneinfo import ZoneInfo

from agent.outline_text import outline_text
from agent.proposal import Proposal
from agent.reflect.input_validation import Validated
from agent.reflect.query_prompts import request_of
from agent.reflect.query_steps import Written
from agent.run_context import RunContext
from agent.tracing import Kind
from ontology.conformance import CheckedQuery, Rejection
from retrieval.written_outline import outline_of
from retrieval.written_request import WrittenRequest

_UNTOLD = "what it gives cannot be told in words"


class WritesQueries(Protocol):
    """The first two stages of a request."""

    def written(self, request: str, context: RunContext) -> tuple[Validated, Written] | None:
        """``request`` as it was read, and the query for it; None where it ends before that."""
        ...


class AdmitsQueries(Protocol):
    """The door for queries that somebody else wrote."""

    def admitted(self, request: WrittenRequest) -> CheckedQuery | Rejection:
        """The query, or what must be mended before it may run."""
        ...


class QueryProposals:
    """What cannot be said in words, a person cannot confirm: it is not proposed."""

    def __init__(self, writer: WritesQueries, door: AdmitsQueries, zone: ZoneInfo) -> None:
        self._writer = writer
        self._door = door
        self._zone = zone

    def proposed(self, question: str, context: RunContext) -> Proposal | None:
        """The query for ``question``; None where none is sure, or its meaning cannot be told.

        Raises ModelError, BudgetSpent or Stopped.
        """
        made = self._writer.written(question, context)
        if made is None:
            return None
        validated, written = made
        request = request_of(validated.grounded, written.query, written.confidence)
        with context.tracer.span(Kind.CHECK, "outline", {"query": written.query}) as span:
            text = self._told(request, validated.notes)
            span.tell(text, problem="" if text else _UNTOLD)
        return Proposal(request, text, validated.notes) if text else None

    def _told(self, request: WrittenRequest, notes: tuple[str, ...]) -> str:
        """What the query would give; empty where words do not tell all of it."""
        checked = self._door.admitted(request)
        outline = outline_of(checked, request) if isinstance(checked, CheckedQuery) else None
        return "" if outline is None else outline_text(outline, request, notes, self._zone)
