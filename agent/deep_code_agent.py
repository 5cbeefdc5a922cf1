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
from agent.given_up import in_our_words
from agent.language_model import LanguageModel, Prompt
from agent.result_agreement import agreed, as_csv
from agent.result_table import read_results, results_table
from agent.run_context import RunContext
from agent.tracing import Kind

_log = logging.getLogger(__name__)
_RESULTS_TITLE = "computed by a program that the language model wrote"
_NO_PROGRAM = "the language model wrote no program that can be run"
_AGREED = "Its numbers are those in which a second program, written apart from it, agrees."
_NO_AGREEMENT = "two programs of the language model's do not agree in their numbers"
_NOT_CONFIRMED = "there is no second program that confirms its numbers"
_SECOND = "# The program that was written a second time, to confirm the numbers:"
_NO_GOOD = "what the language model's program made did not pass the checks"
_ERROR = re.compile(r"(?:[a-z_]+\.)*([A-Z][A-Za-z]{2,30}(?:Error|Exception|Warning))(?::|$)")
_WHOSE = (
    "What the language model's program drew or computed was checked to come from the tables above;"
    " nobody has read the program, which is in the evidence."
)


@dataclass(frozen=True, slots=True)
class _Tried:
    """A program, what it made, and all that is wrong with it."""

    code: str
    why: str = ""
    """Why it did not do, for the person; empty where it did."""
    problems: tuple[str, ...] = ()
    """The same for the model, which may be told what the program said."""
    picture: bytes = b""
    results: bytes = b""


@dataclass(frozen=True, slots=True)
class DeepCodeAgent:
    """Has programs written for what no program of ours does."""

    model: LanguageModel
    attempts: int = 3
    """So many programs are asked for before a task is given up."""
    confirms: bool = False
    """Whether numbers count only where a second program, written apart, has them as well."""

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
        libraries = libraries_there(execution)
        done = self._program(analysis_prompt(task, libraries), task, execution, context)
        if done.why:
            return Drawn(done.code, problem=done.why)
        if not (self.confirms and done.results):
            return _kept(done, task, context.folder, (_WHOSE,))
        again = replace(task, wants_picture=False, wants_numbers=True)
        asked = analysis_prompt(again, libraries)
        # With the examples in another order it is a program of its own: what changes was a guess.
        asked = replace(asked, examples=asked.examples[::-1])
        other = self._program(asked, again, execution, context)
        with context.tracer.span(Kind.CHECK, "two programs agree") as span:
            both = agreed(read_results(done.results), read_results(other.results))
            why = "" if both else (_NOT_CONFIRMED if other.why else _NO_AGREEMENT)
            span.tell(both.headings if both else (), problem=why)
        done = replace(done, code=f"{done.code}\n\n{_SECOND}\n{other.code}", results=b"")
        if both is not None:
            done = replace(done, results=as_csv(both))
        elif task.wants_numbers or not done.picture:
            return Drawn(done.code, problem=why)
        return _kept(done, task, context.folder, (_WHOSE,) if both is None else (_WHOSE, _AGREED))

    def _program(
        self, asked: Prompt, task: AnalysisTask, execution: Executes, context: RunContext
    ) -> _Tried:
        """A program that does ``task``, or the last one that did not."""
        turn = asked
        model = context.asking(self.model, "code")
        done = _Tried("", "no program was asked for")
        tried: dict[str, _Tried] = {}
        for attempt in range(self.attempts):
            context.note("mending the program" if attempt else "writing a program")
            try:
                reply = _reply(model, turn)
            except (ModelError, BudgetSpent) as error:
                _log.warning("No program is written: %s", error, extra={"action": "model-failed"})
                return replace(done, why=in_our_words(error))
            proposed = proposed_in(reply, [table.path.name for table in task.tables])
            is_known = bool(proposed.code) and proposed.code in tried
            if not is_known:
                tried[proposed.code] = self._tried(proposed, task, execution, context)
            done = tried[proposed.code]
            if not done.why:
                return done
            turn = mending_prompt(asked, proposed.code, done.problems)
            if is_known:
                # A model that says the same again says something else where its examples turn.
                turn = replace(turn, examples=turn.examples[::-1])
        return done

    def _tried(
        self, proposed: Proposed, task: AnalysisTask, execution: Executes, context: RunContext
    ) -> _Tried:
        code, tracer = proposed.code, context.tracer
        with tracer.span(Kind.CHECK, "program") as span:
            span.tell(code, problem=_all(proposed.problems))
        if proposed.problems:
            return _Tried(code, _NO_PROGRAM, proposed.problems)
        context.budget.require_going_on()
        context.note("running the program")
        with tracer.span(Kind.TOOL, "execute", code) as span:
            ran = run_analysis(code, task, execution)
            names = [file.name for file in ran.result.outputs]
            told = {"status": ran.result.status.value, "files": names}
            span.tell(told, problem=_all(ran.failures))
        if ran.failures:
            return _Tried(code, _of_failure(ran), ran.failures)
        with tracer.span(Kind.CHECK, "picture and results", names) as span:
            problems = problems_of(ran, task, execution)
            span.tell(not problems, problem=_all(problems))
        if problems:
            return _Tried(code, _NO_GOOD, problems)
        return _Tried(code, picture=ran.made(PICTURE_NAME), results=ran.made(RESULTS_NAME))


def _reply(model: AskingModel, turn: Prompt) -> str:
    """What the model writes; empty where that is of no use, such as a text without an end."""
    try:
        return model.write(turn)
    except ModelReplyUnusable:
        return ""


def _kept(done: _Tried, task: AnalysisTask, folder: Path, notes: tuple[str, ...]) -> Drawn:
    """The files that a program made, in the folder of the answer."""
    artifact: Artifact | None = None
    tables: tuple[AnswerTable, ...] = ()
    if done.picture:
        path = free_name(folder, PICTURE_NAME)
        path.write_bytes(done.picture)
        artifact = Artifact(path, "image/png", task.words)
    if done.results:
        path = free_name(folder, RESULTS_NAME)
        path.write_bytes(done.results)
        tables = (results_table(read_results(done.results), _RESULTS_TITLE, path),)
    return Drawn(done.code, artifact, notes, tables=tables)


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
