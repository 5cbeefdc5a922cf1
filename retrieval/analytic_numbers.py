"""What the analytic functions compute, on plain numbers and instants."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise

Sample = tuple[datetime, float]
"""An instant with the value then."""
HELD_PERIODS = 3
"""A sample stands for the time until the next one, but for no longer than so many periods."""


def stddev(values: Sequence[float]) -> float | None:
    """Population standard deviation; None of nothing."""
    if not values:
        return None
    if not all(math.isfinite(value) for value in values):
        return math.nan
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values))


def median(values: Sequence[float]) -> float | None:
    """The middle value, or the mean of the two middle ones; None of nothing."""
    return quantile([(value, 0.5) for value in values])


def quantile(pairs: Sequence[tuple[float, float]]) -> float | None:
    """The quantile that each pair repeats, linearly interpolated; None of nothing."""
    if not pairs or not 0 <= pairs[0][1] <= 1:
        return None
    # NaN counts as the largest value, as it does when values are ordered.
    values = sorted((value for value, _ in pairs), key=lambda v: (math.isnan(v), v))
    place = pairs[0][1] * (len(values) - 1)
    low = math.floor(place)
    if low == place:
        return values[low]
    return values[low] + (place - low) * (values[low + 1] - values[low])


def pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Correlation of the pairs; None where one side does not vary."""
    if len(pairs) < 2 or not all(math.isfinite(v) for pair in pairs for v in pair):
        return None
    mean_a = math.fsum(a for a, _ in pairs) / len(pairs)
    mean_b = math.fsum(b for _, b in pairs) / len(pairs)
    product = math.fsum((a - mean_a) * (b - mean_b) for a, b in pairs)
    squares = math.fsum((a - mean_a) ** 2 for a, _ in pairs) * math.fsum(
        (b - mean_b) ** 2 for _, b in pairs
    )
    result = product / math.sqrt(squares) if squares > 0 else math.nan
    return result if math.isfinite(result) else None


def period(times: Sequence[datetime]) -> float | None:
    """Median spacing of ``times`` (in order) in seconds, equal instants aside."""
    gaps = [(b - a).total_seconds() for a, b in pairwise(times)]
    return median([gap for gap in gaps if gap > 0])


def integral(samples: Sequence[Sample]) -> float | None:
    """Sum over time in unit x seconds; None where no two instants tell the period."""
    ordered = sorted(samples)
    spacing = period([time for time, _ in ordered])
    if spacing is None:
        return None
    total = []
    next_gap = spacing
    for number in range(len(ordered) - 1, -1, -1):
        time, value = ordered[number]
        if number + 1 < len(ordered):
            gap = (ordered[number + 1][0] - time).total_seconds()
            next_gap = gap if gap > 0 else next_gap
        total.append(value * min(next_gap, HELD_PERIODS * spacing))
    # Infinities of both signs have a sum, NaN, which fsum() refuses to give.
    return math.fsum(total) if all(map(math.isfinite, total)) else sum(total)


def episodes(samples: Sequence[Sample]) -> str:
    """Runs of non-zero samples as "first/last" pairs, oldest first, with spaces between."""
    ordered = sorted(samples)
    spacing = period([time for time, _ in ordered])
    longest_gap = HELD_PERIODS * spacing if spacing is not None else math.inf
    runs: list[list[datetime]] = []
    previous: Sample | None = None
    for time, value in ordered:
        if value != 0:
            joined = previous is not None and previous[1] != 0
            if previous and joined and (time - previous[0]).total_seconds() <= longest_gap:
                runs[-1][1] = time
            else:
                runs.append([time, time])
        previous = (time, value)
    return " ".join(f"{instant_text(first)}/{instant_text(last)}" for first, last in runs)


def longest(spans: str) -> float:
    """Length in seconds of the longest of ``spans``; 0 where there is none."""
    lengths = [0.0]
    for span in spans.split():
        first, last = span.split("/")[:2]
        gap = datetime.fromisoformat(last) - datetime.fromisoformat(first)
        lengths.append(gap.total_seconds())
    return max(lengths)


def time_of_extreme(samples: Sequence[Sample], highest: bool) -> datetime | None:
    """When the value was highest (or lowest), the first time of several; None of nothing."""
    known = [sample for sample in samples if not math.isnan(sample[1])]
    if not known:
        return min((time for time, _ in samples), default=None)
    sign = -1 if highest else 1
    return min(known, key=lambda sample: (sign * sample[1], sample[0]))[0]


def latest(samples: Sequence[Sample]) -> float | None:
    """The value at the last time, the larger of several; None of nothing."""
    return max(samples)[1] if samples else None


def instant_text(time: datetime) -> str:
    """``time`` in UTC, to the second, as spans of time are written."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
