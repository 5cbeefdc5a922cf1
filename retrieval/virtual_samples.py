"""Samples of each group put in order of time: how long each is held, where runs begin and end."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from retrieval.analytic_numbers import HELD_PERIODS
from retrieval.virtual_intervals import place

_TEXT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class Samples:
    """The hidden columns of one aggregate over samples."""

    number: int
    runs: bool
    """Whether runs are looked for, rather than how long samples are held."""

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

    def integral(self) -> pl.Expr:
        """Sum of value x seconds held over a group; null where no period can be told."""
        held = pl.col(self.column("held"))
        return pl.when((held.len() > 0) & (held.null_count() == 0)).then((self.value * held).sum())

    def episodes(self) -> pl.Expr:
        """Runs of non-zero samples of a group, as text."""
        first = self.time.filter(pl.col(self.column("first"))).sort().dt.strftime(_TEXT)
        last = self.time.filter(pl.col(self.column("last"))).sort().dt.strftime(_TEXT)
        return (first + "/" + last).str.join(" ")

    def prepared(self, frame: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
        """``frame`` (with time and value) in order, with the columns that the above read."""
        frame = _coded(frame, keys).with_columns(place(self.time).alias(".place"))
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
        return frame.select(pl.exclude(".code", ".same", ".gap", ".period"), *self._derived())

    def _derived(self) -> list[pl.Expr]:
        gap, period, same = pl.col(".gap"), pl.col(".period"), pl.col(".same")
        longest = HELD_PERIODS * period
        if not self.runs:
            # Equal instants wait for the next different one; -1 marks the end of a group.
            following = pl.when(~same).then(pl.lit(-1.0)).when(gap > 0).then(gap).backward_fill()
            limited = pl.min_horizontal(following, longest)
            held = pl.when(following < 0).then(period).otherwise(limited)
            return [(held / 1000).alias(self.column("held"))]
        on = self.value != 0
        ends = ~same | ~on.shift(-1).fill_null(False) | (gap > longest).fill_null(False)
        # What ends one run begins the next.
        begins = ends.shift(1, fill_value=True) | ~on.shift(1).fill_null(False)
        return [
            (on & begins).alias(self.column("first")),
            (on & ends).alias(self.column("last")),
        ]


def _coded(frame: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """``frame`` with a number for its ``keys`` in ``.code``."""
    if not keys:
        return frame.with_columns(pl.lit(0, pl.UInt32).alias(".code"))
    if len(keys) == 1 and frame.schema[keys[0]] == pl.Categorical():
        number = pl.col(keys[0]).to_physical().cast(pl.Int64) + 1
        return frame.with_columns(number.fill_null(0).alias(".code"))
    codes = frame.select(keys).unique().with_row_index(".code")
    return frame.join(codes, on=list(keys), how="left", nulls_equal=True, maintain_order="left")
