"""The state machine of a question whose every step the model decides: plan, dispatch, present."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from agent.answer import (
    Answer,
    Answered,
    AnswerTable,
    Declined,
    DeclineReason,
    Evidence,
)
from agent.answer_trace import told_of_answer
from agent.clarification import choice_in
from agent.deep.layers import Layers
from agent.deep.planning import refined, tasks_of
from agent.deep.sub_agent import Report, Task
from agent.deep.summary import summary_of
from agent.errors import AgentError
from agent.given_up import given_up
from agent.language_model import LanguageModel
from agent.run_context import ContextOf, RunContext
from agent.session import Pending, Question, Session, Turn
from agent.tracing import Kind

_log = logging.getLogger(__name__)

MOST_DISPATCHES = 8
"""Tasks handed to sub-agents for one question, those that failed included."""
MOST_ATTEMPTS = 3
"""How often one task is handed over, in other words each time."""
_TURNS_KEPT = 20
_REQUEST = "request:"
"""A question back is about the request that waits for it."""


@dataclass(frozen=True, slots=True)
class Run:
    """One question on its way; each step replaces it."""

    context: RunContext
    turn: Turn
    earlier: tuple[Turn, ...]
    skill: str = ""
    tasks: tuple[Task, ...] = ()
    """What is still to be done, in order."""
    attempts: int = 0
    """How often the first of them was handed over."""
    dispatched: Mapping[str, int] = field(default_factory=dict)
    """How many tasks each sub-agent was handed."""
    seen: frozenset[Task] = frozenset()
    reports: tuple[Report, ...] = ()
    resuming: tuple[str, str] | None = None
    """The request that waits, and the choice that was made."""
    waiting: Report | None = None
    answer: Answer | None = None


class _State(TypedDict):
    run: Run


_FOR_ALL_DATA = (
    "Here the language model takes every step of a question, which is only for those who may see"
    " all data."
)
"""What the tools of the model give cannot be held to a scope yet."""


class DeepCoordinator:
    """Delegates every step and does none itself; one allowance for all of them."""

    def __init__(
        self,
        model: LanguageModel,
        layers: Layers,
        skill: Callable[[str], str],
        context: ContextOf,
        *,
        is_time: Callable[[str], bool],
        guarded: bool = True,
    ) -> None:
        """``skill`` gives what is known of metrics like those of a question.

        ``is_time``: whether a text says nothing but a time, which settles a question back too.
        ``guarded``: whether the numbers of a summary must stand in a finding.
        """
        self._model = model
        self._layers = layers
        self._skill = skill
        self._context = context
        self._guarded = guarded
        self._is_time = is_time
        self._graph = self._compiled()

    def work_on(
        self, question: Question, session: Session, note: Callable[[str], None]
    ) -> tuple[Answer, Session]:
        """The answer to ``question`` and the session that replaces ``session``."""
        if not question.scope.is_whole:
            return Declined(DeclineReason.UNAVAILABLE, _FOR_ALL_DATA), session
        context = self._context(question, note)
        run = self._begun(context, question, session)
        with context.tracer.span(Kind.AGENT, "coordinator", question.text) as span:
            try:
                state: dict[str, Any] = self._graph.invoke({"run": run})
                run = state["run"]
            except AgentError as error:
                _log.warning("A question is given up: %s", error, extra={"action": "given-up"})
                run = replace(run, answer=given_up(error))
            answer = run.answer
            assert answer is not None
            span.tell(told_of_answer(answer), usage=context.budget.cost.total)
        return replace(answer, cost=context.budget.cost), _session_after(session, run)

    def _begun(self, context: RunContext, question: Question, session: Session) -> Run:
        """A new run, or the one that waited for a choice which ``question`` makes."""
        pending = session.pending
        if pending is not None and pending.about.startswith(_REQUEST):
            chosen = choice_in(question.text, pending.choices, pending.turn.question)
            choice = chosen.id if chosen is not None else ""
            if not choice and self._is_time(question.text):
                choice = question.text
            if choice:
                tasks = tuple(Task(*task) for task in pending.tasks)
                resuming = (pending.about.removeprefix(_REQUEST), choice)
                return Run(context, pending.turn, session.turns, tasks=tasks, resuming=resuming)
        return Run(context, Turn(question.text, question.asked_at), session.turns)

    def _compiled(self) -> Any:
        graph = StateGraph(_State)
        graph.add_node("plan", lambda state: {"run": self._plan(state["run"])})
        graph.add_node("dispatch", lambda state: {"run": self._dispatch(state["run"])})
        graph.add_node("present", lambda state: {"run": self._present(state["run"])})
        graph.add_edge(START, "plan")
        graph.add_edge("plan", "dispatch")
        graph.add_conditional_edges("dispatch", _after_dispatch, ["dispatch", "present", END])
        graph.add_edge("present", END)
        return graph.compile()

    def _plan(self, run: Run) -> Run:
        run = replace(run, skill=self._skill(run.turn.question))
        if run.tasks:
            return run
        run.context.note("planning the steps")
        question = replace(run.context.question, text=run.turn.question)
        model = run.context.asking(self._model, "coordinator")
        return replace(run, tasks=tasks_of(question, run.earlier, self._layers, run.skill, model))

    def _dispatch(self, run: Run) -> Run:
        """Hand over the first task; what fails is put into other words a few times."""
        run.context.budget.require_going_on()
        task = run.tasks[0]
        if sum(run.dispatched.values()) >= MOST_DISPATCHES:
            return _ended(run, task, Report(problem="the question takes too many steps"))
        run.context.note(f"{task.agent}: {task.words}"[:120])
        report = self._worked(run, task)
        counted = {**run.dispatched, task.agent: run.dispatched.get(task.agent, 0) + 1}
        run = replace(run, dispatched=counted, seen=run.seen | {task}, resuming=None)
        if report.back is not None:
            return replace(run, waiting=report, answer=report.back)
        if not report.problem:
            return replace(run, tasks=run.tasks[1:], attempts=0, reports=(*run.reports, report))
        run.context.budget.count_retry()
        again = self._again(run, task, report)
        if again is None:
            return _ended(run, task, report)
        return replace(run, tasks=(again, *run.tasks[1:]), attempts=run.attempts + 1)

    def _worked(self, run: Run, task: Task) -> Report:
        agent = self._layers.agents[task.agent]
        given = {"task": task.words, "attempt": run.attempts + 1}
        with run.context.tracer.span(Kind.AGENT, task.agent, given) as span:
            if run.resuming is not None:
                report = agent.resume(*run.resuming, run.context)
            else:
                report = agent.work(task.words, _tables(run), run.context)
            span.tell(report.text, problem=report.error or report.problem)
        return report

    def _again(self, run: Run, task: Task, report: Report) -> Task | None:
        if report.refused is not None or run.attempts + 1 >= MOST_ATTEMPTS:
            return None
        model = run.context.asking(self._model, "coordinator")
        again = refined(task, report.error or report.problem, run.skill, model)
        return None if again is None or again in run.seen else again

    def _present(self, run: Run) -> Run:
        run.context.note("writing the answer")
        model = run.context.asking(self._model, "coordinator")
        text = summary_of(run.turn.question, run.reports, model, self._guarded)
        notes = tuple(dict.fromkeys(n for report in run.reports for n in report.notes))
        found = [report.found for report in run.reports if report.found is not None]
        answer = Answered(
            "\n".join((text, *(f"_{note}_" for note in notes))),
            _tables(run),
            tuple(a for report in run.reports for a in report.artifacts),
            _evidence([one.evidence for one in found], run.reports, notes),
        )
        return replace(run, answer=answer)


def _ended(run: Run, task: Task, report: Report) -> Run:
    """``run`` after a task that cannot be done: what was found before it is still told."""
    if task.agent == "code" and run.reports:
        note = f"The analysis could not be done: {report.problem}."
        return replace(run, tasks=(), reports=(*run.reports, Report(notes=(note,))))
    refused = report.refused or Declined(DeclineReason.NOT_UNDERSTOOD, _not_retrieved(report))
    return replace(run, tasks=(), answer=refused)


def _not_retrieved(report: Report) -> str:
    return f"I could not retrieve what this needs: {report.problem or report.text}"


def _after_dispatch(state: _State) -> str:
    run = state["run"]
    if run.answer is not None:
        return END
    return "dispatch" if run.tasks else "present"


def _tables(run: Run) -> tuple[AnswerTable, ...]:
    return tuple(t for r in run.reports if r.found is not None for t in r.found.tables)


def _evidence(
    found: list[Evidence], reports: tuple[Report, ...], notes: tuple[str, ...]
) -> Evidence:
    """What all reports rest on, as one."""
    first = found[0] if found else Evidence()
    return replace(
        first,
        time_ranges=tuple(dict.fromkeys(t for one in found for t in one.time_ranges)),
        metrics=tuple(dict.fromkeys(m for one in found for m in one.metrics)),
        entities=tuple(dict.fromkeys(e for one in found for e in one.entities)),
        queries=tuple(dict.fromkeys(q for one in found for q in one.queries)),
        notes=tuple(dict.fromkeys((*(n for one in found for n in one.notes), *notes))),
        code=tuple(program for report in reports for program in report.code),
        certified=first.certified if len(found) == 1 else None,
    )


def _session_after(session: Session, run: Run) -> Session:
    if run.waiting is not None and run.waiting.back is not None:
        back = run.waiting.back
        choices = tuple((choice.id, choice.label) for choice in back.choices)
        waits = tuple((task.agent, task.words) for task in run.tasks)
        about = f"{_REQUEST}{run.waiting.request_id}"
        return replace(session, pending=Pending(run.turn, about, choices, tasks=waits))
    if isinstance(run.answer, Answered):
        turn = replace(run.turn, answer=run.answer.text)
        return Session((*session.turns, turn)[-_TURNS_KEPT:])
    return replace(session, pending=None)
