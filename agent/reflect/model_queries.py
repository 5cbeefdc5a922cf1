"""Stages 2 and 3 by the model: a query is written, checked, reviewed, repaired, and then run."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from zoneinfo import ZoneInfo

from agent.answer import Answer, Answered, Declined, DeclineReason
from agent.asking_model import AskingModel
from agent.errors import ModelReplyUnusable
from agent.evidence import answer_tables, evidence_of
from agent.guarded_text import guarded_text
from agent.language_model import LanguageModel
from agent.reflect.grounded import Grounded
from agent.reflect.query_prompts import mending_prompt, request_of, shown, told, writing_prompt
from agent.reflect.query_repair import repaired
from agent.reflect.query_reply import query_in
from agent.reflect.query_review import Review, reviewed
from agent.reflect.query_steps import Written
from agent.run_context import RunContext
from agent.symbolic_retrieval import INLINE_ROWS
from agent.traced_data import TracedData
from agent.tracing import Kind
from ontology.conformance import CheckedQuery
from retrieval.curated_pairs import CuratedPair
from retrieval.data_service import DataService
from retrieval.errors import EmbeddingUnavailable, QueryTimedOut, RequestRefused, ScopeTooLarge
from retrieval.outcome import NoData, Retrieved

_log = logging.getLogger(__name__)
_NOT_WRITTEN = (
    "I could not write a query that asks for this and for nothing else. Please ask in smaller or"
    " plainer parts."
)
_NOT_SURE = (
    "I wrote a query for this, but I am not sure that it gives all that you ask for{why}. Please"
    " ask in smaller or plainer parts."
)
_NOT_RUN = "The queries that I wrote for this could not be run: {why}."
_NOTHING, _NO_QUERY = "...", "- that is no query, or it has no end"
_CAN_BE_MENDED = (ScopeTooLarge, QueryTimedOut, RequestRefused)
"""What another query may not run into; where lake or store are gone, none helps."""


class FindsPairs(Protocol):
    """Gives examples."""

    def nearest(self, question: str, count: int) -> tuple[CuratedPair, ...]:
        """The curated pairs whose questions are most like ``question``, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Bounds:
    """How often each loop may go round, and when a query is sure enough to be run."""

    attempts: int = 3
    repairs: int = 2
    runs: int = 2
    examples: int = 2
    confident_at: float = 0.9


class ModelQueries:
    """What the model writes is a proposal: gate, door, rules and review decide."""

    def __init__(
        self,
        model: LanguageModel,
        data: DataService,
        pairs: FindsPairs,
        zone: ZoneInfo,
        bounds: Bounds | None = None,
    ) -> None:
        self._model = model
        self._data = data
        self._pairs = pairs
        self._zone = zone
        self._bounds = bounds or Bounds()

    def write(self, grounded: Grounded, context: RunContext) -> Written | Declined:
        """The query for ``grounded``; raises ModelError, BudgetSpent or Stopped."""
        return self._written(grounded, context, "", "")

    def run(
        self, grounded: Grounded, written: Written, notes: Sequence[str], context: RunContext
    ) -> Answer:
        """The finding of ``written``; where it cannot be run, of another one that is written.

        Raises RetrievalError where lake or store cannot be read.
        """
        data = TracedData(self._data, context.tracer, context.budget)
        problem = ""
        for number in range(self._bounds.runs):
            if number:
                context.note("writing another query")
                again = self._written(grounded, context, written.query, problem)
                if isinstance(again, Declined):
                    return again
                written = again
            request = request_of(grounded, written.query, written.confidence)
            try:
                outcome = data.run(request, context.folder)
            except _CAN_BE_MENDED as error:
                problem = str(error)
                continue
            assert isinstance(outcome, Retrieved | NoData)
            return self._answer(outcome, grounded, notes, context)
        return Declined(DeclineReason.TOO_MUCH, _NOT_RUN.format(why=problem))

    def _written(
        self, grounded: Grounded, context: RunContext, before: str, problem: str
    ) -> Written | Declined:
        """A query that is sure enough; ``before`` is one that could not be run, and why."""
        model = context.asking(self._model, "retrieval")
        checked = self._checked(model, grounded, before, problem)
        if checked is None:
            return Declined(DeclineReason.NOT_UNDERSTOOD, _NOT_WRITTEN)
        review = reviewed(model, checked, grounded)
        for _ in range(self._bounds.repairs):
            if review.confidence >= self._bounds.confident_at:
                break
            mended = repaired(model, checked, review, grounded, self._data)
            if mended is not None:
                checked, review = mended, reviewed(model, mended, grounded)
        if review.confidence < self._bounds.confident_at:
            return Declined(DeclineReason.NOT_UNDERSTOOD, _not_sure(review))
        return Written(shown(checked), review.confidence)

    def _checked(
        self, model: AskingModel, grounded: Grounded, before: str, problem: str
    ) -> CheckedQuery | None:
        """The first query that is let in; each that is not goes back with what is wrong."""
        first = writing_prompt(grounded, self._data.source.schema, self._examples(grounded))
        asked = mending_prompt(first, before, f"- {problem}", grounded) if problem else first
        for _ in range(self._bounds.attempts):
            try:
                text = query_in(model.write(asked))
            except ModelReplyUnusable as error:
                _log.info("A query is of no use: %s", error, extra={"action": "reply-unusable"})
                asked = mending_prompt(first, _NOTHING, _NO_QUERY, grounded)
                continue
            with model.tracer.span(Kind.CHECK, "gate", {"query": text}) as span:
                found = self._data.admitted(request_of(grounded, text))
                if isinstance(found, CheckedQuery):
                    span.tell("accepted")
                    return found
                span.tell("rejected", problem=told(found.violations))
            asked = mending_prompt(first, text, told(found.violations), grounded)
        return None

    def _examples(self, grounded: Grounded) -> tuple[CuratedPair, ...]:
        try:
            return self._pairs.nearest(grounded.request, self._bounds.examples)
        except EmbeddingUnavailable:
            return ()

    def _answer(
        self,
        outcome: Retrieved | NoData,
        grounded: Grounded,
        notes: Sequence[str],
        context: RunContext,
    ) -> Answer:
        if isinstance(outcome, NoData):
            evidence = evidence_of([outcome], tuple(notes), self._zone, None)
            return Declined(DeclineReason.NO_DATA, outcome.text, evidence)
        said = (*notes, *outcome.notes)
        text = guarded_text([outcome], said, grounded.request, self._zone, context)
        evidence = evidence_of([outcome], said, self._zone, None)
        return Answered(text, answer_tables([outcome], INLINE_ROWS), evidence=evidence)


def _not_sure(review: Review) -> str:
    why = f" ({'; '.join(review.known)})" if review.known else ""
    return _NOT_SURE.format(why=why)
