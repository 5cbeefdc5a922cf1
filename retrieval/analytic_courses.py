"""What is computed from how values go over time, on plain numbers and instants."""

import math
from collections.abc import Sequence
from datetime import datetime
from itertools import accumulate, pairwise

from retrieval.analytic_numbers import HELD_PERIODS, Sample, instant_text, period

Marked = tuple[datetime, float, bool]
"""An instant, the value then, and whether it is looked for."""
EQUALLY_GOOD = 1 - 1e-9
"""A parting that explains this share of what the best one explains is as good as that."""


def runs(samples: Sequence[Marked]) -> str:
    """Runs of marked samples as "first/last/number/lowest/highest", oldest first."""
    ordered = sorted(samples, key=lambda sample: sample[:2])
    spacing = period([time for time, _, _ in ordered])
    longest = HELD_PERIODS * spacing if spacing is not None else math.inf
    found: list[list[Marked]] = []
    previous: Marked | None = None
    for sample in ordered:
        if sample[2]:
            follows = previous is not None and previous[2]
            if previous and follows and (sample[0] - previous[0]).total_seconds() <= longest:
                found[-1].append(sample)
            else:
                found.append([sample])
        previous = sample
    return " ".join(_run(run) for run in found)


def _run(run: Sequence[Marked]) -> str:
    values = [value for _, value, _ in run]
    span = f"{instant_text(run[0][0])}/{instant_text(run[-1][0])}"
    return f"{span}/{len(run)}/{min(values)!r}/{max(values)!r}"


def gaps(samples: Sequence[Sample]) -> str:
    """Times between successive samples that are longer than the first one's number of seconds."""
    ordered = sorted(samples)
    return " ".join(
        f"{instant_text(before)}/{instant_text(after)}"
        for (before, seconds), (after, _) in pairwise(ordered)
        if (after - before).total_seconds() > seconds
    )


def earliest(samples: Sequence[Sample]) -> float | None:
    """The value at the first time, the smaller of several; None of nothing."""
    return min(samples)[1] if samples else None


def _steps(samples: Sequence[Sample]) -> list[tuple[float, datetime]]:
    """The difference of each sample from the one before, with its time; none across gaps."""
    ordered = sorted(samples)
    spacing = period([time for time, _ in ordered])
    if spacing is None or not all(math.isfinite(value) for _, value in ordered):
        return []
    return [
        (value - before, time)
        for (earlier, before), (time, value) in pairwise(ordered)
        if 0 < (time - earlier).total_seconds() <= HELD_PERIODS * spacing
    ]


def largest_step(samples: Sequence[Sample], up: bool) -> float | None:
    """The largest (or lowest) difference of a sample from the one before; None of too few."""
    steps = [step for step, _ in _steps(samples)]
    return (max(steps) if up else min(steps)) if steps else None


def time_of_step(samples: Sequence[Sample], up: bool) -> datetime | None:
    """When the sample behind :func:`largest_step` was taken, the first of several."""
    wanted = largest_step(samples, up)
    return min((time for step, time in _steps(samples) if step == wanted), default=None)


def time_of_change(samples: Sequence[Sample]) -> datetime | None:
    """Where the second of the two most different parts begins; None where values are all one.

    The parts are those whose values are nearest to their means, by the sum of squares.
    """
    ordered = sorted(samples)
    values = [value for _, value in ordered]
    finite = all(math.isfinite(value) for value in values)
    if not finite or len(values) < 2 or min(values) == max(values):
        return None
    mean = math.fsum(values) / len(values)
    sums = list(accumulate(value - mean for value in values))
    number = len(values)
    explained = [
        (sums[i - 1] ** 2 / (i * (number - i)), ordered[i][0])
        for i in range(1, number)
        if ordered[i][0] > ordered[i - 1][0]
    ]
    best = max((share for share, _ in explained), default=0.0)
    return next((time for share, time in explained if share >= best * EQUALLY_GOOD), None)


def slope(samples: Sequence[Sample]) -> float | None:
    """Slope of the line fitted by least squares, in unit per second; None of one instant."""
    if not samples or not all(math.isfinite(value) for _, value in samples):
        return None
    middle = math.fsum(value for _, value in samples) / len(samples)
    times = [time.timestamp() for time, _ in samples]
    centre = math.fsum(times) / len(times)
    spread = math.fsum((time - centre) ** 2 for time in times)
    if max(times) == min(times):
        return None
    together = math.fsum(
        (time - centre) * (value - middle) for time, (_, value) in zip(times, samples, strict=True)
    )
    return together / spread
