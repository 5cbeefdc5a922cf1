"""Orders a line, finds its gaps, and thins it to its envelope."""

from dataclasses import dataclass

import numpy as np
from chart_table import Floats

SECONDS_A_DAY = 86_400.0
PERIODS_OF_A_GAP = 3.0


@dataclass(frozen=True)
class Line:
    """What is drawn: points with NaN at the gaps, and those that no segment touches."""

    x: Floats
    y: Floats
    lone_x: Floats
    lone_y: Floats
    points: int
    drawn: int
    gaps: int
    missing: int


def line_of(x: Floats, y: Floats, step: float | None, limit: int) -> Line:
    """The line through the points in order of ``x``; ``step`` in units of ``x``, None if unknown.

    Neighbours further apart than three steps, or with a missing value between them, stay
    unconnected. Above ``limit`` points each slice of ``x`` keeps its lowest and highest.
    """
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    known = np.isfinite(x) & np.isfinite(y)
    hole = np.concatenate(([0], np.cumsum(np.isfinite(x) & ~np.isfinite(y))))[:-1][known]
    x, y = x[known], y[known]
    spacing = np.diff(x)
    positive = spacing[spacing > 0]
    typical = step or (float(np.median(positive)) if positive.size else 0.0)
    far = spacing > PERIODS_OF_A_GAP * typical * (1 + 1e-9) if typical else spacing > np.inf
    section = np.concatenate(([0], np.cumsum(far | (np.diff(hole) > 0)))).astype(np.int64)
    kept = envelope(x, y, limit)
    shown_x, shown_y, section_shown = x[kept], y[kept], section[kept]
    changes = np.flatnonzero(np.diff(section_shown)) + 1
    edges = np.concatenate(([0], changes, [kept.size])).astype(np.int64)
    starts = edges[:-1][np.diff(edges) == 1] if kept.size else edges[:0]
    return Line(
        x=np.insert(shown_x, changes, np.nan),
        y=np.insert(shown_y, changes, np.nan),
        lone_x=shown_x[starts],
        lone_y=shown_y[starts],
        points=int(x.size),
        drawn=int(kept.size),
        gaps=int(far.sum()),
        missing=int((~known).sum()),
    )


def envelope(x: Floats, y: Floats, limit: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The indices to keep of points in order: all, or the extremes of equal slices of ``x``."""
    count = x.size
    if count <= limit:
        return np.arange(count, dtype=np.int64)
    slices = max(limit // 2, 1)
    width = (x[-1] - x[0]) / slices
    slot = (
        np.minimum((x - x[0]) / width, slices - 1).astype(np.int64) if width else np.zeros_like(x)
    )
    order = np.lexsort((y, slot))
    edge = np.flatnonzero(np.diff(slot[order])) + 1
    lowest = order[np.concatenate(([0], edge)).astype(np.int64)]
    highest = order[np.concatenate((edge - 1, [count - 1])).astype(np.int64)]
    return np.unique(np.concatenate((lowest, highest, [0, count - 1]))).astype(np.int64)


def one_a_cell(x: Floats, y: Floats, cells: tuple[int, int]) -> tuple[Floats, Floats]:
    """The points without those that would cover another one on a grid of so many cells."""
    spots = np.zeros(x.size, dtype=np.int64)
    for values, count in ((x, cells[0]), (y, cells[1])):
        low, high = values.min(), values.max()
        scaled = (values - low) / (high - low) * count if high > low else np.zeros(values.size)
        spots = spots * (count + 1) + scaled.astype(np.int64)
    _, first = np.unique(spots, return_index=True)
    return x[np.sort(first)], y[np.sort(first)]
