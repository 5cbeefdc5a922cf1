"""Reboots: nodes whose time of boot lies in the window that is asked about."""

import polars as pl

from retrieval.data_request import ReadingsRequest
from retrieval.measures import Comparison, Condition, Group, Wanted
from retrieval.metric_choice import Chosen
from retrieval.query_text import Column, Role
from retrieval.request import TimeWindow
from retrieval.slots import Slots
from retrieval.tables import Shaped

BOOT_TIME = "boottime"


def reboots(
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
    said = "A node counts as rebooted where its boot time lies in the window."
    return request, (*notes, said)


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
