"""One run of a program that a model wrote: what it made, and what is wrong with that.

The program has a say in its own report, so what it left is looked at again from outside: the
picture by a program of ours, and all of it once more over other tables, because what comes out
the same then was made up.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import TypeAdapter, ValidationError

from agent.analysis_task import AnalysisTask
from agent.chart_writer import PICTURE_NAME
from agent.code_execution import Executes
from agent.figure_check import parse_report
from agent.mark_words import kind_problems
from agent.result_table import read_results
from sandbox.job import JobResult, JobStatus, OutputFile

RESULTS_NAME = "result.csv"
"""The name of the table of results among the program's outputs."""
_LAST_LINES = 3
_TRACE_WIDTH = 300
_PROBLEMS = TypeAdapter(list[str])
_NOT_READ = "the picture or a table cannot be read"
_MADE_UP = "does not change when the tables do: compute it from the tables, never make data up"


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of a program that was run."""

    program: str
    """As it was executed: inside ours, which reports on the figure."""
    word: str
    """What each line of that report begins with."""
    result: JobResult

    @property
    def failures(self) -> tuple[str, ...]:
        """Why the program did not come to its end: the last lines of what it said."""
        if self.result.status is JobStatus.FINISHED:
            return ()
        lines = [line[:_TRACE_WIDTH] for line in self.result.stderr.splitlines() if line.strip()]
        own = [place for place, line in enumerate(lines) if '"analysis.py"' in line]
        where = lines[own[-1] : own[-1] + 2] if own else []
        last = list(takewhile(lambda line: not line.startswith(" "), reversed(lines)))[::-1]
        told = (*where, *last[-_LAST_LINES:])
        return ("\n".join(told) or f"the program ended as {self.result.status.value}",)

    def made(self, name: str) -> bytes:
        """The file that the program left under ``name``; empty where there is none."""
        return next((f.content for f in self.result.outputs if f.name == name), b"")


def run_analysis(code: str, task: AnalysisTask, execution: Executes) -> Ran:
    """Run ``code`` over the tables of ``task``; raises SandboxUnavailable."""
    word = f"figure-{secrets.token_hex(8)} "
    program = _given("run_analysis", {"code": code, "word": word, "title": task.words})
    result = execution.execute(program, [table.path for table in task.tables])
    return Ran(program, word, result)


def problems_of(ran: Ran, task: AnalysisTask, execution: Executes) -> tuple[str, ...]:
    """What is wrong with what a program made; raises SandboxUnavailable."""
    results = ran.made(RESULTS_NAME)
    problems = (
        *_missing(ran.result, task),
        *(_about_figure(ran, task) if ran.made(PICTURE_NAME) else ()),
        *(read_results(results).problems if results else ()),
    )
    if problems:
        return problems
    # A folder of its own each time: whoever sends files elsewhere must not take one for another.
    with TemporaryDirectory(prefix="odabot-check-") as folder:
        return _from_outside(ran, task, execution, Path(folder))


def _missing(result: JobResult, task: AnalysisTask) -> list[str]:
    names = {file.name for file in result.outputs}
    dropped = [f"/out/{d.name} is not accepted: {d.reason}" for d in result.dropped]
    wanted = [(PICTURE_NAME, task.wants_picture), (RESULTS_NAME, task.wants_numbers)]
    found = [f"the program did not write /out/{n}" for n, w in wanted if w and n not in names]
    if not found and not names & {PICTURE_NAME, RESULTS_NAME}:
        found = [f"the program wrote neither /out/{PICTURE_NAME} nor /out/{RESULTS_NAME}"]
    return [*dropped, *found] if found else []


def _about_figure(ran: Ran, task: AnalysisTask) -> tuple[str, ...]:
    """The problems that the report on the figure tells; lines without the word are not of it."""
    lines = ran.result.stdout.splitlines()
    told = [line.removeprefix(ran.word) for line in lines if line.startswith(ran.word)]
    report = parse_report("\n".join(told))
    if report.problems or not task.wants_picture:
        return report.problems
    return kind_problems(task.words, report.marks)


def _from_outside(
    ran: Ran, task: AnalysisTask, execution: Executes, folder: Path
) -> tuple[str, ...]:
    """What is wrong with what a program made, seen by others than itself."""
    inputs = [table.path for table in task.tables]
    looked_at = list(inputs)
    picture = ran.made(PICTURE_NAME)
    if picture:
        (folder / PICTURE_NAME).write_bytes(picture)
        looked_at.append(folder / PICTURE_NAME)
    given = {"picture": PICTURE_NAME if picture else "", "tables": [p.name for p in inputs]}
    looked = execution.execute(_given("check_analysis", given), looked_at)
    if looked.status is not JobStatus.FINISHED:
        return (_NOT_READ,)
    try:
        problems = _PROBLEMS.validate_json(looked.stdout)
    except ValidationError:
        problems = [_NOT_READ]
    if problems:
        return tuple(problems)
    again = execution.execute(ran.program, _written(looked.outputs, folder, inputs))
    # Over other tables a program may well fail; then at least it reads them.
    return _unchanged(ran, again) if again.status is JobStatus.FINISHED else ()


def _written(changed: Sequence[OutputFile], folder: Path, inputs: Sequence[Path]) -> list[Path]:
    """The changed tables as files; a table that could not be changed stands as it is."""
    names = {path.name for path in inputs}
    for file in changed:
        if file.name in names:
            (folder / file.name).write_bytes(file.content)
    there = {file.name for file in changed}
    return [folder / path.name if path.name in there else path for path in inputs]


def _unchanged(ran: Ran, again: JobResult) -> tuple[str, ...]:
    now = {file.name: file.content for file in again.outputs}
    before = {name: ran.made(name) for name in (PICTURE_NAME, RESULTS_NAME)}
    return tuple(f"/out/{n} {_MADE_UP}" for n, was in before.items() if was and now.get(n) == was)


def _given(name: str, values: Mapping[str, object]) -> str:
    return f"GIVEN = {dict(values)!r}\n{_program(name)}"


@cache
def _program(name: str) -> str:
    path = files("agent") / "analysis-programs" / f"{name}.py"
    return path.read_text(encoding="utf-8")
