"""Sub-agent: a task and tables to a program that the model writes, and mends when it fails."""

import logging
import re
from dataclasses import dataclass, replace
from pathlib import Path

from agent.analysis_prompt import analysis_prompt, mending_prompt
from agent.analysis_run import RESULTS_NAME, Ran, problems_of, run_analysis
from agent.analysis_task import AnalysisTask
from agent.answer import AnswerTable, Artifact
from agent.asking_model import AskingModel
from agent.chart_writer import PICTURE_NAME
from agent.code_agent import TOO_MUCH, Drawn, free_name
from agent.code_execution import Executes, libraries_there
from agent.code_reply import Proposed, proposed_in
from agent.errors import BudgetSpent, ModelError, ModelReplyUnusable
from agent.language_model import LanguageModel, Prompt
from agent.result_table import read_results, results_table
from agent.run_context import RunContext
from agent.tracing import Kind

_log = logging.getLogger(__name__)
_RESULTS_TITLE = "computed by a program that the language model wrote"
_NO_PROGRAM = "the language model wrote no program that can be run"
_NO_GOOD = "what the language model's program made did not pass the checks"
_ERROR = re.compile(r"(?:[a-z_]+\.)*([A-Z][A-Za-z]{2,30}(?:Error|Exception|Warning))(?::|$)")
_WHOSE = (
    "What the language model's program drew or computed was checked to come from the tables above;"
    " nobody has read the program, which is in the evidence."
)


@dataclass(frozen=True, slots=True)
class DeepCodeAgent:
    """Has programs written for what no program of ours does."""

    model: LanguageModel
    attempts: int = 3
    """So many programs are asked for, for one task."""

    def work_on(self, task: AnalysisTask, execution: Executes, context: RunContext) -> Drawn:
        """The picture and the results of ``task``, or what was wrong with the last program.

        Raises SandboxUnavailable and Stopped.
        """
        with context.tracer.span(Kind.AGENT, "code agent", task.words) as span:
            drawn = self._worked_on(task, execution, context)
            span.tell(_made(drawn), problem=drawn.problem)
        if drawn.problem:
            extra = {"action": "analysis-failed", "trace": context.question.trace_id}
            _log.warning("No program did what was asked: %s", drawn.problem, extra=extra)
        return drawn

    def _worked_on(self, task: AnalysisTask, execution: Executes, context: RunContext) -> Drawn:
        asked = turn = analysis_prompt(task, libraries_there(execution))
        model = context.asking(self.model, "code")
        drawn = Drawn("", problem="no program was asked for")
        tried: dict[str, tuple[Drawn, tuple[str, ...]]] = {}
        for attempt in range(self.attempts):
            context.note("mending the program" if attempt else "writing a program")
            try:
                reply = _reply(model, turn)
            except (ModelError, BudgetSpent) as error:
                return replace(drawn, problem=str(error))
            proposed = proposed_in(reply, [table.path.name for table in task.tables])
            is_known = bool(proposed.code) and proposed.code in tried
            if not is_known:
                tried[proposed.code] = self._tried(proposed, task, execution, context)
            drawn, problems = tried[proposed.code]
            if not problems:
                return drawn
            turn = mending_prompt(asked, proposed.code, problems)
            if is_known:
                # A model that says the same again says something else where its examples turn.
                turn = replace(turn, examples=turn.examples[::-1])
        return drawn

    def _tried(
        self, proposed: Proposed, task: AnalysisTask, execution: Executes, context: RunContext
    ) -> tuple[Drawn, tuple[str, ...]]:
        """What came of a program, and all that is wrong with it."""
        with context.tracer.span(Kind.CHECK, "program") as span:
            span.tell(proposed.code, problem="; ".join(proposed.problems))
        if proposed.problems:
            return Drawn(proposed.code, problem=_NO_PROGRAM), proposed.problems
        context.budget.require_going_on()
        context.note("running the program")
        with context.tracer.span(Kind.TOOL, "execute", proposed.code) as span:
            ran = run_analysis(proposed.code, task, execution)
            names = [file.name for file in ran.result.outputs]
            span.tell(
                {"status": ran.result.status.value, "files": names}, problem=_all(ran.failures)
            )
        if ran.failures:
            return Drawn(proposed.code, problem=_of_failure(ran)), ran.failures
        with context.tracer.span(Kind.CHECK, "picture and results", names) as span:
            problems = problems_of(ran, task, execution, context.folder)
            span.tell(not problems, problem=_all(problems))
        if problems:
            return Drawn(proposed.code, problem=_NO_GOOD), problems
        return _kept(proposed.code, ran, task, context.folder), ()


def _reply(model: AskingModel, turn: Prompt) -> str:
    """What the model writes; empty where that is of no use, such as a text without an end."""
    try:
        return model.write(turn)
    except ModelReplyUnusable:
        return ""


def _kept(code: str, ran: Ran, task: AnalysisTask, folder: Path) -> Drawn:
    """The files that a program made, in the folder of the answer."""
    artifact: Artifact | None = None
    tables: tuple[AnswerTable, ...] = ()
    picture, results = ran.made(PICTURE_NAME), ran.made(RESULTS_NAME)
    if picture:
        path = free_name(folder, PICTURE_NAME)
        path.write_bytes(picture)
        artifact = Artifact(path, "image/png", task.words)
    if results:
        path = free_name(folder, RESULTS_NAME)
        path.write_bytes(results)
        tables = (results_table(read_results(results), _RESULTS_TITLE, path),)
    return Drawn(code, artifact, (_WHOSE,), tables=tables)


def _of_failure(ran: Ran) -> str:
    """How a program failed, in our words: what it says itself may be anything."""
    if ran.result.status in TOO_MUCH:
        return TOO_MUCH[ran.result.status]
    error = _ERROR.match(ran.failures[-1].splitlines()[-1])
    return f"the language model's program failed{f' with {error.group(1)}' if error else ''}"


def _made(drawn: Drawn) -> list[str]:
    artifacts = [drawn.artifact.path.name] if drawn.artifact is not None else []
    return artifacts + [table.csv.name for table in drawn.tables]


def _all(problems: tuple[str, ...]) -> str:
    return "; ".join(problems)
