"""Draws lines over time or numbers, on one axis or on two."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from chart_axes import open_axes, share_scale, shifted_axis
from chart_page import (
    COLOURS,
    DASHES,
    LEFT_COLOURS,
    MARKERS,
    PALE,
    RIGHT_COLOURS,
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
from chart_thin import SECONDS_A_DAY, Line, line_of
from matplotlib.artist import Artist
from matplotlib.axes import Axes

MOST_SYMBOLS = 60
"""Lines of no more points than this show each of them."""
DENSE = 1_500
"""Lines of more points than this are thin, so that noise does not become a band."""
DRAWN_IN_ALL = 120_000


@dataclass(frozen=True)
class Drawing:
    """A line with its place in the order of importance; the first are coloured."""

    group: Group
    line: Line
    rank: int


def draw_lines(page: Page) -> None:
    """All lines of the specification on a page."""
    groups = page.tables.groups()
    if all(not group.series.split_by for group in groups):
        ordered = groups
    else:
        ordered = sorted(groups, key=lambda group: (group.series.side, natural(group.label)))
    x, kind = places(page, ordered)
    lines = lines_of(page, ordered, x, kind)
    drawings = ranked(page, ordered, lines)
    axes, right = open_axes(page)
    handles: list[Artist] = []
    for drawing in sorted(drawings, key=lambda drawing: -drawing.rank):
        on_right = drawing.group.series.side == "right"
        chosen = right if on_right and right is not None else axes
        handle = draw_one(page, chosen, drawing, drawings)
        if drawing.rank < SHOWN_SERIES:
            handles.insert(0, handle)
    finish_axes(page, axes, right, drawings, kind)
    first = [drawing for drawing in drawings if drawing.rank < SHOWN_SERIES]
    labels = [legend_name(page, drawing) for drawing in sorted(first, key=lambda d: d.rank)]
    if len(drawings) > SHOWN_SERIES:
        handles += axes.plot([], [], color=PALE, linewidth=1)
        labels.append(f"and {len(drawings) - SHOWN_SERIES} more (grey)")
    add_legend(axes, handles, labels)
    say_what_was_done(page, drawings)


def places(page: Page, groups: Sequence[Group]) -> tuple[list[Floats], str]:
    """The positions of each line's points along the horizontal axis, and what they are."""
    columns = [group.x for group in groups if group.x is not None]
    kinds = {column.kind for column in columns if len(column.values)}
    if len(kinds) != 1 or len(columns) != len(groups):
        raise ChartProblem("the horizontal axis mixes times, numbers and names")
    kind = kinds.pop()
    if kind != CATEGORY:
        shifts = [
            group.series.shift_seconds / SECONDS_A_DAY if kind == TIME else 0.0 for group in groups
        ]
        return [c.numbers + shift for c, shift in zip(columns, shifts, strict=True)], kind
    index = {name: float(number) for number, name in enumerate(names_at_axis(page, groups))}
    return [
        np.array([index.get(text, np.nan) for text in column.texts]) for column in columns
    ], kind


def names_at_axis(page: Page, groups: Sequence[Group]) -> tuple[str, ...]:
    """The categories along the horizontal axis, in order."""
    columns = [group.x for group in groups if group.x is not None]
    found = dict.fromkeys(text for column in columns for text in column.texts)
    return page.spec.categories or tuple(found)


