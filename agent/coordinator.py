"""The state machine of one question: plan, retrieve, analyse, present."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from agent.analysing import Analysing
from agent.answer import Answer
from agent.answer_trace import told_of_answer
from agent.errors import Stopped
from agent.given_up import given_up
from agent.question_steps import QuestionSteps, Run, session_after
from agent.run_context import ContextOf
from agent.run_store import Stage
from agent.saved_stages import SavedRun, SavedStages
from agent.session import Question, Session
from agent.tracing import Kind
from retrieval.outcome import Retrieved


class _State(TypedDict):
    run: Run
    saved: SavedRun | None


class Coordinator:
    """Delegates every step and does none itself."""

    def __init__(
        self,
        steps: QuestionSteps,
        analysing: Analysing,
        context: ContextOf,
        saved: SavedStages | None = None,
    ) -> None:
        """With ``saved``, a question goes on where another worker left it."""
        self._saved = saved
        self._steps = steps
        self._analysing = analysing
        self._context = context
        self._graph = self._compiled()

    def work_on(
        self, question: Question, session: Session, note: Callable[[str], None]
    ) -> tuple[Answer, Session]:
        """The answer to ``question`` and the session that replaces ``session``."""
        turn = self._steps.turn_of(question, session)
        context = self._context(question, note)
        given = {"question": turn.question, "settled": turn.settled, "earlier": len(session.turns)}
        with context.tracer.span(Kind.AGENT, "coordinator", given) as span:
            done = Run(context, turn, session.turns)
            saved = self._saved.of(done) if self._saved is not None else None
            try:
                begun = done if saved is None else saved.resumed(done)
                state: dict[str, Any] = self._graph.invoke({"run": begun, "saved": saved})
                done = state["run"]
            except Stopped as stopped:
                done = replace(done, answer=given_up(stopped))
            if saved is not None:
                saved.forget()
            assert done.answer is not None
            span.tell(told_of_answer(done.answer))
        return replace(done.answer, cost=context.budget.cost), session_after(session, done)

    def _compiled(self) -> Any:
        graph = StateGraph(_State)
        graph.add_node("plan", _once(self._steps.plan, Stage.INPUT_VALIDATION, _is_planned))
        graph.add_node("retrieve", _once(self._steps.retrieve, Stage.EXECUTION, _is_retrieved))
        graph.add_node("analyse", _once(self._analyse, Stage.EXECUTION, _is_drawn))
        graph.add_node("present", _once(self._steps.present, Stage.EXECUTION, _is_answered))
        graph.add_edge(START, "plan")
        graph.add_conditional_edges("plan", _after_plan, ["retrieve", END])
        graph.add_conditional_edges("retrieve", _after_retrieve, ["analyse", "present", END])
        graph.add_edge("analyse", "present")
        graph.add_edge("present", END)
        return graph.compile()

    def _analyse(self, run: Run) -> Run:
        assert run.plan is not None
        assert run.plan.chart is not None
        found = [r for r in run.results if isinstance(r, Retrieved)]
        question = run.turn.question
        drawn = self._analysing.draw(run.plan.chart, found, question, run.context)
        return replace(run, drawn=drawn)


def _once(step: Callable[[Run], Run], stage: Stage, is_done: Callable[[Run], bool]) -> Any:
    """``step`` as a node of the graph, which a stopped question does not enter.

    What was done already is not done again; what is done is saved.
    """

    def taken(state: _State) -> _State:
        run, saved = state["run"], state["saved"]
        run.context.budget.require_going_on()
        if not is_done(run):
            run = step(run)
            if saved is not None:
                saved.keep(run, stage)
        return {"run": run, "saved": saved}

    return taken


def _is_planned(run: Run) -> bool:
    return run.plan is not None


def _is_retrieved(run: Run) -> bool:
    return bool(run.results)


def _is_drawn(run: Run) -> bool:
    return run.drawn is not None


def _is_answered(run: Run) -> bool:
    return run.answer is not None


def _after_plan(state: _State) -> str:
    return END if state["run"].answer is not None else "retrieve"


def _after_retrieve(state: _State) -> str:
    run = state["run"]
    if run.answer is not None:
        return END
    return "analyse" if run.plan is not None and run.plan.chart is not None else "present"
