"""Draws how often values occur."""

import sys
from dataclasses import dataclass

import numpy as np
from chart_bins import Bins, bins_for
from chart_page import (
    COLOURS,
    DASHES,
    SHOWN_SERIES,
    Page,
    add_legend,
    draw_marks,
    number_text,
    plain_numbers,
)
from chart_run import run
from chart_spec import ChartProblem
from chart_table import Floats, natural
from matplotlib.axes import Axes

MOST_COUNTS = 30
"""With no more bars than this each bar is labelled with its count."""
LOW = 0.01


@dataclass(frozen=True)
class Sample:
    """The values of one series and how often each occurred."""

    label: str
    values: Floats
    weight: Floats


def draw_histogram(page: Page) -> None:
    """One histogram, or the outlines of several over the same bins."""
    samples = samples_of(page)
    shown = samples[:SHOWN_SERIES]
    values = np.concatenate([sample.values for sample in shown])
    weight = np.concatenate([sample.weight for sample in shown])
    bins = bins_for(values, weight, page.spec.bins)
    axes = page.one_axes()
    if len(shown) == 1:
        draw_bars_of_counts(page, axes, bins, bins.counts(values, weight))
    else:
        draw_outlines(page, axes, bins, shown)
    if len(samples) > len(shown):
        page.notes.append(f"and {len(samples) - len(shown)} more series that are not drawn.")
    plain_numbers(axes, whole=True)
    plain_numbers(axes, whole=False, horizontal=True)
    axes.set_ylim(bottom=0)
    axes.margins(x=0.015)
    mark_tails(page, axes, bins)
    draw_marks(page, axes)
    width = f"{number_text(bins.width)} {page.spec.x.unit}".strip()
    page.notes += [f"Each bar is {width} wide.", summary(values, weight)]


def samples_of(page: Page) -> list[Sample]:
    """The known values of each series."""
    found = []
    for group in page.tables.groups():
        weight = np.ones(group.y.size) if group.weight is None else group.weight
        known = np.isfinite(group.y) & np.isfinite(weight)
        page.count(int(known.sum()), int(known.sum()), int((~known).sum()))
        if known.any() and weight[known].sum() > 0:
            found.append(Sample(group.label, group.y[known], weight[known]))
    if not found:
        raise ChartProblem("none of the values is a number, so there is nothing to draw")
    if any(sample.weight.min() < 0 for sample in found):
        raise ChartProblem("a count is negative")
    return sorted(found, key=lambda sample: natural(sample.label)) if len(found) > 1 else found


def draw_bars_of_counts(page: Page, axes: Axes, bins: Bins, counts: Floats) -> None:
    """Filled bars; those beyond the bins are hatched."""
    edges = bins.edges
    bars = axes.bar(
        edges[:-1], counts, width=np.diff(edges), align="edge", color=COLOURS[0],
        edgecolor="white", linewidth=0.6,
    )  # fmt: skip
    page.data.extend(bars)
    for number in bins.tails:
        bars[number].set(hatch="\\\\\\", facecolor="#9EC5E4", edgecolor=COLOURS[0])
    # Bars too low to be seen always say that they are there.
    least = 0.0 if len(counts) <= MOST_COUNTS else LOW * counts.max()
    wanted = (counts > 0) & ((counts <= least) | (least == 0))
    if wanted.sum() <= MOST_COUNTS:
        labels = [f"{c:,.0f}" if want else "" for c, want in zip(counts, wanted, strict=True)]
        size = 8 if len(counts) <= 18 else 7
        axes.bar_label(bars, labels=labels, fontsize=size, padding=1.5)
    axes.margins(y=0.08)


def draw_outlines(page: Page, axes: Axes, bins: Bins, samples: list[Sample]) -> None:
    """Steps, one outline a series."""
    handles = []
    for number, sample in enumerate(samples):
        counts = bins.counts(sample.values, sample.weight)
        outline = axes.stairs(
            counts, bins.edges, color=COLOURS[number % len(COLOURS)], linewidth=1.6,
            linestyle=DASHES[number % len(DASHES)], baseline=0,
        )  # fmt: skip
        handles.append(outline)
    page.data.extend(handles)
    add_legend(axes, handles, [f"{s.label} (n = {s.weight.sum():,.0f})" for s in samples])


def mark_tails(page: Page, axes: Axes, bins: Bins) -> None:
    """Say at the axis what the bars beyond the bins hold."""
    for tail in bins.tails.values():
        axes.annotate(
            tail.text,
            (tail.edge, tail.count),
            xytext=(0, 15),
            textcoords="offset points",
            fontsize=8,
            ha="left" if tail.is_low else "right",
        )
        page.notes.append(f"The hatched bar holds all {tail.count:,.0f} values {tail.text}.")


def summary(values: Floats, weight: Floats) -> str:
    """Count, extremes, median, mean and standard deviation in one sentence."""
    order = np.argsort(values, kind="stable")
    cumulated = np.cumsum(weight[order])
    total = float(cumulated[-1])
    sorted_values = values[order]
    low = sorted_values[np.searchsorted(cumulated, total / 2)]
    upper = int(np.searchsorted(cumulated, total / 2, side="right"))
    high = sorted_values[min(upper, values.size - 1)]
    mean = float((values * weight).sum() / total)
    spread = float(np.sqrt(((values - mean) ** 2 * weight).sum() / total))
    parts = (
        f"n {total:,.0f}", f"min {number_text(float(sorted_values[0]))}",
        f"median {number_text(float(low + high) / 2)}", f"mean {number_text(mean)}",
        f"max {number_text(float(sorted_values[-1]))}", f"standard deviation {number_text(spread)}",
    )  # fmt: skip
    return ", ".join(parts) + "."


if __name__ == "__main__":
    sys.exit(run(draw_histogram))
