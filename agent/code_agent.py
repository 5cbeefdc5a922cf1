"""Sub-agent: a chart and its tables to a picture, drawn in the sandbox and checked."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agent.answer import AnswerTable, Artifact
from agent.chart_plan import PlannedChart
from agent.chart_writer import PICTURE_NAME, SPEC_NAME, write_chart
from agent.figure_check import FigureReport, parse_report
from agent.tracing import UNTRACED, Kind, Tracer
from sandbox.job import Job, JobResult, JobStatus, Limits
from sandbox.runner import Sandbox

_log = logging.getLogger(__name__)
_BEGINNING = 2_000
_LESS = "ask for fewer things, a shorter time or averages; the table is whole"
TOO_MUCH = {
    JobStatus.OUT_OF_MEMORY: "it takes more memory than the sandbox gives"
    f" (ODABOT_SANDBOX__MEMORY_MIB): {_LESS}",
    JobStatus.TIMED_OUT: "it takes longer than the sandbox waits"
    f" (ODABOT_SANDBOX__SECONDS): {_LESS}",
}
"""What is said of a program that used up what it may."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture, a table, or what went wrong with it; the program either way."""

    code: str
    artifact: Artifact | None = None
    notes: tuple[str, ...] = ()
    problem: str = ""
    tables: tuple[AnswerTable, ...] = ()
    """Results that the program computed."""
    asked_for: str = ""
    """Words for numbers that only the program gives: without it there is no answer."""


@dataclass(frozen=True, slots=True)
class CodeAgent:
    """Runs programs where they can reach nothing but their inputs."""

    sandbox: Sandbox
    limits: Limits

    def draw(
        self,
        chart: PlannedChart,
        folder: Path,
        user: str,
        tracer: Tracer = UNTRACED,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Drawn:
        """Draw ``chart``; the picture is written below ``folder``.

        Once ``stopped`` says so, the program is killed.
        Raises SandboxUnavailable where no isolation can be had.
        """
        written = write_chart(chart.spec)
        spec = folder / SPEC_NAME
        spec.write_bytes(written.spec_json)
        job = Job(written.code, (spec, *chart.inputs), self.limits, user, stopped)
        result = self._run(job, tracer)
        report = _checked(result, tracer)
        picture = next((f for f in result.outputs if f.name == PICTURE_NAME), None)
        if result.status is not JobStatus.FINISHED or picture is None or not report.is_good:
            problem = TOO_MUCH.get(result.status) or "; ".join(report.problems)
            problem = problem or f"the program ended as {result.status.value}"
            extra = {"action": "chart-failed", "stderr": result.stderr[-2000:]}
            _log.warning("A chart could not be drawn: %s", problem, extra=extra)
            return Drawn(written.code, problem=problem)
        path = free_name(folder, PICTURE_NAME)
        path.write_bytes(picture.content)
        artifact = Artifact(path, picture.media_type, chart.spec.alt_text or chart.spec.title)
        return Drawn(written.code, artifact, report.notes)

    def _run(self, job: Job, tracer: Tracer) -> JobResult:
        # The program is put together from the same parts each time; its specification tells.
        given = {
            "inputs": [path.name for path in job.inputs],
            "specification": job.inputs[0].read_text("utf-8"),
            "program": f"{job.code[:_BEGINNING]}... ({len(job.code)} characters)",
        }
        with tracer.span(Kind.TOOL, "sandbox", given) as span:
            result = self.sandbox.run(job)
            outputs = {file.name: len(file.content) for file in result.outputs}
            told = {"status": result.status, "seconds": result.seconds, "output_bytes": outputs}
            failed = result.status is not JobStatus.FINISHED
            span.tell(told, problem=result.stderr[-2000:] or result.status.value if failed else "")
        return result


def _checked(result: JobResult, tracer: Tracer) -> FigureReport:
    with tracer.span(Kind.CHECK, "figure check") as span:
        report = parse_report(result.stdout)
        drawn = {"kind": report.kind_drawn, "series": report.series, "points": report.points}
        span.tell(
            {**drawn, "drawn": report.drawn, "ink": report.ink, "notes": report.notes},
            problem="; ".join(report.problems),
        )
    return report


def free_name(folder: Path, name: str) -> Path:
    """``name`` below ``folder``, numbered where there is such a file already."""
    path, number = folder / name, 1
    while path.exists():
        number += 1
        path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
    return path
