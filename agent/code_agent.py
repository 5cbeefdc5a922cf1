"""Sub-agent: a chart and its tables to a picture, drawn in the sandbox and checked."""

import logging
from dataclasses import dataclass
from pathlib import Path

from agent.answer import AnswerTable, Artifact
from agent.chart_plan import PlannedChart
from agent.chart_writer import PICTURE_NAME, SPEC_NAME, write_chart
from agent.figure_check import parse_report
from sandbox.job import Job, JobStatus, Limits
from sandbox.runner import Sandbox

_log = logging.getLogger(__name__)
_LESS = "ask for fewer things, a shorter time or averages; the table is whole"
_TOO_MUCH = {
    JobStatus.OUT_OF_MEMORY: "it takes more memory than the sandbox gives"
    f" (ODABOT_SANDBOX__MEMORY_MIB): {_LESS}",
    JobStatus.TIMED_OUT: "it takes longer than the sandbox waits"
    f" (ODABOT_SANDBOX__SECONDS): {_LESS}",
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture, a table, or what went wrong with it; the program either way."""

    code: str
    artifact: Artifact | None = None
    notes: tuple[str, ...] = ()
    problem: str = ""
    tables: tuple[AnswerTable, ...] = ()
    """Results that the program computed."""


@dataclass(frozen=True, slots=True)
class CodeAgent:
    """Runs programs where they can reach nothing but their inputs."""

    sandbox: Sandbox
    limits: Limits

    def draw(self, chart: PlannedChart, folder: Path, user: str) -> Drawn:
        """Draw ``chart``; the picture is written below ``folder``.

        Raises SandboxUnavailable where no isolation can be had.
        """
        written = write_chart(chart.spec)
        spec = folder / SPEC_NAME
        spec.write_bytes(written.spec_json)
        result = self.sandbox.run(Job(written.code, (spec, *chart.inputs), self.limits, user))
        report = parse_report(result.stdout)
        picture = next((f for f in result.outputs if f.name == PICTURE_NAME), None)
        if result.status is not JobStatus.FINISHED or picture is None or not report.is_good:
            problem = _TOO_MUCH.get(result.status) or "; ".join(report.problems)
            problem = problem or f"the program ended as {result.status.value}"
            extra = {"action": "chart-failed", "stderr": result.stderr[-2000:]}
            _log.warning("A chart could not be drawn: %s", problem, extra=extra)
            return Drawn(written.code, problem=problem)
        path = free_name(folder, PICTURE_NAME)
        path.write_bytes(picture.content)
        artifact = Artifact(path, picture.media_type, chart.spec.alt_text or chart.spec.title)
        return Drawn(written.code, artifact, report.notes)


def free_name(folder: Path, name: str) -> Path:
    """``name`` below ``folder``, numbered where there is such a file already."""
    path, number = folder / name, 1
    while path.exists():
        number += 1
        path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
    return path
