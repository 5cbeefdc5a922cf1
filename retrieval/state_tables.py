"""The periods of a state as rows, and how long each thing was in it."""

from collections.abc import Sequence

import polars as pl

from retrieval.course_tables import MINUTES, periods
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
    rows = periods(part, 0.0).sort("since", *names)
    if request.ongoing:
        rows = rows.filter(pl.col("till") == pl.col("ends"))
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
    tables = [table, *([] if request.ongoing else [total])]
    for more in parts[1:]:
        found = more.frame.join(rows.select("node").unique(), on="node", how="semi")
        tables.append(Shaped(more.compiled.name, more.compiled.columns, found))
    return tables
