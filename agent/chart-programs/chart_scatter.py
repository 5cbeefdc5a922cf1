"""Draws pairs of numbers as points."""

import sys

import numpy as np
from chart_page import (
    COLOURS,
    MARKERS,
    PALE,
    SHOWN_SERIES,
    Page,
    add_legend,
    all_whole,
    draw_marks,
    label_time_axis,
    plain_numbers,
)
from chart_run import run
from chart_spec import ChartProblem
from chart_table import CATEGORY, TIME, Floats, Group, natural
from chart_thin import SECONDS_A_DAY, one_a_cell
from matplotlib.artist import Artist

CELLS = (1000, 520)
"""A point is left out where another one lies within about a pixel."""


def draw_scatter(page: Page) -> None:
    """The points of all series."""
    groups = page.tables.groups()
    if any(group.series.split_by for group in groups):
        groups.sort(key=lambda group: natural(group.label))
    kinds = {group.x.kind for group in groups if group.x is not None}
    if len(kinds) != 1 or CATEGORY in kinds:
        raise ChartProblem("a scatter plot needs numbers or times on the horizontal axis")
    is_time = TIME in kinds
    axes = page.one_axes()
    points = [points_of(page, group) for group in groups]
    if not any(x.size for x, _ in points):
        raise ChartProblem("none of the points has two numbers, so there is nothing to draw")
    handles: list[Artist] = []
    for number, (x, y) in enumerate(points):
        shown_x, shown_y = one_a_cell(x, y, CELLS) if x.size > page.spec.max_points else (x, y)
        page.count(x.size, shown_x.size)
        named = number < SHOWN_SERIES
        handles += axes.plot(
            shown_x, shown_y, linestyle="", marker=MARKERS[number % len(MARKERS)],
            color=COLOURS[number % len(COLOURS)] if named else PALE,
            markersize=5 if x.size <= 300 else 3 if x.size <= 5_000 else 1.8,
            markeredgewidth=0, alpha=0.85, zorder=3 if named else 2,
        )  # fmt: skip
    page.data.extend(handles)
    labels = [group.label for group in groups[:SHOWN_SERIES]]
    if len(groups) > SHOWN_SERIES:
        labels.append(f"and {len(groups) - SHOWN_SERIES} more (grey)")
    add_legend(axes, handles[: len(labels)], labels)
    known = np.concatenate([x for x, _ in points])
    if is_time:
        label_time_axis(page, axes, float(known.min()), float(known.max()))
    else:
        plain_numbers(axes, whole=all_whole([known]), horizontal=True)
    plain_numbers(axes, whole=all_whole([y for _, y in points]))
    draw_marks(page, axes)
    if page.drawn < page.points:
        page.notes.append(
            f"{page.drawn:,} of {page.points:,} points are drawn; the others would cover them."
        )


def points_of(page: Page, group: Group) -> tuple[Floats, Floats]:
    """The pairs of a group that have both numbers."""
    if group.x is None:
        return np.empty(0), np.empty(0)
    x = group.x.numbers
    if group.x.kind == TIME:
        x = x + group.series.shift_seconds / SECONDS_A_DAY
    known = np.isfinite(x) & np.isfinite(group.y)
    page.missing += int((~known).sum())
    return x[known], group.y[known]


if __name__ == "__main__":
    sys.exit(run(draw_scatter))
