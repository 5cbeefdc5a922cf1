"""Draws the shares of a whole, or bars where there is no whole."""

import sys
from dataclasses import dataclass

import numpy as np
from chart_bars import Bars, bars_of, draw_bars
from chart_page import COLOURS, Page, number_text, wrapped
from chart_run import run
from chart_spec import ChartProblem
from matplotlib.axes import Axes
from matplotlib.patches import Wedge

MOST_SLICES = 9
SMALL = 0.04
LEAST_APART = 0.17
"""The least distance of two labels on one side, in radii."""


@dataclass(frozen=True)
class Slice:
    """A share of the whole."""

    name: str
    value: float
    share: float


def draw_pie(page: Page) -> None:
    """A pie, or bars when a value is zero, negative or missing."""
    bars = bars_of(page)
    if len(bars.groups) > 1:
        raise ChartProblem("a pie shows one series; these are several")
    values = bars.values[0]
    if not np.all(values > 0):
        page.kind_drawn = "bar"
        page.notes.append("Drawn as bars: a pie cannot show a zero, negative or missing value.")
        draw_bars(page, bars)
        return
    slices = slices_of(page, bars)
    axes = page.figure.add_subplot()
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(-3.0, 3.0)
    axes.set_ylim(-1.28, 1.28)
    draw_slices(page, axes, slices)
    total = f"{number_text(float(values.sum()))} {page.spec.y.unit}".strip()
    page.notes.append(f"{page.spec.y.label}: {total} in total.")


def slices_of(page: Page, bars: Bars) -> list[Slice]:
    """The slices from large to small, the smallest of many together."""
    pairs = list(zip(bars.names, (float(value) for value in bars.values[0]), strict=True))
    total = sum(value for _, value in pairs)
    pairs.sort(key=lambda pair: -pair[1])
    if len(pairs) > MOST_SLICES:
        rest = pairs[MOST_SLICES - 1 :]
        pairs = [*pairs[: MOST_SLICES - 1], (f"{len(rest)} others", sum(v for _, v in rest))]
        page.notes.append(f"The {len(rest)} smallest slices are drawn as one.")
    return [Slice(name.replace("\n", " "), value, value / total) for name, value in pairs]


def draw_slices(page: Page, axes: Axes, slices: list[Slice]) -> None:
    """Wedges clockwise from the top, each labelled with value and percentage."""
    start = first_angle(slices)
    right: list[tuple[float, int]] = []
    left: list[tuple[float, int]] = []
    for number, part in enumerate(slices):
        end = start - 360 * part.share
        wedge = Wedge(
            (0, 0), 1, end, start, facecolor=COLOURS[number % len(COLOURS)], edgecolor="white",
            linewidth=1.5,
        )  # fmt: skip
        axes.add_patch(wedge)
        page.data.append(wedge)
        middle = (start + end) / 2
        (right if np.cos(np.radians(middle)) >= 0 else left).append((middle, number))
        start = end
    for side, places in ((1, right), (-1, left)):
        heights = spread([float(np.sin(np.radians(angle))) * 1.12 for angle, _ in places])
        for (angle, number), height in zip(places, heights, strict=True):
            label_slice(page, axes, slices[number], angle, (1.22 * side, height))


def first_angle(slices: list[Slice]) -> float:
    """Where to begin: at the top, or so that small slices lie on the left with room for labels."""
    small = [part.share for part in slices if part.share < SMALL]
    return 90.0 if len(small) < 2 else 180.0 - 180.0 * sum(small)


def label_slice(
    page: Page, axes: Axes, part: Slice, angle: float, where: tuple[float, float]
) -> None:
    """A line from the rim of the pie to the words beside it."""
    rim = (float(np.cos(np.radians(angle))), float(np.sin(np.radians(angle))))
    unit = f" {page.spec.y.unit}" if page.spec.y.unit else ""
    percent = f"{part.share:.1%}" if part.share >= 0.001 else "< 0.1%"
    between = ": " if part.share < SMALL else "\n"
    axes.annotate(
        f"{wrapped(part.name, 34)}{between}{number_text(part.value)}{unit} ({percent})",
        rim, xytext=where, ha="left" if where[0] > 0 else "right", va="center", fontsize=9,
        linespacing=1.1,
        arrowprops={"arrowstyle": "-", "color": "#595959", "linewidth": 0.8,
                    "relpos": (0.0 if where[0] > 0 else 1.0, 0.5)},
    )  # fmt: skip


def spread(heights: list[float]) -> list[float]:
    """The heights moved apart in their order, around the places where they were."""
    order = np.argsort(-np.array(heights), kind="stable")
    wanted = np.array(heights)[order]
    placed = wanted.copy()
    for number in range(1, placed.size):
        placed[number] = min(placed[number], placed[number - 1] - LEAST_APART)
    if placed.size:
        placed += (wanted - placed).mean()
        placed += min(0.0, 1.2 - placed[0]) + max(0.0, -1.2 - placed[-1])
    found = np.empty(placed.size)
    found[order] = placed
    return [float(height) for height in found]


if __name__ == "__main__":
    sys.exit(run(draw_pie))
