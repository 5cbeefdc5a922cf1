"""Results of several queries to the tables of one answer: joined, labelled, completed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import polars as pl

from retrieval.data_request import ReadingsRequest
from retrieval.measures import Wanted
from retrieval.query_text import Column, Compiled, Role
from retrieval.request import TimeWindow

_TIME = pl.Datetime("ms", "UTC")
PERIOD = Column("period", "period", Role.KEY)


@dataclass(frozen=True, slots=True)
class Part:
    """The result of one query."""

    compiled: Compiled
    frame: pl.DataFrame

    @property
    def keys(self) -> tuple[Column, ...]:
        """The columns that tell its rows apart."""
        return tuple(
            c
            for c in self.compiled.columns
            if c.role is Role.KEY or (c.role is Role.TIME and c.variable in _BUCKET_NAMES)
        )


_BUCKET_NAMES = ("hour", "day", "week", "month", "slot")


@dataclass(frozen=True, slots=True)
class Shaped:
    """A table that is ready to be written."""

    name: str
    columns: tuple[Column, ...]
    frame: pl.DataFrame


def joined(parts: Sequence[Part], name: str) -> Shaped:
    """One table of all ``parts``, side by side on the keys that they share.

    Parts that have no keys are single rows and stand side by side.
    """
    first = parts[0]
    apart = len({part.compiled.name for part in parts}) > 1
    columns = list(_distinct(first, 0, len(parts), apart=apart))
    frame = _listed(first).rename(
        {c.variable: d.variable for c, d in zip(first.compiled.columns, columns, strict=True)}
    )
    keys = [k.variable for k in first.keys]
    for number, part in enumerate(parts[1:], start=1):
        more = _distinct(part, number, len(parts), apart=apart)
        other = _listed(part).rename(
            {c.variable: d.variable for c, d in zip(part.compiled.columns, more, strict=True)}
        )
        if keys:
            frame = frame.join(other, on=keys, how="full", coalesce=True, maintain_order="left")
        else:
            frame = pl.concat([frame, other], how="horizontal")
        columns += [c for c in more if c.variable not in keys]
    return Shaped(name, tuple(columns), frame.select([c.variable for c in columns]))


def numbered(table: Shaped, *, ordered: bool = True) -> Shaped:
    """``table`` with rows of numbered things in the order of their numbers: rack 2 before rack 10.

    ``ordered``: only where they are in the order of their names, which is none of their values.
    """
    first = table.columns[0]
    names = table.frame[first.variable].drop_nulls()
    if first.role is not Role.KEY or names.dtype != pl.String or names.is_empty():
        return table
    if not names.str.contains(r"^\d{1,18}$").all() or (ordered and not names.is_sorted()):
        return table
    number = pl.col(first.variable).cast(pl.Int64)
    return replace(table, frame=table.frame.sort(number, nulls_last=True, maintain_order=True))


def _listed(part: Part) -> pl.DataFrame:
    """The rows of ``part`` without what its query tells beside the columns of the table."""
    return part.frame.select([c.variable for c in part.compiled.columns])


def _distinct(part: Part, number: int, parts: int, *, apart: bool) -> tuple[Column, ...]:
    """The columns of ``part`` under names that no other part has; keys keep theirs.

    ``apart``: whether the names of the parts tell them apart, and so belong into the headings.
    """
    keys = {k.variable for k in part.keys}
    label = part.compiled.name
    named = []
    for column in part.compiled.columns:
        if column.variable in keys:
            named.append(column)
            continue
        variable = column.variable if parts == 1 else f"{column.variable}_{number}"
        several = apart and label not in column.heading
        heading = f"{column.heading} {label}" if several else column.heading
        named.append(replace(column, variable=variable, heading=heading))
    return tuple(named)


def stacked(tables: Sequence[tuple[str, Shaped]]) -> Shaped:
    """Tables of the same columns under each other, told apart by a first column."""
    frames = [
        table.frame.with_columns(pl.lit(label).alias(PERIOD.variable)) for label, table in tables
    ]
    first = tables[0][1]
    order = [PERIOD.variable, *(c.variable for c in first.columns)]
    frame = pl.concat(frames, how="vertical_relaxed").select(order)
    return Shaped(first.name, (PERIOD, *first.columns), frame)


def silent_days(part: Part, window: TimeWindow, zone: ZoneInfo) -> Shaped:
    """The days of ``window`` on which the part has no sample, by key where there are keys."""
    days = pl.DataFrame({"day": list(_days(window, zone))}, schema={"day": _TIME})
    keys = [k for k in part.keys if k.variable != "day"]
    names = [k.variable for k in keys]
    if names:
        days = part.frame.select(names).unique().join(days, how="cross")
    missing = days.join(part.frame, on=[*names, "day"], how="anti").sort(*names, "day")
    columns = (*keys, Column("day", "day without data", Role.TIME))
    return Shaped(part.compiled.name, columns, missing.select([c.variable for c in columns]))


def _days(window: TimeWindow, zone: ZoneInfo) -> Sequence[datetime]:
    day = window.start.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    days = []
    while day < window.end:
        days.append(day)
        day = (day + timedelta(days=1)).replace(tzinfo=zone)
    return days


def correlation_pairs(part: Part) -> Shaped:
    """The coefficients of a wide one-row part as a table of pairs."""
    row = part.frame.row(0, named=True)
    rows = []
    for column in part.compiled.columns:
        if column.role is Role.COUNT:
            continue
        one, _, other = column.heading.partition(" / ")
        rows.append((one, other, row[column.variable]))
    frame = pl.DataFrame(
        rows,
        schema={"one": pl.String, "other": pl.String, "r": pl.Float64},
        orient="row",
    )
    columns = (
        Column("one", "metric", Role.KEY),
        Column("other", "with", Role.KEY),
        Column("r", "Pearson r", Role.VALUE),
    )
    return Shaped("correlation", columns, frame)


def shaped(
    request: ReadingsRequest, parts: Sequence[Part], window: TimeWindow | None, zone: ZoneInfo
) -> list[Shaped]:
    """The tables of one window of a request over readings."""
    if request.wanted is Wanted.CORRELATION:
        series = [Shaped(p.compiled.name, p.compiled.columns, p.frame) for p in parts[1:]]
        return [correlation_pairs(parts[0]), *series]
    if request.wanted is Wanted.SILENT_DAYS and window is not None:
        return [silent_days(part, window, zone) for part in parts]
    if request.wanted is Wanted.MEASURES:
        return _beside(parts)
    return [Shaped(p.compiled.name, p.compiled.columns, p.frame) for p in parts]


def _beside(parts: Sequence[Part]) -> list[Shaped]:
    """``parts`` in one table for each set of keys."""
    alike: dict[tuple[Column, ...], list[Part]] = {}
    for part in parts:
        alike.setdefault(part.keys, []).append(part)
    return [
        joined(same, " and ".join(dict.fromkeys(p.compiled.name for p in same)))
        for same in alike.values()
    ]


def side_by_side(frames: Sequence[tuple[pl.DataFrame, tuple[Column, ...]]], name: str) -> Shaped:
    """Tables joined on the key columns that they share, in the order of the first."""
    frame, columns = frames[0]
    for other, more in frames[1:]:
        shared = [c.variable for c in more if c.role is Role.KEY and c in columns]
        frame = frame.join(other, on=shared, how="left", maintain_order="left")
        columns += tuple(c for c in more if c.variable not in shared)
    return Shaped(name, columns, frame)
