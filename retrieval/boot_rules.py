"""Reboots: nodes whose time of boot lies in the window that is asked about, and how often."""

from dataclasses import replace

import polars as pl

from retrieval.compile_readings import Pattern
from retrieval.course_tables import often_enough
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Comparison, Condition, Course, Group, Ranking, Wanted
from retrieval.metric_choice import Chosen
from retrieval.query_text import Column, Role, holds, select
from retrieval.request import TimeWindow
from retrieval.slots import Slots
from retrieval.tables import Part, Shaped

BOOT_TIME = "boottime"
WHEN_REBOOTED = "A node counts as rebooted where its boot time lies in the window."
SAME_BOOT_SECONDS = 120
"""A clock that is set moves the boot time that is reported by less than this."""


def reboots(
    slots: Slots,
    one: Chosen,
    windows: tuple[TimeWindow, ...],
    notes: tuple[str, ...],
) -> tuple[ReadingsRequest, tuple[str, ...]]:
    """Who was rebooted in a window, or how often, or when the last time was."""
    request, said = _rebooted(slots, one, windows, notes)
    return _counted(slots, request, notes) or (request, said)


def _rebooted(
    slots: Slots,
    one: Chosen,
    windows: tuple[TimeWindow, ...],
    notes: tuple[str, ...],
) -> tuple[ReadingsRequest, tuple[str, ...]]:
    """Reboots in a window, as a bound on the boot time itself."""
    window = windows[0]
    condition = Condition(
        Comparison.AT_LEAST,
        window.start.timestamp(),
        words="boot time in the window",
        upper=window.end.timestamp() - (0 if window.includes_end else 1),
    )
    request = ReadingsRequest(
        wanted=Wanted.OWNER_COUNT if slots.counts_owners else Wanted.OWNERS,
        quantities=(one.quantity,),
        owners=(one.owners,),
        windows=windows,
        groups=(Group.OWNER,),
        condition=condition,
    )
    return request, (*notes, WHEN_REBOOTED)


def _counted(
    slots: Slots, request: ReadingsRequest, notes: tuple[str, ...]
) -> tuple[ReadingsRequest, tuple[str, ...]] | None:
    """How often things were rebooted, or when the last time was; None where neither is asked."""
    last = Course.LAST_REBOOT in slots.course.asked
    counted = Course.PERIOD_COUNT in slots.course.asked or slots.course.often is not None
    if not (last or counted):
        return None
    assert request.condition is not None
    said = (*notes, WHEN_REBOOTED)
    if last:
        # The last boot may lie long before the samples that tell it.
        condition = replace(request.condition, bound=0.0)
        request = replace(request, condition=condition, course=Course.LAST_REBOOT)
        said = (*notes, "Told is the last boot time that a sample up to then reports.")
    else:
        request = replace(request, course=Course.REBOOTS, often=slots.course.often)
    ranking = Ranking(slots.superlatives[0], 1) if slots.superlatives else None
    return replace(request, wanted=Wanted.COURSE, ranking=ranking), said


def boots_query(part: Pattern, condition: Condition) -> tuple[str, tuple[Column, ...]]:
    """One row for each thing and time of boot that a sample reports, without prefixes."""
    names = [f"?{key.variable}" for key in part.keys]
    body = [*part.lines, f"FILTER({holds('?v', condition)})"]
    query = select([*names, "?v", "(MIN(?t) AS ?seen)"], body, [*names, "?v"])
    columns = (
        *part.keys,
        Column("v", "booted at", Role.VALUE),
        Column("seen", "first seen", Role.TIME),
    )
    return query, columns


def boots_tables(request: ReadingsRequest, part: Part) -> list[Shaped]:
    """How often each thing was booted, and when; or only when it was the last time."""
    names = [key.variable for key in part.keys]
    rows = part.frame.with_columns(pl.col("v").cast(pl.Float64)).sort(*names, "v")
    apart = pl.col("v").diff()
    apart = apart.over(names) if names else apart
    rows = rows.filter(apart.is_null() | (apart > SAME_BOOT_SECONDS))
    at = pl.from_epoch(pl.col("v").cast(pl.Int64), "s").dt.replace_time_zone("UTC")
    rows = rows.with_columns(at.dt.cast_time_unit("ms").alias("booted"))
    if request.often is not None:
        rows = often_enough(rows, names, request.often)
    columns = (*part.keys, Column("booted", "booted at", Role.TIME))
    if request.course is Course.LAST_REBOOT:
        rows = rows.unique(names, keep="last", maintain_order=True) if names else rows.tail(1)
        return [Shaped("last reboot", columns, rows.select([c.variable for c in columns]))]
    times = Shaped("reboots", columns, rows.select([c.variable for c in columns]))
    counts = rows.group_by(names).agg(pl.len().cast(pl.Int64).alias("periods"))
    ranking = request.ranking
    counts = counts.sort("periods", *names, descending=ranking is None or ranking.descending)
    if ranking is not None and ranking.limit is not None:
        counts = counts.head(ranking.limit)
    number = Column("periods", "reboots", Role.COUNT)
    return [Shaped("number of reboots", (*part.keys, number), counts), times]


def with_boot_times(table: Shaped) -> Shaped:
    """``table`` of nodes with the last boot as a time rather than in seconds since 1970."""
    names = [c.variable for c in table.columns]
    if "maximum" not in names:
        return table
    at = pl.from_epoch(pl.col("maximum").cast(pl.Int64), "s").dt.replace_time_zone("UTC")
    frame = table.frame.with_columns(at.dt.cast_time_unit("ms").alias("maximum"))
    booted = Column("maximum", "booted at", Role.TIME)
    columns = tuple(booted if c.variable == "maximum" else c for c in table.columns)
    return Shaped(table.name, columns, frame)
