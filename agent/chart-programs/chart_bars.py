"""Draws bars that are labelled with their values."""

from dataclasses import dataclass

import numpy as np
from chart_categories import layout_of
from chart_page import (
    COLOURS,
    HATCHES,
    SHOWN_SERIES,
    Page,
    add_legend,
    draw_marks,
    number_text,
    plain_numbers,
    wrapped,
)
from chart_spec import ChartProblem
from chart_table import Floats, Group
from matplotlib.axes import Axes
from matplotlib.container import BarContainer

MOST_VALUES = 60
"""With more bars than this the values would not be legible."""
LONG_NAME = 14


@dataclass(frozen=True)
class Bars:
    """Values by group (rows) and category (columns); NaN where there is none."""

    names: tuple[str, ...]
    groups: tuple[str, ...]
    values: np.ndarray[tuple[int, int], np.dtype[np.float64]]


def bars_of(page: Page) -> Bars:
    """The bars of the specification."""
    groups = page.tables.groups()
    if all(group.x is None for group in groups):
        names = tuple(group.label for group in groups)
        bars = Bars(names, ("",), np.array([[single(group) for group in groups]]))
    else:
        layout = layout_of(page, groups)
        values = np.full((len(groups), len(layout.names)), np.nan)
        for row, (group, places) in enumerate(zip(groups, layout.places, strict=True)):
            inside = places[places >= 0]
            if np.unique(inside).size != inside.size:
                raise ChartProblem(f"{group.label} has several values for one category")
            values[row, inside] = group.y[places >= 0]
        bars = Bars(layout.names, tuple(group.label for group in groups), values)
    known = np.isfinite(bars.values)
    for row in known:
        page.count(int(row.sum()), int(row.sum()), int((~row).sum()))
    if not known.any():
        raise ChartProblem("none of the values is a number, so there is nothing to draw")
    return bars


def single(group: Group) -> float:
    """The one value of a series without categories."""
    if group.y.size != 1:
        raise ChartProblem(f"{group.label} has {group.y.size} rows where one is expected")
    return float(group.y[0])


def draw_bars(page: Page, bars: Bars) -> None:
    """Bars beside each other; lying ones when single bars have long names."""
    shown, names = limited(page, bars), tidy(bars.names)
    longest = max(len(line) for name in names for line in name.split("\n"))
    lying = len(shown.groups) == 1 and longest > LONG_NAME and 4 < len(names) <= 30
    axes = page.one_axes()
    if lying:
        axes.set_xlabel(wrapped(page.spec.y.text, 90))
        axes.set_ylabel(wrapped(page.spec.x.text, 44))
    many = shown.values.size > 4 * MOST_VALUES
    thickness, share = (1.0 if many else 0.78) / len(shown.groups), 1.0 if many else 0.94
    middle = np.arange(len(names), dtype=np.float64)
    containers = []
    for number, (label, values) in enumerate(zip(shown.groups, shown.values, strict=True)):
        at: Floats = middle + (number - (len(shown.groups) - 1) / 2) * thickness
        containers.append(draw_row(page, axes, at, values, thickness * share, number, lying=lying))
        containers[-1].set_label(label)
    set_categories(axes, names, lying=lying)
    label_values(page, axes, containers, shown, lying=lying)
    along = axes.xaxis if lying else axes.yaxis
    (axes.yaxis if lying else axes.xaxis).grid(visible=False)
    along.grid(visible=True)
    known = shown.values[np.isfinite(shown.values)]
    plain_numbers(axes, whole=bool(np.all(known == np.round(known))), horizontal=lying)
    (axes.axvline if lying else axes.axhline)(0, color="#222222", linewidth=0.8)
    add_legend(axes, containers, list(shown.groups))  # type: ignore[arg-type]
    if not lying:
        draw_marks(page, axes)


def limited(page: Page, bars: Bars) -> Bars:
    """The groups that can be told apart: all, or the dozen with the largest sums."""
    if len(bars.groups) <= SHOWN_SERIES:
        return bars
    sums = np.nansum(np.abs(bars.values), axis=1)
    kept = np.sort(np.argsort(-sums, kind="stable")[:SHOWN_SERIES])
    page.notes.append(
        f"The {SHOWN_SERIES} groups with the largest sums are shown, "
        f"and {len(bars.groups) - SHOWN_SERIES} more are not."
    )
    return Bars(bars.names, tuple(bars.groups[n] for n in kept), bars.values[kept])


def tidy(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names in lines that fit below a bar or beside it."""
    width = 22 if len(names) <= 6 else 16
    return tuple(name if "\n" in name else wrapped(name, width) for name in names)


def draw_row(
    page: Page, axes: Axes, at: Floats, values: Floats, thick: float, number: int, *, lying: bool
) -> BarContainer:
    """The bars of one group."""
    lengths = np.nan_to_num(values)
    colour = COLOURS[number % len(COLOURS)]
    hatch = HATCHES[number % len(HATCHES)]
    bars = axes.barh if lying else axes.bar
    container = bars(at, lengths, thick, color=colour)
    if values.size <= MOST_VALUES:
        for bar in container:
            bar.set(hatch=hatch, edgecolor="white")
    page.data.extend(container)
    return container


def set_categories(axes: Axes, names: tuple[str, ...], *, lying: bool) -> None:
    """The names at the axis, turned or thinned out where they would run into each other."""
    if lying:
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_ylim(len(names) - 0.4, -0.6)
        return
    longest = max(len(line) for name in names for line in name.split("\n"))
    step = max(1, -(-len(names) // 60))
    crowded = len(names) * (longest + 1.5) > 150
    shown = [name.replace("\n", " ") if crowded else name for name in names[::step]]
    axes.set_xticks(range(0, len(names), step), shown)
    axes.tick_params(axis="x", length=0, labelsize=9 if len(names) <= 30 else 7)
    if crowded:
        axes.tick_params(axis="x", rotation=90 if len(names) > 30 else 40)
        for label in axes.get_xticklabels():
            va = "center" if len(names) > 30 else "top"
            label.set(ha="right", va=va, rotation_mode="anchor")
    axes.set_xlim(-0.6, len(names) - 0.4)


def label_values(
    page: Page, axes: Axes, containers: list[BarContainer], bars: Bars, *, lying: bool
) -> None:
    """The value at the end of each bar, or a note that there are too many."""
    count = bars.values.size
    if count > MOST_VALUES:
        known = bars.values[np.isfinite(bars.values)]
        page.notes.append(
            f"{count:,} bars, too many for values: from {number_text(float(known.min()))} "
            f"to {number_text(float(known.max()))}."
        )
        return
    for container, values in zip(containers, bars.values, strict=True):
        labels = [number_text(float(value)) for value in values]
        longest = max(len(label) for label in labels)
        turned = not lying and count * (longest + 1) > 150
        axes.bar_label(
            container, labels=labels, padding=2.5, rotation=90 if turned else 0,
            fontsize=8.5 if count <= 24 else 7.5,
        )  # fmt: skip
    if lying:
        axes.margins(x=0.1)
    else:
        axes.margins(y=0.12)
