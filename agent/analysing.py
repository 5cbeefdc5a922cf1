"""The step that draws: by a program of ours, or by one that the model writes where ours do not."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agent.analysis_task import AnalysisTask, input_of
from agent.chart_choice import chart_words
from agent.chart_plan import planned_chart
from agent.code_agent import CodeAgent, Drawn
from agent.code_execution import InSandbox
from agent.deep_code_agent import DeepCodeAgent
from agent.free_charts import FreeWish, free_wish
from agent.plan import Analyse
from agent.run_context import RunContext
from agent.tracing import Kind
from retrieval.outcome import Retrieved
from sandbox.errors import SandboxUnavailable

_log = logging.getLogger(__name__)
_NO_SANDBOX = "this host has no sandbox to draw in (see odabot check)"


@dataclass(frozen=True, slots=True)
class Analysing:
    """Draws what was retrieved; the numbers of an answer never depend on it."""

    code_agent: Callable[[], CodeAgent]
    """Called when a chart is first wanted; raises SandboxUnavailable."""
    zone: str
    deep: DeepCodeAgent | None = None
    """Who has programs written; None where no model is configured."""

    def draw(
        self, step: Analyse, results: Sequence[Retrieved], question: str, context: RunContext
    ) -> Drawn:
        """The picture of ``results`` that ``step`` asks for; ``question`` has it in words."""
        try:
            agent = self.code_agent()
            wish = free_wish(step.words) if self.deep is not None else None
            if self.deep is None or wish is None:
                return self._by_ours(agent, step, results, context)
            task = _task(step, wish, results, question)
            budget = context.budget
            execution = InSandbox(
                agent.sandbox, agent.limits, context.question.user, lambda: budget.is_stopped
            )
            drawn = self.deep.work_on(task, execution, context)
            if wish.wants_numbers:
                drawn = replace(drawn, asked_for=wish.words)
            if not drawn.problem or not wish.stands_in:
                return drawn
            note = f"Instead of a {wish.words}: {drawn.problem}."
            plain = self._by_ours(agent, step, results, context)
            return replace(plain, notes=(note, *plain.notes))
        except SandboxUnavailable as error:
            _log.error("No sandbox for a chart: %s", error, extra={"action": "no-sandbox"})
            return Drawn("", problem=_NO_SANDBOX)

    def _by_ours(
        self, agent: CodeAgent, step: Analyse, results: Sequence[Retrieved], context: RunContext
    ) -> Drawn:
        chart = planned_chart(step, results, self.zone)
        if chart is None:
            return Drawn("", problem="there is nothing to draw")
        context.note("drawing the chart")
        task = {"draw": chart.spec.kind, "title": chart.spec.title}
        with context.tracer.span(Kind.AGENT, "code agent", task) as span:
            drawn = agent.draw(
                chart,
                context.folder,
                context.question.user,
                context.tracer,
                lambda: context.budget.is_stopped,
            )
            picture = drawn.artifact.path.name if drawn.artifact else ""
            span.tell({"picture": picture, "notes": drawn.notes}, problem=drawn.problem)
        return drawn


def _task(
    step: Analyse, wish: FreeWish, results: Sequence[Retrieved], question: str
) -> AnalysisTask:
    tables = tuple(input_of(t) for r in results for t in r.tables if t.row_count)
    # A follow-up keeps the chart of the question before it, whose words it does not repeat.
    words = question if free_wish(question) is not None else f"{step.words}: {question}"
    picture = wish.wants_picture or chart_words(question).wants_chart
    return AnalysisTask(words, tables, picture, wish.wants_numbers)
