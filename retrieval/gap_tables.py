"""Missing samples as rows: between two samples, before the first, behind the last, or all."""

from collections.abc import Sequence
from datetime import timedelta

import polars as pl

from retrieval.compile_course import SILENT
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Course
from retrieval.query_text import Column, Role
from retrieval.request import TimeWindow
from retrieval.tables import Part, Shaped

_TIME = pl.Datetime("ms", "UTC")
SINCE = Column("since", "without samples from", Role.TIME)
TILL = Column("till", "to", Role.TIME)
MINUTES = Column("minutes", "length", Role.VALUE, "min")
WHERE = Column("place", "lies", Role.VALUE)
GAPS = Column("gaps", "gaps", Role.COUNT)
LONGEST = Column("longest", "longest", Role.VALUE, "min")
_WHOLE, _FIRST, _LAST, _INNER = "the whole time", "before the first sample", "to the end", "between"


def gap_tables(
    request: ReadingsRequest, parts: Sequence[Part], window: TimeWindow | None
) -> list[Shaped]:
    """The gaps of one window, and where there are several things how many each has."""
    part = parts[0]
    if request.course is Course.LAST_SAMPLE:
        return [_last_samples(parts, window)]
    keys = [key.variable for key in part.keys]
    frames = [_inner(part, keys)]
    if window is not None:
        frames += [_edges(part, keys, window), *_silent(parts[1:], keys, window)]
    length = (pl.col("till") - pl.col("since")).dt.total_seconds()
    rows = pl.concat(frames).with_columns((length / 60).alias("minutes"))
    rows = rows.filter(pl.col("minutes") * 60 > request.longer)
    columns = (*part.keys, SINCE, TILL, MINUTES, WHERE)
    several = part.frame.height + sum(p.frame.height for p in parts[1:]) > 1
    if request.course is Course.LONGEST_GAP:
        rows = rows.sort("minutes", descending=True)
        rows = rows.unique(keys, keep="first", maintain_order=True) if keys else rows.head(1)
        if request.ranking is not None and request.ranking.limit is not None:
            rows = rows.head(request.ranking.limit)
    else:
        rows = rows.sort("since", *keys)
    table = Shaped(part.compiled.name, columns, rows.select([c.variable for c in columns]))
    if not several or request.course is Course.LONGEST_GAP or not keys:
        return [table]
    counted = rows.group_by(keys).agg(
        pl.len().cast(pl.Int64).alias("gaps"), pl.col("minutes").max().alias("longest")
    )
    name = f"gaps of {part.compiled.name}"
    return [table, Shaped(name, (*part.keys, GAPS, LONGEST), counted.sort("longest", *keys))]


def _inner(part: Part, keys: list[str]) -> pl.DataFrame:
    ends = pl.col("spans").str.split("/").list
    read = (
        ends.get(place).str.to_datetime(time_unit="ms", time_zone="UTC", format="%+").alias(name)
        for place, name in enumerate(("since", "till"))
    )
    return (
        part.frame.filter(pl.col("spans").str.len_chars() > 0)
        .with_columns(pl.col("spans").str.split(" "))
        .explode("spans")
        .select(*keys, *read, pl.lit(_INNER).alias("place"))
    )


def _edges(part: Part, keys: list[str], window: TimeWindow) -> pl.DataFrame:
    start, end = pl.lit(window.start).cast(_TIME), pl.lit(window.end).cast(_TIME)
    first = part.frame.select(
        *keys, start.alias("since"), pl.col("begins").alias("till"), pl.lit(_FIRST).alias("place")
    )
    last = part.frame.select(
        *keys, pl.col("ends").alias("since"), end.alias("till"), pl.lit(_LAST).alias("place")
    )
    return pl.concat([first, last])


def _silent(parts: Sequence[Part], keys: list[str], window: TimeWindow) -> list[pl.DataFrame]:
    start, end = pl.lit(window.start).cast(_TIME), pl.lit(window.end).cast(_TIME)
    named = [p for p in parts if p.compiled.name == SILENT and set(keys) <= set(p.frame.columns)]
    return [
        p.frame.select(
            *keys, start.alias("since"), end.alias("till"), pl.lit(_WHOLE).alias("place")
        )
        for p in named
    ]


def _last_samples(parts: Sequence[Part], window: TimeWindow | None) -> Shaped:
    """The last sample of each thing, and for how long there has been none since."""
    part = parts[0]
    columns = (*part.keys, *part.compiled.columns[len(part.keys) :])
    frame = part.frame.select([c.variable for c in columns])
    keys = {key.variable for key in part.keys}
    silent = [
        p.frame for p in parts[1:] if p.compiled.name == SILENT and keys == set(p.frame.columns)
    ]
    frame = pl.concat([*silent, frame], how="diagonal").select(frame.columns)
    if window is not None:
        age = (pl.lit(window.end).cast(_TIME) - pl.col("ends")).dt.total_seconds()
        frame = frame.with_columns(age.cast(pl.Float64).alias("age"))
        columns = (*columns, Column("age", "until the end of the time", Role.VALUE, "s"))
    return Shaped(part.compiled.name, columns, frame)


def usual_gap(spacing: float) -> timedelta:
    """How long no sample must come for that to be a gap, where nobody says."""
    return timedelta(seconds=max(1.0, 3 * spacing))
