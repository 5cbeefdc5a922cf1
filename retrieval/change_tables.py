"""How values change, as rows: at one moment, from sample to sample, from one time to another."""

from collections.abc import Sequence

import polars as pl

from retrieval.data_request import ReadingsRequest
from retrieval.measures import Course
from retrieval.query_text import Column, Role
from retrieval.tables import PERIOD, Part, Shaped
from retrieval.understanding import Why, stop

METHODS = {
    Course.CHANGE_POINT: "The samples are parted in two where their squared distances from the mean"
    " of their part add up to the least; the second part begins with the sample that is told.",
    Course.STEP: "A step is the difference of two successive samples, not across gaps.",
    Course.RISE: "A rise is the difference of two successive samples, not across gaps.",
    Course.FALL: "A fall is the difference of two successive samples, not across gaps.",
    Course.SLOPE: "The rate of change is the slope of the line fitted to all samples by least"
    " squares.",
}


def change_shape(request: ReadingsRequest, part: Part) -> Shaped:
    """The table of one part: the largest changes first where several things are told."""
    columns, frame = part.compiled.columns, part.frame
    unit = request.quantities[0].unit
    match request.course:
        case Course.CHANGE_POINT:
            frame = frame.with_columns((pl.col("after") - pl.col("before")).alias("difference"))
            columns = (*columns, Column("difference", "after minus before", Role.VALUE, unit))
            size = pl.col("difference").abs()
        case Course.STEP:
            size = pl.max_horizontal(pl.col("rise").abs(), pl.col("fall").abs())
        case Course.FALL:
            size = -pl.col("fall")
        case Course.RISE:
            size = pl.col("rise")
        case _:
            size = pl.col("slope").abs()
    frame = frame.sort(size, descending=True, nulls_last=True, maintain_order=True)
    if request.ranking is not None and request.ranking.limit is not None:
        frame = frame.head(request.ranking.limit)
    return Shaped(part.compiled.name, columns, frame.select([c.variable for c in columns]))


def between_times(table: Shaped, labels: Sequence[str]) -> Shaped:
    """The value of each thing at two times, and the second minus the first.

    ``table`` is what :func:`retrieval.tables.stacked` gives of two windows.
    """
    values = [c for c in table.columns if c.role is Role.VALUE]
    keys = [c for c in table.columns if c.role is Role.KEY and c != PERIOD]
    if len(values) != 1:
        raise stop(Why.NOT_UNDERSTOOD, "I can tell the change of one value at a time.")
    value = values[0]
    names = [c.variable for c in keys]
    halves = [
        table.frame.filter(pl.col(PERIOD.variable) == label).select(
            *names, pl.col(value.variable).alias(name)
        )
        for label, name in zip(labels, ("first", "second"), strict=True)
    ]
    if names:
        frame = halves[0].join(halves[1], on=names, how="full", coalesce=True)
        frame = frame.sort(names)
    else:
        frame = pl.concat(halves, how="horizontal")
    frame = frame.with_columns((pl.col("second") - pl.col("first")).alias("change"))
    columns = (
        *keys,
        Column("first", f"{value.heading} first", Role.VALUE, value.unit),
        Column("second", f"{value.heading} second", Role.VALUE, value.unit),
        Column("change", "second minus first", Role.VALUE, value.unit),
    )
    return Shaped("change", columns, frame)
