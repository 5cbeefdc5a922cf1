"""What a chart shows: its kind, axes, series and words, as data."""

from dataclasses import dataclass
from enum import StrEnum


class ChartKind(StrEnum):
    """The kinds of chart that can be drawn."""

    LINE = "line"
    DUAL_AXIS = "dual_axis"
    HISTOGRAM = "histogram"
    BAR = "bar"
    GROUPED_BAR = "grouped_bar"
    PIE = "pie"
    BOX = "box"
    HEATMAP = "heatmap"
    SCATTER = "scatter"


class Side(StrEnum):
    """The vertical axis a series is read on."""

    LEFT = "left"
    RIGHT = "right"


class HeatScale(StrEnum):
    """What the colours of a heat map mean."""

    CORRELATION = "correlation"
    """Coefficients, on a scale that always runs from -1 to 1."""
    VALUES = "values"
    """Plain numbers, on a scale from the smallest to the largest."""


class Direction(StrEnum):
    """The axis on which a mark lies."""

    X = "x"
    Y = "y"


@dataclass(frozen=True, slots=True)
class Axis:
    """The words at an axis; the unit is empty where there is none."""

    label: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """Which columns of which Parquet file become lines, bars, slices, boxes or points."""

    table: str
    """The file's name; it lies beside the specification."""
    y: str
    """The column of the values (of a heat map: of its cells)."""
    x: str | None = None
    """Times, numbers or categories; without it a bar or slice is the series itself."""
    label: str = ""
    """How it is called; ``{}`` stands for the value of ``split_by``."""
    side: Side = Side.LEFT
    split_by: str | None = None
    """One line, group or box for each value of this column (of a heat map: its columns)."""
    weight: str | None = None
    """Of a histogram: the column that says how often each value occurred."""
    period_seconds: float | None = None
    """The known spacing of the samples; without it the median spacing is taken."""
    where: str | None = None
    """Only rows whose column of this name holds ``equals``."""
    equals: str = ""
    shift_seconds: float = 0.0
    """Added to the times, to lay two periods over each other."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled line across the chart, at a number or at an ISO time."""

    direction: Direction
    at: float | str
    label: str


@dataclass(frozen=True, slots=True)
class ChartSpec:
    """One chart. ``chart_limits.problems_of`` says what is wrong with it."""

    kind: ChartKind
    title: str
    subtitle: str
    """Stands under the title: the window in local time and in UTC."""
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    y2: Axis | None = None
    """The right-hand axis; of a heat map: what its colours show."""
    zone: str = "UTC"
    """The IANA zone in which times are written."""
    bins: int | None = None
    max_points: int = 4_000
    """More points than this in a line are drawn as its envelope, and the chart says so."""
    categories: tuple[str, ...] = ()
    """The order of bars, slices, boxes or cells; otherwise that of the table."""
    sort_categories: bool = False
    heat: HeatScale = HeatScale.CORRELATION
    marks: tuple[Mark, ...] = ()
    notes: tuple[str, ...] = ()
    """Remarks that stand below the chart."""
    alt_text: str = ""
