"""The periods that queries give as text, as rows: when, how long, how many samples, the peak."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from retrieval.data_request import ReadingsRequest
from retrieval.measures import Comparison, Condition, Course
from retrieval.query_text import Column, Role
from retrieval.tables import Part, Shaped

_FIELDS = ("since", "till", "samples", "lowest", "highest")
_TIME = pl.Datetime("ms", "UTC")
SINCE = Column("since", "first sample", Role.TIME)
TILL = Column("till", "last sample", Role.TIME)
MINUTES = Column("minutes", "between them", Role.VALUE, "min")
SAMPLES = Column("samples", "samples", Role.COUNT)
TIMES = Column("periods", "periods", Role.COUNT)
_NUMBER = pl.len().cast(pl.Int64).alias("periods")
_SINGLE = frozenset({Course.LONGEST_PERIOD, Course.FIRST_PERIOD, Course.LAST_PERIOD})
_BELOW = frozenset({Comparison.BELOW, Comparison.AT_MOST})


def course_tables(request: ReadingsRequest, part: Part) -> list[Shaped]:
    """The tables of one part: what is asked for first, and what it rests on."""
    rows = _period_table(request, part)
    if request.often is not None:
        kept = often_enough(rows.frame, _names(part.keys), request.often)
        rows = replace(rows, frame=kept)
    if request.course is Course.PERIOD_COUNT:
        at_all = request.often is not None
        return [_counted(request, part, rows.frame, at_all), rows]
    several = request.course is Course.PERIODS and part.frame.height > 1
    return [rows, _counted(request, part, rows.frame, at_all=True)] if several else [rows]


def _period_table(request: ReadingsRequest, part: Part) -> Shaped:
    rows = periods(part, request.longer)
    rows = rows.sort("since", *_names(part.keys))
    unit = request.quantities[0].unit
    assert request.condition is not None
    low = request.condition.comparison in _BELOW
    peak = Column("peak", "lowest" if low else "highest", Role.VALUE, unit)
    rows = rows.with_columns(pl.col("lowest" if low else "highest").alias("peak"))
    columns = (*part.keys, SINCE, TILL, MINUTES, SAMPLES, peak)
    match request.course:
        case Course.LONGEST_PERIOD:
            rows = _one_each(part, rows.sort("minutes", descending=True, maintain_order=True))
            rows = rows.sort("minutes", descending=True, maintain_order=True)
        case Course.FIRST_PERIOD:
            rows = _one_each(part, rows)
        case Course.FIRST_AND_LAST:
            return _ends(part, rows)
        case Course.LAST_PERIOD:
            rows = _one_each(part, rows.sort("till", descending=True, maintain_order=True))
            rows = rows.sort("till", descending=True, maintain_order=True)
        case _:
            pass
    ranking = request.ranking
    if ranking is not None and ranking.limit is not None and request.course in _SINGLE:
        rows = rows.head(ranking.limit)
    return Shaped(part.compiled.name, columns, rows.select([c.variable for c in columns]))


def _ends(part: Part, rows: pl.DataFrame) -> Shaped:
    """The first and the last sample of each thing that kept the bound."""
    names = _names(part.keys)
    ends = pl.col("since").min(), pl.col("till").max(), pl.col("samples").sum(), _NUMBER
    rows = rows.group_by(names).agg(ends) if names else rows.select(ends).filter(pl.len() > 0)
    rows = rows.filter(pl.col("periods") > 0).sort("since", *names)
    columns = (*part.keys, SINCE, TILL, SAMPLES, TIMES)
    return Shaped(part.compiled.name, columns, rows.select([c.variable for c in columns]))


def often_enough(rows: pl.DataFrame, names: Sequence[str], often: Condition) -> pl.DataFrame:
    """The periods of the things that have so many of them as ``often`` says."""
    number = pl.len().over(names) if names else pl.len()
    bound = pl.lit(often.bound)
    kept = {
        Comparison.ABOVE: number > bound,
        Comparison.AT_LEAST: number >= bound,
        Comparison.BELOW: number < bound,
        Comparison.AT_MOST: number <= bound,
        Comparison.EQUAL: number == bound,
        Comparison.UNEQUAL: number != bound,
    }
    return rows.filter(kept[often.comparison])


def _names(keys: Sequence[Column]) -> list[str]:
    return [key.variable for key in keys]


def periods(part: Part, longer: float) -> pl.DataFrame:
    """One row for each span in ``spans`` that is longer than ``longer`` seconds."""
    instants = pl.col("since", "till").str.to_datetime(time_unit="ms", time_zone="UTC", format="%+")
    fields = pl.col("spans").str.split("/").list.to_struct(fields=_FIELDS)
    return (
        part.frame.filter(pl.col("spans").str.len_chars() > 0)
        .with_columns(pl.col("spans").str.split(" "))
        .explode("spans")
        .with_columns(fields)
        .unnest("spans")
        .with_columns(
            instants,
            pl.col("samples").cast(pl.Int64),
            pl.col("lowest", "highest").cast(pl.Float64),
        )
        .with_columns(((pl.col("till") - pl.col("since")).dt.total_seconds() / 60).alias("minutes"))
        .filter(pl.col("minutes") * 60 >= longer)
    )


def _one_each(part: Part, rows: pl.DataFrame) -> pl.DataFrame:
    """The first of ``rows`` for each thing."""
    names = _names(part.keys)
    return rows.unique(names, keep="first", maintain_order=True) if names else rows.head(1)


def _counted(
    request: ReadingsRequest, part: Part, rows: pl.DataFrame, at_all: bool = False
) -> Shaped:
    """How many periods each thing has; only those that have one, or with all at none as well."""
    names = _names(part.keys)
    total = pl.len().alias("periods"), pl.col("minutes").max().alias("longest")
    everyone = part.frame.select(names).unique(maintain_order=True) if names else None
    found = rows.group_by(names).agg(total) if names else rows.select(total)
    if everyone is not None and not at_all:
        found = everyone.join(found, on=names, how="left", maintain_order="left")
    found = found.with_columns(pl.col("periods").fill_null(0).cast(pl.Int64))
    ranking = request.ranking
    found = found.sort("periods", descending=ranking is None or ranking.descending)
    if ranking is not None and ranking.limit is not None:
        found = found.head(ranking.limit)
    longest = replace(MINUTES, variable="longest", heading="longest")
    name = f"number of periods of {part.compiled.name}"
    return Shaped(name, (*part.keys, TIMES, longest), found)


def course_notes(request: ReadingsRequest, part: Part) -> list[str]:
    """What must be said of the periods of ``part``: what ends one, and those cut off."""
    rows = periods(part, request.longer)
    if not rows.height:
        return []
    told = [
        "A period lasts from its first to its last sample; it ends with a sample that does not"
        " keep the bound, or where none comes for more than three times the usual spacing."
    ]
    begun = rows.filter(pl.col("since") == pl.col("begins"))
    of_start = (Course.FIRST_PERIOD, Course.FIRST_AND_LAST, Course.PERIODS)
    if begun.height and request.course in of_start:
        told.append("It was so already at the first sample in this time" + _of(part, begun) + ".")
    return told


def _of(part: Part, rows: pl.DataFrame) -> str:
    """Whose ``rows`` are, where there are several things."""
    if not part.keys or part.frame.height == 1:
        return ""
    key = part.keys[-1] if len(part.keys) == 1 else part.keys[0]
    names = [str(name) for name in rows[key.variable].unique(maintain_order=True)]
    more = " and others" if len(names) > 10 else ""
    return f" of {key.heading} {', '.join(names[:10])}{more}"
