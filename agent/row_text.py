"""Rows of a result table in words: whose they are, and what they say."""

import re
from collections.abc import Sequence

from agent.number_text import cell_text, name_text
from retrieval.difference import MINUS
from retrieval.outcome import Cell, ResultTable
from retrieval.query_text import Column, Role
from retrieval.shares import QUOTIENTS

_NAMES = {"crac": "CRAC", "index": "GPU"}
LISTED = 40
"""Names in a reply; longer lists are left to the table."""
_PLURAL = re.compile(r"^(\w+)s\b")
"""The noun that the heading of a share begins with."""
BUCKETS = ("hour", "day", "week", "month", "slot")


def is_key(column: Column) -> bool:
    """Whether ``column`` tells rows apart."""
    return column.role is Role.KEY or (column.role is Role.TIME and column.variable in BUCKETS)


def keys_of(table: ResultTable) -> list[int]:
    """The positions of the key columns."""
    return [i for i, column in enumerate(table.columns) if is_key(column)]


def values_of(table: ResultTable) -> list[int]:
    """The positions of the value columns, without counts of samples."""
    keys = set(keys_of(table))
    skipped = {"samples", "first", "last"}
    return [i for i, c in enumerate(table.columns) if i not in keys and c.variable not in skipped]


def key_text(table: ResultTable, row: Sequence[Cell]) -> str:
    """What a row is about: ``node 900``, ``rack 45, 2022-06-01``."""
    return ", ".join(_key(table.columns[i], row[i]) for i in keys_of(table))


def _key(column: Column, cell: Cell) -> str:
    if column.role is Role.TIME:
        text = cell_text(cell)
        return text.removesuffix(":00 UTC").removesuffix(" 00:00") + (
            "" if text.endswith("00:00:00 UTC") else " UTC"
        )
    name, text = column.heading, name_text(cell)
    if text.lower().startswith(name.lower()) or column.variable in ("period", "device", "check"):
        return text
    return f"{name if name.isupper() or name[:1].isupper() else _NAMES.get(name, name)} {text}"


def share_text(table: ResultTable) -> str:
    """The one row of a table of a share: ``12 nodes of 980 nodes with samples, 1.22 %.``."""
    count, total, share = table.rows[0]
    some, all_, percent = table.columns
    noun = _PLURAL.sub(r"\1", some.heading) if cell_text(count) == "1" else some.heading
    return (
        f"{cell_text(count)} {noun} of {cell_text(total)} {all_.heading},"
        f" {cell_text(share, percent.unit)}."
    )


def values_text(table: ResultTable, row: Sequence[Cell]) -> str:
    """What a row says: ``average 612.35 W, maximum 1,020 W``."""
    return ", ".join(
        f"{table.columns[i].heading} {cell_text(row[i], table.columns[i].unit)}"
        for i in values_of(table)
    )


def listed_names(table: ResultTable, position: int) -> str:
    """The values of one column in a row of words, cut after LISTED."""
    names = list(dict.fromkeys(name_text(row[position]) for row in table.rows))
    if len(names) <= LISTED:
        return ", ".join(names)
    return ", ".join(names[:LISTED]) + " and further ones in the table"


def rows_text(table: ResultTable, limit: int = 12) -> str:
    """Every row in words for a short table; the two ends of one value for a long one.

    Of a ratio or a difference it is that, and else the first value.
    """
    if table.row_count <= limit:
        return "; ".join(f"{key_text(table, row)}: {values_text(table, row)}" for row in table.rows)
    values = [i for i in values_of(table) if table.columns[i].role is Role.VALUE]
    if not values:
        return ""
    derived = [i for i in values if table.columns[i].heading in (*QUOTIENTS, MINUS)]
    first = (*derived, *values)[0]
    rows = [row for row in table.rows if isinstance(row[first], int | float)]
    if not rows or table.row_count > len(table.rows):
        return ""
    low = min(rows, key=lambda row: _number(row[first]))
    high = max(rows, key=lambda row: _number(row[first]))
    column = table.columns[first]
    return (
        f"highest {column.heading}: {key_text(table, high)}"
        f" with {cell_text(high[first], column.unit)};"
        f" lowest: {key_text(table, low)} with {cell_text(low[first], column.unit)}"
    )


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else 0.0
