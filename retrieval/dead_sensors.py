"""Sensors that read nothing but 0 for a week, which is no measurement of theirs."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import polars as pl

from retrieval.data_request import ReadingsRequest
from retrieval.lake import Lake
from retrieval.measures import Owners, Selected
from retrieval.query_text import Role
from retrieval.request import TimeWindow
from retrieval.request_run import RequestRun
from retrieval.sensors import owner_tags
from retrieval.tables import Shaped

_NEVER_ZERO = frozenset({"°C", "V", "W", "RPM"})
"""Units in which a thing that works reads something else now and then."""
_LOOK_BACK = timedelta(days=7)


def dead_notes(run: RequestRun, request: ReadingsRequest, tables: Sequence[Shaped]) -> list[str]:
    """What must be said where a result shows 0 alone, and nothing else was read in a week.

    Only then is more looked through than was asked for, and no more than that.
    """
    if request.condition is not None or not tables or not _is_zero(tables[0]):
        return []
    week = [replace(w, start=min(w.start, w.end - _LOOK_BACK)) for w in request.windows]
    return [
        f"{quantity.label[:1].upper()}{quantity.label[1:]} has read nothing but 0 in the week up to"
        " then: such sensors are dead or not supported, and 0 is no measurement."
        for quantity, owners in zip(request.quantities, request.owners, strict=True)
        if week and _never_spoke(run.source.lake, quantity, owners, week)
    ]


def _is_zero(table: Shaped) -> bool:
    values = [c.variable for c in table.columns if c.role is Role.VALUE]
    numbers = table.frame.select(pl.col(values).cast(pl.Float64, strict=False))
    return bool(values) and bool(numbers.height) and all((s == 0).all() for s in numbers)


def _never_spoke(
    lake: Lake, quantity: Selected, owners: Owners, windows: Sequence[TimeWindow]
) -> bool:
    if quantity.complement or not all(m.unit in _NEVER_ZERO for m in quantity.metrics):
        return False
    for metric in quantity.metrics:
        tags = owner_tags(metric)
        readings = lake.readings(metric, windows)
        if owners.names and len(tags) == 1:
            readings = readings.filter(pl.col(tags[0]).is_in(list(owners.names)))
        if readings.select((pl.col("value") != 0).any()).collect(engine="streaming").item():
            return False
    return True
