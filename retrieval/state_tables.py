"""The periods of a state as rows, and how long each thing was in it."""

from collections.abc import Sequence

import polars as pl

from retrieval.course_tables import MINUTES, TIMES, often_enough, periods
from retrieval.measures import Course
from retrieval.query_text import Column, Role
from retrieval.site_request import ChecksRequest
from retrieval.tables import Part, Shaped

HELD_NOTE = (
    "A check's result stands until the next one, but for no longer than three times their usual"
    " spacing; a period is told by its first and its last result."
)


def state_tables(request: ChecksRequest, parts: Sequence[Part]) -> list[Shaped]:
    """How long each thing was in the state, its periods, and what failed meanwhile."""
    part = parts[0]
    names = [key.variable for key in part.keys]
    rows = periods(part, request.longer).sort("since", *names)
    if request.ongoing:
        rows = rows.filter(pl.col("till") == pl.col("ends"))
    if request.often is not None:
        rows = often_enough(rows, names, request.often)
    everyone = rows
    rows = _told(request, rows, names)
    columns = (
        *part.keys,
        Column("since", "first result", Role.TIME),
        Column("till", "last result", Role.TIME),
        MINUTES,
    )
    table = Shaped("periods", columns, rows.select([c.variable for c in columns]))
    totals = part.frame.join(rows.select(names).unique(), on=names, how="semi")
    held = (*part.keys, Column("held", "time", Role.VALUE, "min"))
    total = Shaped("time in all", held, totals.select([c.variable for c in held]))
    tables = [table, *([total] if tells_totals(request) else [])]
    if request.course is Course.PERIOD_COUNT:
        number = pl.len().cast(pl.Int64).alias("periods")
        counts = everyone.group_by(names).agg(number).sort("periods", *names, descending=True)
        tables = [Shaped("number of periods", (*part.keys, TIMES), counts), *tables]
    for more in parts[1:]:
        found = more.frame.join(rows.select("node").unique(), on="node", how="semi")
        tables.append(Shaped(more.compiled.name, more.compiled.columns, found))
    return tables


def tells_totals(request: ChecksRequest) -> bool:
    """Whether it is told how long each thing was so in all, which some of its periods do not."""
    some = request.longer or request.often is not None or request.course is not Course.PERIODS
    return not (request.ongoing or some)


def _told(request: ChecksRequest, rows: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """The periods that are asked for: all, or one of each thing."""
    match request.course:
        case Course.LONGEST_PERIOD:
            rows = rows.sort("minutes", descending=True, maintain_order=True)
        case Course.LAST_PERIOD:
            rows = rows.sort("till", descending=True, maintain_order=True)
        case Course.FIRST_PERIOD:
            pass
        case _:
            return rows
    return rows.unique(list(names), keep="first", maintain_order=True)
