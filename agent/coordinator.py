"""The state machine of one question: plan, retrieve, analyse, present."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypedDict
from zoneinfo import ZoneInfo

from langgraph.graph import END, START, StateGraph

from agent.answer import Answer
from agent.answer_trace import told_of_answer
from agent.chart_plan import PlannedChart, planned_chart
from agent.code_agent import CodeAgent, Drawn
from agent.question_steps import QuestionSteps, Run, session_after
from agent.run_context import ContextOf, RunContext
from agent.session import Question, Session
from agent.tracing import Kind
from retrieval.outcome import Retrieved
from sandbox.errors import SandboxUnavailable

_log = logging.getLogger(__name__)


class _State(TypedDict):
    run: Run


class Coordinator:
    """Delegates every step and does none itself."""

    def __init__(
        self,
        steps: QuestionSteps,
        code_agent: Callable[[], CodeAgent],
        zone: ZoneInfo,
        context: ContextOf,
    ) -> None:
        """``code_agent`` is called when a chart is first wanted."""
        self._steps = steps
        self._code_agent = code_agent
        self._zone = zone
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
            run = Run(context, turn, session.turns)
            state: dict[str, Any] = self._graph.invoke({"run": run})
            done: Run = state["run"]
            assert done.answer is not None
            span.tell(told_of_answer(done.answer))
        return replace(done.answer, cost=context.budget.cost), session_after(session, done)

    def _compiled(self) -> Any:
        graph = StateGraph(_State)
        graph.add_node("plan", lambda state: {"run": self._steps.plan(state["run"])})
        graph.add_node("retrieve", lambda state: {"run": self._steps.retrieve(state["run"])})
        graph.add_node("analyse", lambda state: {"run": self._analyse(state["run"])})
        graph.add_node("present", lambda state: {"run": self._steps.present(state["run"])})
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
        chart = planned_chart(run.plan.chart, found, str(self._zone))
        if chart is None:
            return replace(run, drawn=Drawn("", problem="there is nothing to draw"))
        run.context.note("drawing the chart")
        task = {"draw": chart.spec.kind, "title": chart.spec.title}
        with run.context.tracer.span(Kind.AGENT, "code agent", task) as span:
            drawn = self._drawn(chart, run.context)
            picture = drawn.artifact.path.name if drawn.artifact else ""
            span.tell({"picture": picture, "notes": drawn.notes}, problem=drawn.problem)
        return replace(run, drawn=drawn)

    def _drawn(self, chart: PlannedChart, context: RunContext) -> Drawn:
        user = context.question.user
        try:
            return self._code_agent().draw(chart, context.folder, user, context.tracer)
        except SandboxUnavailable as error:
            # The numbers do not depend on the picture.
            _log.error("No sandbox for a chart: %s", error, extra={"action": "no-sandbox"})
            return Drawn("", problem="this host has no sandbox to draw in (see odabot check)")


def _after_plan(state: _State) -> str:
    return END if state["run"].answer is not None else "retrieve"


def _after_retrieve(state: _State) -> str:
    run = state["run"]
    if run.answer is not None:
        return END
    return "analyse" if run.plan is not None and run.plan.chart is not None else "present"