def lines_of(page: Page, groups: Sequence[Group], x: Sequence[Floats], kind: str) -> list[Line]:
    """The lines with gaps and thinning, in the order of the groups."""
    limit = min(page.spec.max_points, max(DRAWN_IN_ALL // len(groups), 200))
    found = []
    for group, at in zip(groups, x, strict=True):
        seconds = group.series.period_seconds
        step = seconds / SECONDS_A_DAY if seconds and kind == TIME else None
        if kind == CATEGORY:
            step = 1.0
        found.append(line_of(at, group.y, step, limit))
    for line in found:
        page.count(line.points, line.drawn, line.missing)
    if not any(line.points for line in found):
        raise ChartProblem("none of the values is a number, so there is nothing to draw")
    return found


def ranked(page: Page, groups: Sequence[Group], lines: Sequence[Line]) -> list[Drawing]:
    """All lines; when there are too many to tell apart, those with the highest peaks first."""
    order = list(range(len(lines)))
    if len(lines) > SHOWN_SERIES:
        peaks = [float(np.nanmax(line.y)) if line.drawn else -np.inf for line in lines]
        order.sort(key=lambda number: (-peaks[number], number))
        order[:SHOWN_SERIES] = sorted(order[:SHOWN_SERIES])
        page.notes.append(
            f"{len(lines):,} lines: the {SHOWN_SERIES} with the highest peaks are coloured and "
            f"named, the other {len(lines) - SHOWN_SERIES:,} are grey."
        )
    place = {number: rank for rank, number in enumerate(order)}
    return [
        Drawing(group, line, place[number])
        for number, (group, line) in enumerate(zip(groups, lines, strict=True))
    ]


def draw_one(page: Page, axes: Axes, drawing: Drawing, drawings: Sequence[Drawing]) -> Artist:
    """One line, its lone points, and a handle for the legend."""
    line, rank = drawing.line, drawing.rank
    colour, dashes = look(page, drawing, drawings)
    named = rank < SHOWN_SERIES
    width = (1.4 if line.drawn < DENSE else 0.8) if named else 0.6
    with_symbols = named and line.drawn <= MOST_SYMBOLS and len(drawings) <= SHOWN_SERIES
    (artist,) = axes.plot(
        line.x, line.y, color=colour, linestyle=dashes, linewidth=width,
        marker=MARKERS[rank % len(MARKERS)] if with_symbols else None, markersize=4.5,
        zorder=3 if named else 1.5, alpha=1 if named else 0.7, solid_joinstyle="round",
    )  # fmt: skip
    page.data.append(artist)
    if line.lone_x.size and not with_symbols:
        page.data += axes.plot(
            line.lone_x, line.lone_y, color=colour, linestyle="", marker="o",
            markersize=4.5 if line.lone_x.size < MOST_SYMBOLS else 2, zorder=3 if named else 1.5,
        )  # fmt: skip
    return artist


def look(page: Page, drawing: Drawing, drawings: Sequence[Drawing]) -> tuple[str, str]:
    """The colour and the dashes of a line."""
    rank = drawing.rank
    if rank >= SHOWN_SERIES:
        return PALE, "-"
    if page.spec.kind != "dual_axis":
        return COLOURS[rank % len(COLOURS)], DASHES[rank % len(DASHES)]
    side = drawing.group.series.side
    before = sum(other.group.series.side == side and other.rank < rank for other in drawings)
    palette = RIGHT_COLOURS if side == "right" else LEFT_COLOURS
    return palette[before % len(palette)], DASHES[before % len(DASHES) + (before > 1) * 3]


def legend_name(page: Page, drawing: Drawing) -> str:
    """The name of a line, with its axis where there are two."""
    if page.spec.kind != "dual_axis":
        return drawing.group.label
    return f"{drawing.group.label} ({drawing.group.series.side} axis)"


def finish_axes(
    page: Page, axes: Axes, right: Axes | None, drawings: Sequence[Drawing], kind: str
) -> None:
    """Ticks, labels and limits once all lines are there."""
    known = np.concatenate([drawing.line.x for drawing in drawings])
    known = known[np.isfinite(known)]
    if kind == TIME:
        if known.min() == known.max():
            axes.set_xlim(known[0] - 1 / 48, known[0] + 1 / 48)
        else:
            axes.margins(x=0.012)
        label_time_axis(page, axes, float(known.min()), float(known.max()))
        shifted_axis(page, axes)
    elif kind == CATEGORY:
        names = names_at_axis(page, [drawing.group for drawing in drawings])
        step = max(1, -(-len(names) // 30))
        axes.set_xticks(range(0, len(names), step), names[::step], rotation=30 if step > 1 else 0)
    sides = [(axes, "left")] + ([(right, "right")] if right is not None else [])
    for side_axes, side in sides:
        values = [d.line.y for d in drawings if d.group.series.side == side or right is None]
        plain_numbers(side_axes, whole=all_whole(values))
    if right is not None:
        share_scale(page, axes, right)
    draw_marks(page, axes)


def say_what_was_done(page: Page, drawings: Sequence[Drawing]) -> None:
    """Notes about gaps and thinning."""
    gaps = sum(drawing.line.gaps for drawing in drawings)
    if gaps:
        page.notes.append(
            f"{gaps:,} gap{'s' if gaps > 1 else ''} of more than 3 sampling periods "
            f"{'are' if gaps > 1 else 'is'} left open."
        )
    if page.drawn < page.points:
        page.notes.append(
            f"{page.drawn:,} of {page.points:,} points are drawn: the lowest and the highest of "
            "each short slice of time, so that no peak is lost."
        )


if __name__ == "__main__":
    sys.exit(run(draw_lines))
