"""Which columns of a result table a chart draws, and how its axes and title read."""

from agent.chart_window import window_text
from agent.row_text import BUCKETS, is_key
from retrieval.data_request import ReadingsRequest
from retrieval.outcome import ResultTable, Retrieved
from retrieval.query_text import Column, Role
from retrieval.shares import QUOTIENTS

_HIDDEN = {"samples", "first", "last", "intervals"}
_LONGEST_TITLE = 120


def time_column(table: ResultTable) -> Column | None:
    """The column of times, if the table is one over time."""
    return next((c for c in table.columns if c.variable in ("t", *BUCKETS)), None)


def value_columns(table: ResultTable) -> list[Column]:
    """The columns of numbers that are drawn: of a share or a ratio, not what it is made of."""
    values = [
        c for c in table.columns if c.role in (Role.VALUE, Role.COUNT) and c.variable not in _HIDDEN
    ]
    return [c for c in values if c.heading in QUOTIENTS] or values


def split_column(table: ResultTable, without: str = "") -> Column | None:
    """The first key, apart from time and the variable ``without``, by which rows differ."""
    time = time_column(table)
    keys = [c for c in table.columns if is_key(c) and c is not time and c.variable != without]
    varied = [c for c in keys if len({row[table.columns.index(c)] for row in table.rows}) > 1]
    return varied[0] if varied else None


def distinct(table: ResultTable, column: Column) -> list[str]:
    """The values of one column in the order of the rows."""
    position = table.columns.index(column)
    return list(dict.fromkeys(str(row[position]) for row in table.rows))


def column_label(column: Column, table: ResultTable) -> str:
    """What an axis or a line is called: the measure and, where it lacks, the quantity."""
    heading = column.heading
    named = any(part in heading for part in table.name.split(" and "))
    if column.variable in ("v", "x") or named or table.name in ("jobs", "nodes"):
        return heading
    return table.name if table.name.startswith(f"{heading} ") else f"{heading} {table.name}"


def title_of(retrieved: Retrieved, tables: list[ResultTable]) -> str:
    """The title over the chart: what is shown, and of what."""
    names = " and ".join(dict.fromkeys(t.name for t in tables))
    return (names[:1].upper() + names[1:] + of_whom(retrieved))[:_LONGEST_TITLE]


def of_whom(retrieved: Retrieved) -> str:
    """Whose data are shown, where few are named."""
    request = retrieved.request
    if not isinstance(request, ReadingsRequest):
        return ""
    owners = request.owners[0]
    if request.during is not None and request.during.ids:
        return " of jobs " + ", ".join(str(i) for i in request.during.ids[:5])
    if owners.names and len(owners.names) <= 6:
        plural = "s" if len(owners.names) > 1 else ""
        return f" of {owners.kind.value}{plural} {', '.join(owners.names)}"
    if owners.racks and len(owners.racks) <= 6:
        return f" of rack {', '.join(owners.racks)}"
    return ""


def subtitle_of(retrieved: Retrieved, zone: str) -> str:
    """The windows in the site's zone and in UTC."""
    return "; ".join(window_text(w.start, w.end, zone) for w in retrieved.windows[:2])
