"""The steps of a question that need no sandbox: read it, retrieve, put the finding into words."""

import logging
from dataclasses import dataclass, replace
from typing import assert_never
from zoneinfo import ZoneInfo

from agent.answer import Answer, Answered, Declined, DeclineReason
from agent.answer_trace import told_of_outcome
from agent.clarification import Chosen, choice_in
from agent.code_agent import Drawn
from agent.evidence import PREVIEW_ROWS, answer_tables, evidence_of
from agent.guarded_text import guarded_text
from agent.plan import Plan, Retrieve
from agent.planner import with_choice
from agent.question_reading import QuestionReading
from agent.retriever import Outcome, Retriever
from agent.run_context import RunContext
from agent.session import Pending, Question, Session, Turn
from agent.stopped_reading import answer_to
from agent.tracing import Kind
from retrieval.data_scope import DataScope
from retrieval.data_service import DataService
from retrieval.errors import CompiledQueryRejected, ScopeTooLarge, WrittenQueryRejected
from retrieval.outcome import NoData, Retrieval, Retrieved
from retrieval.understanding import NotUnderstood, Unclear, Why

_log = logging.getLogger(__name__)

_TURNS_KEPT = 20
_NOT_COVERED = (
    "I understood the words but cannot put them together into a query that the site's model"
    " admits. Please ask in smaller parts."
)

_NO_LONGER = "That query may not be run any more. Please ask the question again."

_NOT_COMPUTED = (
    "The data are there, but no program for '{words}' came out right: {why}. Ask for the data"
    " themselves, or for another chart of them."
)


@dataclass(frozen=True, slots=True)
class Run:
    """One question on its way to an answer; each step replaces it."""

    context: RunContext
    turn: Turn
    earlier: tuple[Turn, ...]
    plan: Plan | None = None
    results: tuple[Retrieval, ...] = ()
    drawn: Drawn | None = None
    unclear: Unclear | None = None
    answer: Answer | None = None


