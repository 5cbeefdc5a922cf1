"""What is said of a chart that could not be drawn."""

from pathlib import Path

import pytest

from agent.chart import Axis, ChartKind, ChartSpec, Series
from agent.chart_plan import PlannedChart
from agent.code_agent import CodeAgent
from sandbox.job import JobResult, JobStatus, Limits
from tests.fakes.canned_sandbox import CannedSandbox

CHART = PlannedChart(
    ChartSpec(
        kind=ChartKind.LINE,
        title="Power",
        subtitle="1 June 2022",
        x=Axis("time"),
        y=Axis("power", "W"),
        series=(Series("a.parquet", "v", x="t"),),
    ),
    (),
)


@pytest.mark.parametrize(
    ("status", "setting"),
    [
        (JobStatus.OUT_OF_MEMORY, "ODABOT_SANDBOX__MEMORY_MIB"),
        (JobStatus.TIMED_OUT, "ODABOT_SANDBOX__SECONDS"),
    ],
)
def test_a_chart_of_too_much_says_what_to_do(
    tmp_path: Path, status: JobStatus, setting: str
) -> None:
    agent = CodeAgent(CannedSandbox([JobResult(status)]), Limits())

    drawn = agent.draw(CHART, tmp_path, "ada")

    assert drawn.artifact is None
    assert setting in drawn.problem
    assert "ask for fewer things" in drawn.problem
