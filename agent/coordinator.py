"""The state machine of one question: plan, retrieve, analyse, present."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypedDict, assert_never
from zoneinfo import ZoneInfo

from langgraph.graph import END, START, StateGraph

from agent.answer import Answer, Answered, Choice, Declined, DeclineReason, NeedsClarification
from agent.chart_plan import planned_chart
from agent.clarification import Chosen, choice_in
from agent.code_agent import CodeAgent, Drawn
from agent.evidence import answer_tables, evidence_of
from agent.number_guard import unsupported_numbers
from agent.plan import Plan, Retrieve
from agent.planner import with_choice
from agent.presenter import present
from agent.question_reading import QuestionReading
from agent.retriever import Outcome, Retriever
from agent.run_context import ContextOf, RunContext
from agent.session import Pending, Question, Session, Turn
from retrieval.data_service import DataService
from retrieval.errors import CompiledQueryRejected, ScopeTooLarge
from retrieval.outcome import NoData, Retrieval, Retrieved
from retrieval.understanding import NotUnderstood, Unclear, Why
from sandbox.errors import SandboxUnavailable

_log = logging.getLogger(__name__)

_REASONS = {
    Why.UNKNOWN_ENTITY: DeclineReason.UNKNOWN_ENTITY,
    Why.UNKNOWN_METRIC: DeclineReason.UNKNOWN_METRIC,
    Why.NOT_UNDERSTOOD: DeclineReason.NOT_UNDERSTOOD,
    Why.OUT_OF_SCOPE: DeclineReason.OUT_OF_SCOPE,
    Why.TIME: DeclineReason.TIME,
}
_TURNS_KEPT = 20
_NOT_COVERED = (
    "I understood the words but cannot put them together into a query that the site's model"
    " admits. Please ask in smaller parts."
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


class _State(TypedDict):
    run: Run


class Coordinator:
    """Delegates every step and does none itself."""

    def __init__(
        self,
        data: DataService,
        retriever: Retriever,
        code_agent: Callable[[], CodeAgent],
        zone: ZoneInfo,
        reading: QuestionReading,
        context: ContextOf,
    ) -> None:
        """``code_agent`` is called when a chart is first wanted."""
        self._data = data
        self._reading = reading
        self._context = context
        self._retriever = retriever
        self._code_agent = code_agent
        self._zone = zone
        self._graph = self._compiled()

    def work_on(
        self, question: Question, session: Session, note: Callable[[str], None]
    ) -> tuple[Answer, Session]:
        """The answer to ``question`` and the session that replaces ``session``."""
        turn = self._turn_of(question, session)
        run = Run(self._context(question, note), turn, session.turns)
        state: dict[str, Any] = self._graph.invoke({"run": run})
        done: Run = state["run"]
        assert done.answer is not None
        return replace(done.answer, cost=done.context.budget.cost), _session_after(session, done)

    def _turn_of(self, question: Question, session: Session) -> Turn:
        """The turn that ``question`` opens, or the waiting one with the choice made in it."""
        pending = session.pending
        if pending is not None:
            asked = pending.turn.question
            chosen = choice_in(question.text, pending.choices, asked)
            if chosen is None and pending.free and self._data.is_time(question.text):
                chosen = Chosen(question.text)
            if chosen is not None:
                return with_choice(pending.turn, pending.about, chosen)
        return Turn(question.text, question.asked_at)

    def _compiled(self) -> Any:
        graph = StateGraph(_State)
        graph.add_node("plan", lambda state: {"run": self._plan(state["run"])})
        graph.add_node("retrieve", lambda state: {"run": self._retrieve(state["run"])})
        graph.add_node("analyse", lambda state: {"run": self._analyse(state["run"])})
        graph.add_node("present", lambda state: {"run": self._present(state["run"])})
        graph.add_edge(START, "plan")
        graph.add_conditional_edges("plan", _after_plan, ["retrieve", END])
        graph.add_conditional_edges("retrieve", _after_retrieve, ["analyse", "present", END])
        graph.add_edge("analyse", "present")
        graph.add_edge("present", END)
        return graph.compile()

    def _plan(self, run: Run) -> Run:
        run.context.note("reading the question")
        turn, plan = self._reading.read(run.turn, run.earlier, run.context)
        run = replace(run, turn=turn)
        match plan:
            case Plan():
                return replace(run, plan=plan)
            case Unclear() | NotUnderstood():
                return _told(run, plan)
            case _:
                assert_never(plan)

    def _retrieve(self, run: Run) -> Run:
        plan = run.plan
        assert plan is not None
        results: tuple[Outcome, ...] = ()
        try:
            for step in plan.steps:
                if isinstance(step, Retrieve):
                    results += self._retriever.retrieve(
                        step, plan, run.context.folder, run.context.note
                    )
        except ScopeTooLarge as error:
            return replace(run, answer=Declined(DeclineReason.TOO_MUCH, _too_much(error)))
        except CompiledQueryRejected as error:
            extra = {"action": "compiled-query-rejected", "trace": run.context.question.trace_id}
            _log.error("The compiler wrote a query that does not conform: %s", error, extra=extra)
            return replace(run, answer=Declined(DeclineReason.NOT_UNDERSTOOD, _NOT_COVERED))
        stopped = next((r for r in results if isinstance(r, NotUnderstood | Unclear)), None)
        if stopped is not None:
            return _told(run, stopped)
        missing = next((r for r in results if isinstance(r, NoData)), None)
        if missing is not None:
            done = tuple(r for r in results if isinstance(r, Retrieved | NoData))
            evidence = evidence_of(done, _notes(plan), self._zone, None)
            answer = Declined(DeclineReason.NO_DATA, missing.text, evidence)
            return replace(run, results=done, answer=answer)
        done = tuple(r for r in results if isinstance(r, Retrieved | NoData))
        return replace(run, results=done)

    def _analyse(self, run: Run) -> Run:
        assert run.plan is not None
        assert run.plan.chart is not None
        found = [r for r in run.results if isinstance(r, Retrieved)]
        chart = planned_chart(run.plan.chart, found, str(self._zone))
        if chart is None:
            return replace(run, drawn=Drawn("", problem="there is nothing to draw"))
        run.context.note("drawing the chart")
        try:
            drawn = self._code_agent().draw(chart, run.context.folder, run.context.question.user)
        except SandboxUnavailable as error:
            # The numbers do not depend on the picture.
            _log.error("No sandbox for a chart: %s", error, extra={"action": "no-sandbox"})
            drawn = Drawn("", problem="this host has no sandbox to draw in (see odabot check)")
        return replace(run, drawn=drawn)

    def _present(self, run: Run) -> Run:
        assert run.plan is not None
        run.context.note("writing the answer")
        found = [r for r in run.results if isinstance(r, Retrieved)]
        notes = [*_notes(run.plan), *(note for r in found for note in r.notes)]
        if run.drawn is not None:
            notes += run.drawn.notes
            if run.drawn.problem:
                notes.append(f"The chart could not be drawn: {run.drawn.problem}.")
        text = present(found, notes, self._zone)
        asked = " ".join((run.turn.question, *(t.question for t in run.earlier)))
        strange = unsupported_numbers(text, found, asked, notes, self._zone)
        if strange:
            # Better the tables alone than a sentence with a number that nothing accounts for.
            extra = {
                "action": "number-guard",
                "numbers": strange,
                "trace": run.context.question.trace_id,
            }
            _log.error("The reply had numbers that stand in no result", extra=extra)
            text = "\n".join(("The result is in the table.", *(f"_{note}_" for note in notes)))
        artifact = run.drawn.artifact if run.drawn is not None else None
        answer = Answered(
            text,
            answer_tables(found),
            (artifact,) if artifact is not None else (),
            evidence_of(run.results, tuple(notes), self._zone, run.drawn),
        )
        return replace(run, answer=answer)


def _too_much(error: ScopeTooLarge) -> str:
    return f"That needs more data at once than I may load: {error}. Narrow the time or the nodes."


def _told(run: Run, outcome: Unclear | NotUnderstood) -> Run:
    """``run`` ended by a question back or by a refusal."""
    if isinstance(outcome, NotUnderstood):
        return replace(run, answer=Declined(_REASONS[outcome.why], outcome.text))
    choices = tuple(Choice(key, label) for key, label in outcome.choices)
    answer = NeedsClarification(outcome.question, choices)
    return replace(run, unclear=outcome, answer=answer)


def _after_plan(state: _State) -> str:
    return END if state["run"].answer is not None else "retrieve"


def _after_retrieve(state: _State) -> str:
    run = state["run"]
    if run.answer is not None:
        return END
    return "analyse" if run.plan is not None and run.plan.chart is not None else "present"


def _notes(plan: Plan) -> tuple[str, ...]:
    return tuple(n for step in plan.steps if isinstance(step, Retrieve) for n in step.notes)


def _session_after(session: Session, run: Run) -> Session:
    if run.unclear is not None:
        return replace(
            session,
            pending=Pending(run.turn, run.unclear.about, run.unclear.choices, run.unclear.free),
        )
    if isinstance(run.answer, Answered):
        turn = replace(run.turn, answer=run.answer.text)
        return Session((*session.turns, turn)[-_TURNS_KEPT:])
    return replace(session, pending=None)
