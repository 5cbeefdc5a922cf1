"""Shares and ratios: columns and rows made from the values of a result."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from retrieval.data_request import Ratio
from retrieval.query_text import Column, Role
from retrieval.tables import PERIOD, Shaped
from retrieval.understanding import Why, stop
from retrieval.units import in_unit

SHARE = "share"
QUOTIENTS = ("share", "ratio")
"""The headings of what is divided."""
_PERCENT = Column(SHARE, "share", Role.VALUE, "%")


def with_ratio(table: Shaped, ratio: Ratio) -> Shaped:
    """``table`` with its one value of the part divided by that of the whole, in one unit.

    Empty where the whole is zero; raises ReadingStops where there are not just two values that
    measure the same.
    """
    values = [c for c in table.columns if c.role is Role.VALUE]
    if len(values) != 2:
        raise stop(Why.NOT_UNDERSTOOD, "I can divide one value by one other. Please name the two.")
    part, whole = (values[i] for i in ratio.order)
    scale = in_unit(1.0, part.unit, whole.unit)
    if scale is None:
        raise stop(
            Why.NOT_UNDERSTOOD,
            f"One is in {part.unit or 'plain numbers'}, the other in"
            f" {whole.unit or 'plain numbers'}, and I do not divide one by the other.",
        )
    divided = pl.col(part.variable) * scale / pl.col(whole.variable)
    value = divided * 100 if ratio.percent else divided
    finite = pl.when(pl.col(whole.variable) != 0).then(value).alias(SHARE)
    heading = QUOTIENTS[0] if ratio.percent else QUOTIENTS[1]
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
    """``table`` of job counts with the share of each row; for ``states`` their share instead.

    Where these are of all jobs, both are given. A share is of all jobs of the same window; where
    states are counted beside other things, it is of all jobs of the same other things.
    """
    keys = [c for c in table.columns if c.role is not Role.COUNT]
    beside = [c for c in keys if c.variable != "state"]
    within = beside if "state" in table.frame.columns else keys[:0]
    within = within or [c for c in keys if c == PERIOD]
    names = [c.variable for c in within]
    count = pl.col("count")
    total = count.sum().over(names) if names else count.sum()
    rows = table.frame.with_columns((100 * count / total).alias(SHARE))
    whole = replace(table, columns=(*table.columns, _PERCENT), frame=rows)
    if not states:
        return [whole]
    part = count.filter(pl.col("state").is_in(list(states))).sum().cast(pl.Int64)
    both = [part.alias("jobs"), count.sum().cast(pl.Int64).alias("total")]
    grouped = table.frame.group_by(names, maintain_order=True)
    found = grouped.agg(both) if names else table.frame.select(both)
    share = pl.when(pl.col("total") > 0).then(100 * pl.col("jobs") / pl.col("total"))
    part_name = f"jobs with state {', '.join(states)}"
    first = (
        *within,
        Column("jobs", part_name, Role.COUNT),
        Column("total", "jobs", Role.COUNT),
        _PERCENT,
    )
    name = f"share of {part_name}" if names else SHARE
    shares = Shaped(name, first, found.with_columns(share.alias(SHARE)))
    return [shares] if names else [shares, whole]
