"""Shares and ratios: columns and rows made from the values of a result."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from retrieval.data_request import Ratio
from retrieval.query_text import Column, Role
from retrieval.tables import Shaped
from retrieval.understanding import Why, stop

SHARE = "share"
_PERCENT = Column(SHARE, "share", Role.VALUE, "%")


def with_ratio(table: Shaped, ratio: Ratio) -> Shaped:
    """``table`` with its one value of the part divided by that of the whole.

    Empty where the whole is zero; raises ReadingStops where there are not just two values.
    """
    values = [c for c in table.columns if c.role is Role.VALUE]
    if len(values) != 2:
        raise stop(Why.NOT_UNDERSTOOD, "I can divide one value by one other. Please name the two.")
    part, whole = (values[i] for i in ratio.order)
    divided = pl.col(part.variable) / pl.col(whole.variable)
    value = divided * 100 if ratio.percent else divided
    finite = pl.when(pl.col(whole.variable) != 0).then(value).alias(SHARE)
    heading = "share" if ratio.percent else "ratio"
    column = Column(SHARE, heading, Role.VALUE, "%" if ratio.percent else "")
    return Shaped(table.name, (*table.columns, column), table.frame.with_columns(finite))


def share_of_owners(table: Shaped, noun: str, total: int, having: str = "samples") -> Shaped:
    """One row: how many of ``total`` owners, those ``having`` data, ``table`` names first."""
    count = table.frame[table.columns[0].variable].n_unique() if table.frame.height else 0
    frame = pl.DataFrame({"count": [count], "total": [total], SHARE: [100 * count / total]})
    columns = (
        Column("count", f"{noun}s", Role.COUNT),
        Column("total", f"{noun}s with {having}", Role.COUNT),
        _PERCENT,
    )
    return Shaped(SHARE, columns, frame)


def job_shares(table: Shaped, states: Sequence[str]) -> list[Shaped]:
    """``table`` of job counts with the share of each row, and one row for ``states`` first."""
    total = int(table.frame["count"].sum() or 0)
    share = (100 * pl.col("count") / total).alias(SHARE)
    columns = (*table.columns, _PERCENT)
    whole = replace(table, columns=columns, frame=table.frame.with_columns(share))
    if not states:
        return [whole]
    count = int(table.frame.filter(pl.col("state").is_in(list(states)))["count"].sum() or 0)
    row = pl.DataFrame(
        {"jobs": [count], "total": [total], SHARE: [100 * count / total if total else None]}
    )
    first = (
        Column("jobs", f"jobs with state {', '.join(states)}", Role.COUNT),
        Column("total", "jobs", Role.COUNT),
        _PERCENT,
    )
    return [Shaped(SHARE, first, row), whole]
