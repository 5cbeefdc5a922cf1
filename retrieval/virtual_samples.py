"""Samples of each group put in order of time: how long each is held, where runs begin and end."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import polars as pl

from retrieval.analytic_numbers import HELD_PERIODS
from retrieval.query_result import TIME
from retrieval.virtual_intervals import place

_TEXT = "%Y-%m-%dT%H:%M:%SZ"


class Order(StrEnum):
    """What is looked for among samples in order of time."""

    HELD = "how long each is held"
    RUNS = "runs of values other than zero"
    MARKED = "runs of marked samples, with what lies in them"
    GAPS = "longer times between two samples"


@dataclass(frozen=True, slots=True)
class Samples:
    """The hidden columns of one aggregate over samples."""

    number: int
    order: Order

    def column(self, name: str) -> str:
        """Name of a hidden column."""
        return f".{name}{self.number}"

    @property
    def time(self) -> pl.Expr:
        """Instants (ms, UTC)."""
        return pl.col(self.column("time"))

    @property
    def value(self) -> pl.Expr:
        """Values (Float64)."""
        return pl.col(self.column("value"))

    @property
    def mark(self) -> pl.Expr:
        """Whether each is looked for (Boolean)."""
        return pl.col(self.column("mark"))

    @property
    def parts(self) -> list[pl.Expr]:
        """What a sample is made of."""
        return [self.value, self.time, *([self.mark] if self.order is Order.MARKED else [])]

    def integral(self) -> pl.Expr:
        """Sum of value x seconds held over a group; null where no period can be told."""
        held = pl.col(self.column("held"))
        return pl.when((held.len() > 0) & (held.null_count() == 0)).then((self.value * held).sum())

    def spans(self) -> pl.Expr:
        """Runs or gaps of a group, as text."""
        return pl.col(self.column("span")).drop_nulls().sort().str.join(" ")

    def prepared(self, frame: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
        """``frame`` (with time and value) in order, with the columns that the above read."""
        # Without an instant first of its group, which has no result then.
        moment = place(self.time.fill_null(pl.lit(0, pl.Int64).cast(TIME)))
        frame = _coded(frame, keys).with_columns(moment.alias(".place"))
        if not frame[".place"].is_sorted():
            frame = frame.sort(".place")
        if frame.select((pl.col(".place").diff() == 0).any()).item():
            frame = frame.sort(".place", self.value)
        code = pl.col(".code")
        gap = (self.time.shift(-1) - self.time).dt.total_milliseconds().cast(pl.Float64)
        same = (code == code.shift(-1)).fill_null(False)
        frame = frame.select(
            pl.exclude(".place"), same.alias(".same"), pl.when(same).then(gap).alias(".gap")
        )
        apart = pl.col(".gap").filter(pl.col(".gap") > 0)
        groups = frame.group_by(".code").agg(apart.median(), pl.len().alias(".rows"))
        # The groups lie one after the other in order of their codes.
        periods = groups.sort(".code").select(pl.col(".gap").repeat_by(".rows").explode())
        frame = frame.with_columns(periods[".gap"].alias(".period"))
        kept = pl.exclude(".code", ".same", ".gap", ".period")
        if self.order is Order.HELD:
            return frame.select(kept, self._held())
        if self.order is Order.GAPS:
            return frame.select(kept, self._gap())
        return self._with_runs(frame).select(kept)

    def _held(self) -> pl.Expr:
        """Seconds until the next sample, but no more than three periods."""
        gap, period, same = pl.col(".gap"), pl.col(".period"), pl.col(".same")
        # Equal instants wait for the next different one; -1 marks the end of a group.
        following = pl.when(~same).then(pl.lit(-1.0)).when(gap > 0).then(gap).backward_fill()
        limited = pl.min_horizontal(following, HELD_PERIODS * period)
        held = pl.when(following < 0).then(period).otherwise(limited)
        return (held / 1000).alias(self.column("held"))

    def _gap(self) -> pl.Expr:
        """The span up to the next sample where it is longer than the value in seconds."""
        span = _written(self.time, self.time.shift(-1))
        return pl.when(pl.col(".gap") > self.value * 1000).then(span).alias(self.column("span"))

    def _with_runs(self, frame: pl.DataFrame) -> pl.DataFrame:
        """``frame`` with the span of each run at its last sample."""
        gap, same = pl.col(".gap"), pl.col(".same")
        on = self.mark if self.order is Order.MARKED else self.value != 0
        far = (gap > HELD_PERIODS * pl.col(".period")).fill_null(False)
        ends = ~same | ~on.shift(-1).fill_null(False) | far
        # What ends one run begins the next.
        begins = ends.shift(1, fill_value=True) | ~on.shift(1).fill_null(False)
        frame = frame.with_columns(
            (on & ends).fill_null(False).alias(".last"), (on & begins).cum_sum().alias(".run")
        )
        runs = frame.filter(on).group_by(".run").agg(self._run()).rename({"span": ".span"})
        last = frame.join(runs, on=".run", how="left", maintain_order="left")
        span = pl.when(".last").then(".span").alias(self.column("span"))
        return last.with_columns(span).drop(".last", ".run", ".span")

    def _run(self) -> pl.Expr:
        span = _written(self.time.min(), self.time.max())
        if self.order is Order.RUNS:
            return span.alias("span")
        numbers = (self.value.len(), self.value.min(), self.value.max())
        return pl.concat_str([span, *(n.cast(pl.String) for n in numbers)], separator="/").alias(
            "span"
        )


def _written(first: pl.Expr, last: pl.Expr) -> pl.Expr:
    return first.dt.strftime(_TEXT) + "/" + last.dt.strftime(_TEXT)


def _coded(frame: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """``frame`` with a number for its ``keys`` in ``.code``."""
    if not keys:
        return frame.with_columns(pl.lit(0, pl.UInt32).alias(".code"))
    if len(keys) == 1 and frame.schema[keys[0]] == pl.Categorical():
        number = pl.col(keys[0]).to_physical().cast(pl.Int64) + 1
        return frame.with_columns(number.fill_null(0).alias(".code"))
    codes = frame.select(keys).unique().with_row_index(".code")
    return frame.join(codes, on=list(keys), how="left", nulls_equal=True, maintain_order="left")
