"""Reads what the plotting program said about the figure it drew."""

import json
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationError

MOST_OUTPUT = 200_000
"""Characters at the end of the output among which the report is looked for."""


@dataclass(frozen=True, slots=True)
class FigureReport:
    """What was drawn, and what is wrong with it; no problems means that the picture is good."""

    kind_drawn: str = ""
    """The kind of chart in the end; bars where a pie was impossible."""
    series: int = 0
    points: int = 0
    drawn: int = 0
    missing: int = 0
    ink: int = 0
    """Pixels that would look different without the data."""
    notes: tuple[str, ...] = ()
    """What the picture says about itself: gaps, thinning, things left out."""
    problems: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    """What stands for the data (bars, lines, points), where the program was not ours."""

    @property
    def is_good(self) -> bool:
        """Whether the picture can be shown."""
        return not self.problems


class _Report(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    kind: str = Field(max_length=40)
    series: int = Field(ge=0)
    points: int = Field(ge=0)
    drawn: int = Field(ge=0)
    missing: int = Field(ge=0)
    ink: int = Field(ge=0)
    notes: list[str] = Field(max_length=50)
    problems: list[str] = Field(max_length=50)
    marks: list[str] = Field(default=[], max_length=50)


def parse_report(stdout: str) -> FigureReport:
    """The last report on the program's output; one with a problem when there is none."""
    for line in reversed(stdout[-MOST_OUTPUT:].splitlines()):
        if not line.startswith('{"figure_report"'):
            continue
        try:
            report = _Report.model_validate(json.loads(line)["figure_report"])
        except (json.JSONDecodeError, ValidationError):
            return FigureReport(problems=("the report on the figure cannot be read",))
        return _checked(report)
    return FigureReport(problems=("the program did not report on its figure",))


def _checked(report: _Report) -> FigureReport:
    problems = list(report.problems)
    if not problems and not (report.drawn and report.ink):
        problems.append("the figure shows no data")
    return FigureReport(
        kind_drawn=report.kind,
        series=report.series,
        points=report.points,
        drawn=report.drawn,
        missing=report.missing,
        ink=report.ink,
        notes=tuple(report.notes),
        problems=tuple(problems),
        marks=tuple(report.marks),
    )
