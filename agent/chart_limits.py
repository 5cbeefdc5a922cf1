"""Says what is wrong with a chart before anything is drawn."""

import math
import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from agent.chart import ChartKind, ChartSpec, Series, Side

MAX_SERIES = 40
MAX_NOTES = 8
MAX_CATEGORIES = 2_000
MAX_TITLE = 200
MAX_TEXT = 300
POINTS = range(100, 20_001)
BINS = range(2, 201)

_TABLE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,120}\.parquet")
_NEEDS_X = {ChartKind.LINE, ChartKind.DUAL_AXIS, ChartKind.SCATTER, ChartKind.HEATMAP}


def problems_of(spec: ChartSpec) -> tuple[str, ...]:
    """What keeps ``spec`` from being drawn, in words; nothing when all is well."""
    found = [*_texts(spec), *_axes(spec), *_sizes(spec)]
    for number, series in enumerate(spec.series, start=1):
        found += [f"series {number}: {problem}" for problem in _series(series, spec)]
    return tuple(found)


def _texts(spec: ChartSpec) -> list[str]:
    found = []
    if not spec.title.strip():
        found.append("the title is empty")
    if len(spec.title) > MAX_TITLE:
        found.append(f"the title is longer than {MAX_TITLE} characters")
    labels = [series.label for series in spec.series] + [mark.label for mark in spec.marks]
    if any(len(text) > MAX_TEXT for text in (spec.subtitle, *spec.notes, *labels)):
        found.append(f"a label, note or subtitle is longer than {MAX_TEXT} characters")
    return found


def _axes(spec: ChartSpec) -> list[str]:
    found = []
    if spec.kind is not ChartKind.PIE and not spec.x.label.strip():
        found.append("the horizontal axis has no label")
    if not spec.y.label.strip():
        found.append("the vertical axis has no label")
    sides = {series.side for series in spec.series}
    if spec.kind is ChartKind.DUAL_AXIS:
        if spec.y2 is None or not spec.y2.label.strip():
            found.append("the right-hand axis has no label")
        if sides != {Side.LEFT, Side.RIGHT}:
            found.append("a dual-axis chart needs a series on each side")
    elif Side.RIGHT in sides:
        found.append("only a dual-axis chart has a right-hand axis")
    try:
        ZoneInfo(spec.zone)
    except (ZoneInfoNotFoundError, ValueError):
        found.append(f"there is no time zone {spec.zone!r}")
    return found


def _sizes(spec: ChartSpec) -> list[str]:
    found = []
    if not 1 <= len(spec.series) <= MAX_SERIES:
        found.append(f"a chart has 1 to {MAX_SERIES} series, not {len(spec.series)}")
    if spec.bins is not None and spec.bins not in BINS:
        found.append(f"a histogram has {BINS.start} to {BINS.stop - 1} bins, not {spec.bins}")
    if spec.max_points not in POINTS:
        found.append(f"max_points lies between {POINTS.start} and {POINTS.stop - 1}")
    if len(spec.notes) > MAX_NOTES:
        found.append(f"there are more than {MAX_NOTES} notes")
    if len(spec.categories) > MAX_CATEGORIES:
        found.append(f"there are more than {MAX_CATEGORIES} categories")
    if any(isinstance(mark.at, float) and not math.isfinite(mark.at) for mark in spec.marks):
        found.append("a mark lies nowhere")
    return found


def _series(series: Series, spec: ChartSpec) -> list[str]:
    found = []
    if not _TABLE.fullmatch(series.table):
        found.append(f"{series.table!r} is not the plain name of a Parquet file")
    if not series.y:
        found.append("there is no column of values")
    if spec.kind in _NEEDS_X and not series.x:
        found.append(f"a {spec.kind.value} chart needs a column for the horizontal axis")
    if series.weight is not None and spec.kind is not ChartKind.HISTOGRAM:
        found.append("only a histogram has weights")
    if not math.isfinite(series.shift_seconds):
        found.append("the shift is not a number")
    if series.period_seconds is not None and not 0 < series.period_seconds < math.inf:
        found.append("the period is not a positive number")
    return found
