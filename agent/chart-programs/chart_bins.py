"""Chooses the bins of a histogram: aligned to the resolution, with marked tails."""

from dataclasses import dataclass

import numpy as np
from chart_page import number_text
from chart_table import Floats

MOST_BINS = 60
FEWEST_BINS = 8
TAIL = 0.005
"""The share of values at each end that a tail may hold."""
CROWDED = 6
"""If the middle 99 % would fill fewer bins than this, the ends become tails."""


@dataclass(frozen=True)
class Tail:
    """The values beyond the last regular bin on one side."""

    is_low: bool
    count: float
    edge: float
    """The outer edge of its bin."""
    text: str


@dataclass(frozen=True)
class Bins:
    """Edges of equal width; the first or last bin may hold a whole tail."""

    edges: Floats
    width: float
    tails: dict[int, Tail]

    def counts(self, values: Floats, weight: Floats) -> Floats:
        """How many values lie in each bin; a bin holds its lower edge, the last one both."""
        inside = np.clip(values, self.edges[0], self.edges[-1])
        counts, _ = np.histogram(inside, self.edges, weights=weight)
        return counts.astype(np.float64)


def bins_for(values: Floats, weight: Floats, wanted: int | None) -> Bins:
    """Bins for values that occurred so often; ``wanted`` is the number asked for."""
    low, high = float(values.min()), float(values.max())
    if low == high:
        half = max(abs(low) * 0.05, 0.5)
        return Bins(np.array([low - half, low + half]), 2 * half, {})
    grain = resolution(values)
    if wanted is not None:
        width = widened((high - low) / wanted, grain) if grain else (high - low) / wanted
        return Bins(edges_over(low, high, width, grain, exact=grain is None), width, {})
    ends = quantiles(values, weight, (TAIL, 0.25, 0.75, 1 - TAIL))
    width = good_width(ends[2] - ends[1], weight.sum(), high - low, grain)
    if (high - low) / width <= MOST_BINS:
        return Bins(edges_over(low, high, width, grain), width, {})
    coarse = widened(nice((high - low) / MOST_BINS), grain)
    if (ends[3] - ends[0]) / coarse >= CROWDED:
        return Bins(edges_over(low, high, coarse, grain), coarse, {})
    middle = max(ends[3] - ends[0], grain or 0.0) or (high - low) / MOST_BINS
    width = widened(nice(max(middle / (MOST_BINS - 20), width)), grain)
    return with_tails(values, weight, width, grain, (ends[0], ends[3]))


def with_tails(
    values: Floats, weight: Floats, width: float, grain: float | None, ends: tuple[float, float]
) -> Bins:
    """Regular bins over the middle, and one bin for all that lies beyond on each side."""
    low, high = float(values.min()), float(values.max())
    start = low if ends[0] - low <= 10 * width else ends[0]
    stop = high if high - ends[1] <= 10 * width else ends[1]
    edges = edges_over(start, stop, width, grain)
    tails: dict[int, Tail] = {}
    below, above = values < edges[0], values > edges[-1]
    if below.any():
        text = f"below {number_text(edges[0])} (down to {number_text(low)})"
        edges = np.concatenate(([edges[0] - 2 * width], edges))
        tails[0] = Tail(True, float(weight[below].sum()), float(edges[0]), text)
    if above.any():
        text = f"above {number_text(edges[-1])} (up to {number_text(high)})"
        edges = np.concatenate((edges, [edges[-1] + 2 * width]))
        tails[len(edges) - 2] = Tail(False, float(weight[above].sum()), float(edges[-1]), text)
    return Bins(edges, width, tails)


def resolution(values: Floats) -> float | None:
    """The step that all values are multiples of, if they were measured in steps."""
    distinct = np.unique(values)
    if distinct.size < 2 or distinct.size > 20_000:
        return None
    step = float(np.diff(distinct).min())
    # Floats of one decimal differ by a little more or less than a tenth.
    step = float(f"{step:.6g}")
    if step <= 0 or (distinct[-1] - distinct[0]) / step > 1e6:
        return None
    counts = distinct / step
    return step if float(np.abs(counts - np.round(counts)).max()) < 1e-3 else None


def quantiles(values: Floats, weight: Floats, shares: tuple[float, ...]) -> list[float]:
    """The values below which these shares of the sample lie."""
    order = np.argsort(values, kind="stable")
    cumulated = np.cumsum(weight[order])
    places = np.searchsorted(cumulated, np.array(shares) * cumulated[-1])
    return [float(value) for value in values[order][np.minimum(places, values.size - 1)]]


def good_width(spread: float, count: float, span: float, grain: float | None) -> float:
    """A round width from the spread of the middle half (Freedman and Diaconis)."""
    by_spread = 2 * spread / float(count) ** (1 / 3)
    width = min(by_spread or span / 30, span / FEWEST_BINS)
    return widened(nice(width), grain)


def nice(width: float) -> float:
    """The next larger 1, 2, 2.5 or 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(width))
    for step in (1.0, 2.0, 2.5, 5.0, 10.0):
        if width <= step * power * (1 + 1e-9):
            return float(step * power)
    return float(10 * power)


def widened(width: float, grain: float | None) -> float:
    """The width as a whole multiple of the resolution, at least one."""
    return width if grain is None else grain * max(1.0, float(np.ceil(width / grain - 1e-6)))


def edges_over(
    low: float, high: float, width: float, grain: float | None, *, exact: bool = False
) -> Floats:
    """Edges from at or below ``low`` to above ``high``; measured steps lie between them."""
    if exact:
        return np.linspace(low, high, round((high - low) / width) + 1)
    if grain is None:
        start = np.floor(low / width + 1e-9) * width
        count = int(np.floor((high - start) / width + 1e-9)) + 1
    else:
        start = low - grain / 2
        count = int(np.floor((high - start) / width)) + 1
    return np.asarray(start + width * np.arange(count + 1), dtype=np.float64)
