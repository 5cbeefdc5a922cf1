"""Draws the spread of values by group."""

import sys

import numpy as np
from chart_bars import set_categories
from chart_categories import layout_of
from chart_page import COLOURS, Page, all_whole, draw_marks, plain_numbers, wrapped
from chart_run import run
from chart_spec import ChartProblem
from chart_table import Floats
from chart_thin import one_a_cell

MOST_BOXES = 40


def draw_boxes(page: Page) -> None:
    """One box a group, in the order given, with its number of values."""
    names, samples = boxes_of(page)
    if len(names) > MOST_BOXES:
        page.notes.append(f"The first {MOST_BOXES} groups, and {len(names) - MOST_BOXES} more.")
        names, samples = names[:MOST_BOXES], samples[:MOST_BOXES]
    axes = page.one_axes()
    axes.xaxis.grid(visible=False)
    for place, sample in enumerate(samples):
        page.count(sample.size, sample.size)
        if sample.size:
            draw_box(page, axes_place=place, sample=sample)
    width = 16 if len(names) <= 12 else 12
    counts = [f"n = {sample.size:,}" for sample in samples]
    labels = [f"{wrapped(n, width)}\n{c}" for n, c in zip(names, counts, strict=True)]
    set_categories(axes, tuple(labels), lying=False)
    plain_numbers(axes, whole=all_whole(samples))
    draw_marks(page, axes)
    page.notes.append(
        "Box: middle half of the values, with the median; diamond: mean; whiskers: last value "
        "within 1.5 times the box; circles: values beyond."
    )


def boxes_of(page: Page) -> tuple[list[str], list[Floats]]:
    """The names of the boxes and the known values of each."""
    groups = page.tables.groups()
    page.missing += sum(int((~np.isfinite(group.y)).sum()) for group in groups)
    if all(group.x is None for group in groups):
        order = {name: number for number, name in enumerate(page.spec.categories)}
        groups.sort(key=lambda group: order.get(group.label, len(order)))
        names = [group.label for group in groups]
        samples = [group.y[np.isfinite(group.y)] for group in groups]
    else:
        layout = layout_of(page, groups)
        place = np.concatenate(layout.places)
        values = np.concatenate([group.y for group in groups])
        known = np.isfinite(values)
        names = list(layout.names)
        samples = [values[known & (place == number)] for number in range(len(names))]
    if not any(sample.size for sample in samples):
        raise ChartProblem("none of the values is a number, so there is nothing to draw")
    return names, samples


def draw_box(page: Page, axes_place: int, sample: Floats) -> None:
    """One box with whiskers, mean, and the values beyond."""
    axes = page.figure.axes[0]
    low, middle, high = (float(v) for v in np.quantile(sample, (0.25, 0.5, 0.75)))
    reach = 1.5 * (high - low)
    inside = sample[(sample >= low - reach) & (sample <= high + reach)]
    beyond = sample[(sample < low - reach) | (sample > high + reach)]
    stats = {
        "med": middle, "q1": low, "q3": high, "whislo": float(inside.min()),
        "whishi": float(inside.max()), "mean": float(sample.mean()), "fliers": [],
    }  # fmt: skip
    drawn = axes.bxp(
        [stats], positions=[axes_place], widths=0.56, patch_artist=True, showmeans=True,
        showfliers=False, manage_ticks=False,
        boxprops={"facecolor": "#BFDDF2", "edgecolor": COLOURS[0], "linewidth": 1.2},
        medianprops={"color": "#222222", "linewidth": 1.8},
        whiskerprops={"color": COLOURS[0]}, capprops={"color": COLOURS[0]},
        meanprops={"marker": "D", "markerfacecolor": "white", "markeredgecolor": "#222222",
                   "markersize": 4.5},
    )  # fmt: skip
    for artists in drawn.values():
        page.data.extend(artists)
    if beyond.size:
        _, heights = one_a_cell(np.zeros(beyond.size), beyond, (1, 300))
        page.data += axes.plot(
            np.full(heights.size, axes_place), heights, "o", markersize=3.2, color="#222222",
            fillstyle="none", markeredgewidth=0.7, zorder=2,
        )  # fmt: skip


if __name__ == "__main__":
    sys.exit(run(draw_boxes))