class QuestionSteps:
    """By rules first; each step takes a run and gives the one that replaces it."""

    def __init__(
        self, data: DataService, retriever: Retriever, zone: ZoneInfo, reading: QuestionReading
    ) -> None:
        self._data = data
        self._retriever = retriever
        self._zone = zone
        self._reading = reading

    def turn_of(self, question: Question, session: Session) -> Turn:
        """The turn that ``question`` opens, or the waiting one with the choice made in it."""
        chosen = self.chosen(session.pending, question.text) if session.pending else None
        return chosen or Turn(question.text, question.asked_at, question.settled)

    def chosen(self, pending: Pending, text: str) -> Turn | None:
        """The waiting turn with the choice that ``text`` makes; None where it makes none."""
        made = choice_in(text, pending.choices, pending.turn.question)
        if made is not None and made.more and pending.turn.proposal is not None:
            # A query that a person said yes to can take nothing more.
            return None
        if made is None and pending.free and self._data.is_time(text):
            made = Chosen(text)
        return None if made is None else with_choice(pending.turn, pending.about, made)

    def plan(self, run: Run) -> Run:
        """What is to be retrieved, or the run ended by a question back or a refusal."""
        run.context.note("reading the question")
        scope = run.context.question.scope
        turn, plan = self._reading_for(scope).read(run.turn, run.earlier, run.context)
        run = replace(run, turn=turn)
        match plan:
            case Plan():
                return replace(run, plan=plan.noting(*_limits(scope)))
            case NotUnderstood():
                text = " ".join((plan.text, *_limits(scope)))
                return _told(run, replace(plan, text=text))
            case Unclear():
                return _told(run, plan)
            case _:
                assert_never(plan)

    def retrieve(self, run: Run) -> Run:
        """The results of the plan, or the run ended by why there are none.

        Raises RetrievalError where lake or store cannot be read.
        """
        plan = run.plan
        assert plan is not None
        try:
            results = self._results(plan, run.context)
        except ScopeTooLarge as error:
            return replace(run, answer=Declined(DeclineReason.TOO_MUCH, _too_much(error)))
        except CompiledQueryRejected as error:
            extra = {"action": "compiled-query-rejected", "trace": run.context.question.trace_id}
            _log.error("The compiler wrote a query that does not conform: %s", error, extra=extra)
            refused = NotUnderstood(Why.NOT_UNDERSTOOD, _NOT_COVERED)
            reading = self._reading_for(run.context.question.scope)
            turn, told = reading.instead_of(refused, run.turn, run.context)
            return _told(replace(run, turn=turn), told)
        except WrittenQueryRejected as error:
            extra = {"action": "written-query-rejected", "trace": run.context.question.trace_id}
            _log.error("A confirmed query is no longer let in: %s", error, extra=extra)
            return replace(run, answer=Declined(DeclineReason.NOT_UNDERSTOOD, _NO_LONGER))
        stopped = next((r for r in results if isinstance(r, NotUnderstood | Unclear)), None)
        if stopped is not None:
            return _told(run, stopped)
        missing = next((r for r in results if isinstance(r, NoData)), None)
        if missing is not None:
            done = tuple(r for r in results if isinstance(r, Retrieved | NoData))
            evidence = evidence_of(done, _notes(plan), self._zone, None)
            text = " ".join((missing.text, *_limits(run.context.question.scope)))
            answer = Declined(DeclineReason.NO_DATA, text, evidence)
            return replace(run, results=done, answer=answer)
        done = tuple(r for r in results if isinstance(r, Retrieved | NoData))
        return replace(run, results=done)

    def _reading_for(self, scope: DataScope) -> QuestionReading:
        return self._reading if scope.is_whole else self._reading.over(self._data.within(scope))

    def _results(self, plan: Plan, context: RunContext) -> tuple[Outcome, ...]:
        data = self._data.within(context.question.scope)
        retriever = replace(self._retriever, data=data).of(context)
        results: tuple[Outcome, ...] = ()
        with context.tracer.span(Kind.AGENT, "retriever") as span:
            for step in plan.steps:
                if isinstance(step, Retrieve):
                    results += retriever.retrieve(step, plan, context.folder, context.note)
            span.tell([told_of_outcome(result) for result in results])
        return results

    def present(self, run: Run, rows: int = PREVIEW_ROWS) -> Run:
        """The finding in words that its tables account for, each with its first ``rows``."""
        assert run.plan is not None
        if run.drawn is not None and run.drawn.problem and run.drawn.asked_for:
            text = _NOT_COMPUTED.format(words=run.drawn.asked_for, why=run.drawn.problem)
            evidence = evidence_of(run.results, _notes(run.plan), self._zone, run.drawn)
            return replace(run, answer=Declined(DeclineReason.NOT_UNDERSTOOD, text, evidence))
        run.context.note("writing the answer")
        found = [r for r in run.results if isinstance(r, Retrieved)]
        notes = [*_notes(run.plan), *(note for r in found for note in r.notes)]
        if run.drawn is not None:
            notes += run.drawn.notes
            if run.drawn.problem:
                notes.append(f"The chart could not be drawn: {run.drawn.problem}.")
        asked = " ".join((run.turn.question, *(t.question for t in run.earlier)))
        text = guarded_text(found, notes, asked, self._zone, run.context)
        drawn = run.drawn or Drawn("")
        answer = Answered(
            text,
            (*answer_tables(found, rows), *drawn.tables),
            (drawn.artifact,) if drawn.artifact is not None else (),
            evidence_of(run.results, tuple(notes), self._zone, run.drawn),
        )
        return replace(run, answer=answer)


def _too_much(error: ScopeTooLarge) -> str:
    return f"That needs more data at once than I may load: {error}. Narrow the time or the nodes."


def _told(run: Run, outcome: Unclear | NotUnderstood) -> Run:
    """``run`` ended by a question back or by a refusal."""
    unclear = outcome if isinstance(outcome, Unclear) else None
    return replace(run, unclear=unclear, answer=answer_to(outcome))


def _limits(scope: DataScope) -> tuple[str, ...]:
    """That an answer is not of all data, where ``scope`` leaves some out."""
    return () if scope.is_whole else (f"This covers what you may see here: {scope.told}.",)


def _notes(plan: Plan) -> tuple[str, ...]:
    return tuple(n for step in plan.steps if isinstance(step, Retrieve) for n in step.notes)


def session_after(session: Session, run: Run) -> Session:
    """What is kept of a thread once ``run`` is done."""
    if run.unclear is not None:
        return replace(
            session,
            pending=Pending(run.turn, run.unclear.about, run.unclear.choices, run.unclear.free),
        )
    if isinstance(run.answer, Answered) and run.turn.proposal is not None:
        # Rules did not read the question: a follow-up would lean on a part of it alone.
        return Session()
    if isinstance(run.answer, Answered):
        turn = replace(run.turn, answer=run.answer.text)
        return Session((*session.turns, turn)[-_TURNS_KEPT:])
    return replace(session, pending=None)
