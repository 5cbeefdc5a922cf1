"""Reads the specification of a chart."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo


class ChartProblem(Exception):
    """What was asked for cannot be drawn from the tables; the message says why."""


@dataclass(frozen=True)
class AxisText:
    """The words at an axis."""

    label: str
    unit: str

    @property
    def text(self) -> str:
        """Label and unit in one line."""
        return f"{self.label} [{self.unit}]" if self.unit else self.label


@dataclass(frozen=True)
class SeriesSpec:
    """The columns of a table that are drawn."""

    table: str
    y: str
    x: str | None
    label: str
    side: str
    split_by: str | None
    weight: str | None
    period_seconds: float | None
    where: str | None
    equals: str
    shift_seconds: float


@dataclass(frozen=True)
class MarkSpec:
    """A labelled line across the chart."""

    direction: str
    at: float | str
    label: str


@dataclass(frozen=True)
class Spec:
    """The whole chart."""

    kind: str
    title: str
    subtitle: str
    x: AxisText
    y: AxisText
    y2: AxisText | None
    series: tuple[SeriesSpec, ...]
    zone: ZoneInfo
    bins: int | None
    max_points: int
    categories: tuple[str, ...]
    sort_categories: bool
    heat: str
    marks: tuple[MarkSpec, ...]
    notes: tuple[str, ...]


def read_spec(path: Path) -> Spec:
    """The specification in a JSON file, as the agent wrote it."""
    raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return Spec(
        kind=raw["kind"],
        title=raw["title"],
        subtitle=raw["subtitle"],
        x=AxisText(**raw["x"]),
        y=AxisText(**raw["y"]),
        y2=AxisText(**raw["y2"]) if raw["y2"] else None,
        series=tuple(SeriesSpec(**series) for series in raw["series"]),
        zone=ZoneInfo(raw["zone"]),
        bins=raw["bins"],
        max_points=raw["max_points"],
        categories=tuple(raw["categories"]),
        sort_categories=raw["sort_categories"],
        heat=raw["heat"],
        marks=tuple(MarkSpec(**mark) for mark in raw["marks"]),
        notes=tuple(raw["notes"]),
    )
