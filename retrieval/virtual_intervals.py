"""Joins of instants with intervals of the same thing, by binary search on one number."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from retrieval.virtual_rows import NotTranslatable

FIRST = ".first"
"""Column of an interval's first instant (ms, UTC)."""
LAST = ".last"
"""Column of an interval's last instant, which belongs to it."""
_BITS = 42
"""Milliseconds since 1970 fit into so many bits until the year 2109."""
_MOST_PAIRS = 150_000_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """First and last instant of each interval, as columns to be computed."""

    first: tuple[pl.Expr, ...]
    last: tuple[pl.Expr, ...]

    def added_to(self, frame: pl.DataFrame, start: pl.Expr, end: pl.Expr) -> pl.DataFrame:
        """``frame`` with FIRST and LAST, within ``start`` to ``end``; empty intervals go."""
        return frame.with_columns(
            pl.max_horizontal(start, *self.first).alias(FIRST),
            pl.min_horizontal(end, *self.last).alias(LAST),
            pl.all_horizontal(e.is_not_null() for e in (*self.first, *self.last)).alias(".known"),
        ).filter(pl.col(".known") & (pl.col(FIRST) <= pl.col(LAST)))


def codes_of(intervals: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """The distinct ``keys`` of ``intervals``, numbered in ``.code``."""
    if not keys:
        return pl.DataFrame({".code": [0]}, schema={".code": pl.UInt32})
    return intervals.select(keys).unique().with_row_index(".code")


def with_code(frame: pl.LazyFrame, codes: pl.DataFrame, keys: Sequence[str]) -> pl.LazyFrame:
    """The rows of ``frame`` whose keys have a number, with it in ``.code``."""
    if not keys:
        return frame.with_columns(pl.lit(0, pl.UInt32).alias(".code"))
    return frame.join(codes.lazy(), on=list(keys), how="inner")


def pairs(
    intervals: pl.DataFrame,
    instants: pl.DataFrame,
    keys: Sequence[str],
    codes: pl.DataFrame,
    time: str,
) -> pl.DataFrame:
    """Each interval with each instant in it: all columns of both sides but the code.

    ``instants`` has ``.code`` in place of the keys. Raises NotTranslatable for too many pairs.
    """
    instants = instants.with_columns(place(pl.col(time)).alias(".place")).drop(".code")
    if not instants[".place"].is_sorted():
        instants = instants.sort(".place")
    places = instants[".place"]
    intervals = with_code(intervals.lazy(), codes, keys).collect()
    first = places.search_sorted(intervals.select(place(pl.col(FIRST)))[:, 0], "left")
    last = places.search_sorted(intervals.select(place(pl.col(LAST)))[:, 0], "right")
    intervals = intervals.drop(".code", FIRST, LAST).with_columns(
        first.cast(pl.Int64).alias(".from"), last.cast(pl.Int64).alias(".to")
    )
    intervals = intervals.filter(pl.col(".to") > pl.col(".from"))
    total = intervals.select((pl.col(".to") - pl.col(".from")).sum()).item()
    if total > _MOST_PAIRS:
        raise NotTranslatable(f"{total} pairs of intervals and instants")
    rows = intervals.with_columns(pl.int_ranges(".from", ".to").alias(".at")).drop(".from", ".to")
    rows = rows.explode(".at")
    found = instants.drop(".place")[rows[".at"]]
    return pl.concat([rows.drop(".at"), found], how="horizontal")


def inside(
    intervals: pl.DataFrame, points: pl.DataFrame, keys: Sequence[str], time: str
) -> pl.Series:
    """Whether each of ``points`` lies in some interval with the same keys."""
    codes = codes_of(intervals, keys)
    numbered = with_code(intervals.lazy(), codes, keys)
    spans = (
        numbered.select(place(pl.col(FIRST)).alias("first"), place(pl.col(LAST)).alias("last"))
        .sort("first")
        .with_columns(pl.col("last").cum_max())
        .collect()
    )
    # A left join keeps the order of the points.
    coded = points.lazy().select(*keys, time)
    if keys:
        coded = coded.join(codes.lazy(), on=list(keys), how="left", maintain_order="left")
    else:
        coded = coded.with_columns(pl.lit(0, pl.UInt32).alias(".code"))
    places = coded.select(place(pl.col(time)).alias("place")).collect()["place"]
    if spans.is_empty():
        return pl.Series([False]).new_from_index(0, points.height)
    before = spans["first"].search_sorted(places.fill_null(-1), "right").cast(pl.Int64) - 1
    latest = spans["last"][before.clip(0)]
    return ((before >= 0) & (places <= latest)).fill_null(False)


def place(time: pl.Expr) -> pl.Expr:
    """The column ``.code`` and an instant as one number that orders by both."""
    milliseconds = time.dt.timestamp("ms").clip(0, (1 << _BITS) - 1)
    return pl.col(".code").cast(pl.Int64) * (1 << _BITS) + milliseconds
