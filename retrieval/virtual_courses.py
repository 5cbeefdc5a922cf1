"""Aggregates over how values go in a group, as Polars expressions: steps, changes, slopes."""

from collections.abc import Callable

import polars as pl

from retrieval.analytic_courses import EQUALLY_GOOD
from retrieval.analytic_numbers import HELD_PERIODS
from retrieval.query_result import Kind
from retrieval.virtual_rows import Column
from retrieval.virtual_values import Typed, halves, numbers, sound

Build = Callable[[Typed], tuple[pl.Expr, Column]]


class _Ordered:
    """The samples of a group in order of time."""

    def __init__(self, value: Typed) -> None:
        self.parts = halves(value, Kind.SAMPLE)
        time = self.parts[1].expr.dt.convert_time_zone("UTC")
        number = numbers(self.parts[0])
        self.time = time.sort_by([time, number])
        self.value = number.sort_by([time, number])

    def result(self, expression: pl.Expr, kind: Kind) -> tuple[pl.Expr, Column]:
        return sound(expression, *self.parts), Column(kind, True)

    @property
    def is_finite(self) -> pl.Expr:
        return self.value.is_finite().all()

    @property
    def gap(self) -> pl.Expr:
        """Milliseconds since the sample before."""
        return self.time.diff().dt.total_milliseconds()

    @property
    def near(self) -> pl.Expr:
        """Whether the sample before is at another time and not beyond a gap."""
        period = self.gap.filter(self.gap > 0).median()
        return (self.gap > 0) & (self.gap <= HELD_PERIODS * period)

    @property
    def step(self) -> pl.Expr:
        """Differences from the sample before, where that is near."""
        return self.value.diff().filter(self.near)


def _earliest(value: Typed) -> tuple[pl.Expr, Column]:
    samples = _Ordered(value)
    return samples.result(samples.value.first(), Kind.DOUBLE)


def _largest(up: bool) -> Build:
    def build(value: Typed) -> tuple[pl.Expr, Column]:
        samples = _Ordered(value)
        largest = samples.step.max() if up else samples.step.min()
        return samples.result(pl.when(samples.is_finite).then(largest), Kind.DOUBLE)

    return build


def _time_of_step(up: bool) -> Build:
    def build(value: Typed) -> tuple[pl.Expr, Column]:
        samples = _Ordered(value)
        largest = samples.step.max() if up else samples.step.min()
        times = samples.time.filter(samples.near).filter(samples.step == largest)
        return samples.result(pl.when(samples.is_finite).then(times.min()), Kind.DATE_TIME)

    return build


def _time_of_change(value: Typed) -> tuple[pl.Expr, Column]:
    samples = _Ordered(value)
    values, count = samples.value, samples.value.len().cast(pl.Float64)
    place = pl.int_range(1, values.len() + 1).cast(pl.Float64)
    sums = (values - values.mean()).cum_sum()
    # What a parting before the next sample explains; none lies behind the last or within a moment.
    explained = sums**2 / (place * (count - place))
    allowed = (samples.time.shift(-1) > samples.time).fill_null(False)
    shares = explained.filter(allowed)
    good = shares >= shares.max() * EQUALLY_GOOD
    moment = samples.time.shift(-1).filter(allowed).filter(good).min()
    varies = samples.is_finite & (values.max() > values.min())
    return samples.result(pl.when(varies).then(moment), Kind.DATE_TIME)


def _slope(value: Typed) -> tuple[pl.Expr, Column]:
    samples = _Ordered(value)
    seconds = samples.time.dt.epoch("ms").cast(pl.Float64) / 1000
    apart = seconds - seconds.mean()
    together = (apart * (samples.value - samples.value.mean())).sum()
    known = samples.is_finite & (samples.time.max() > samples.time.min())
    return samples.result(pl.when(known).then(together / (apart**2).sum()), Kind.DOUBLE)


COURSES: dict[str, Build] = {
    "earliest": _earliest,
    "largestRise": _largest(up=True),
    "largestFall": _largest(up=False),
    "timeOfRise": _time_of_step(up=True),
    "timeOfFall": _time_of_step(up=False),
    "timeOfChange": _time_of_change,
    "slope": _slope,
}
"""By the local name of the function."""
