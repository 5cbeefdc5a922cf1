"""The difference of two values of a result, where a result has just two."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from retrieval.measures import Ranking
from retrieval.query_text import Column, Role
from retrieval.tables import Shaped
from retrieval.understanding import Why, stop

MINUS = "first minus second"
"""The heading of a difference."""


def as_named(table: Shaped, names: Sequence[str]) -> Shaped:
    """``table`` with its two rows in the order in which their things were named."""
    key = table.columns[0]
    found = table.frame[key.variable].to_list() if key.role is Role.KEY else []
    if len(names) != 2 or sorted(found) != sorted(names) or found == list(names):
        return table
    return replace(table, frame=table.frame.reverse())


def with_difference(table: Shaped) -> list[Shaped]:
    """``table`` with the difference of the two values of each row, or of its only two values.

    Raises ReadingStops where there are more or fewer than two comparable values.
    """
    values = [c for c in table.columns if c.role is Role.VALUE]
    if table.frame.height < 2 or len(values) != 2 or values[0].unit != values[1].unit:
        return [table, difference_table(table)]
    first, second = values
    minus = (pl.col(first.variable) - pl.col(second.variable)).alias("difference")
    column = Column("difference", MINUS, Role.VALUE, first.unit)
    return [Shaped(table.name, (*table.columns, column), table.frame.with_columns(minus))]


def ranked_by_difference(tables: list[Shaped], ranking: Ranking) -> list[Shaped]:
    """``tables`` with the rows of the first put in the order of their differences, and cut.

    Raises ReadingStops where there is no difference in each row.
    """
    first, *rest = tables
    if "difference" not in first.frame.columns or first.frame.height < 2:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "I can rank differences of two quantities that each thing has. Please name the two.",
        )
    size = pl.col("difference").abs()
    keys = [pl.col(c.variable) for c in first.columns if c.role is Role.KEY]
    descending = [ranking.descending, *(False for _ in keys)]
    rows = first.frame.drop_nulls("difference").sort(size, *keys, descending=descending)
    return [replace(first, frame=rows.head(ranking.limit or rows.height)), *rest]


def difference_table(table: Shaped) -> Shaped:
    """One row with the difference of the two values of ``table``: the first minus the second.

    Raises ReadingStops where there are more or fewer than two comparable values.
    """
    values = [c for c in table.columns if c.role is Role.VALUE]
    units = {c.unit for c in values}
    if table.frame.height == 2 and len(values) == 1:
        column = values[0]
        first, second = table.frame[column.variable].to_list()
        unit = column.unit
    elif table.frame.height == 1 and len(values) == 2 and len(units) == 1:
        first, second = (table.frame[c.variable][0] for c in values)
        unit = values[0].unit
    else:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "I can give the difference of exactly two values, and here there are"
            f" {table.frame.height * len(values)}. Please name the two.",
        )
    if first is None or second is None:
        raise stop(
            Why.NOT_UNDERSTOOD, "One of the two values is missing, so there is no difference."
        )
    frame = pl.DataFrame({"difference": [float(first) - float(second)]})
    column = Column("difference", MINUS, Role.VALUE, unit)
    return Shaped("difference", (column,), frame)
