"""The first rows of a table in Slack: as its own kind of block, and in letters of one width."""

from dataclasses import dataclass

from bot.messages import ReplyTable
from bot.platforms.slack_limits import CELL, PREVIEW_ROWS, SECTION, TABLE_COLUMNS
from bot.platforms.slack_mrkdwn import cut, preformatted

Json = dict[str, object]
# What a cell may take in letters of one width, where nothing wraps.
_NARROW = 40
_EMPTY = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class ShownTable:
    """So much of a table as both forms hold; they show the same rows."""

    block: Json
    preformatted: str
    """In mrkdwn."""
    plain: str
    shown: str
    """How many rows that is of how many; empty where all of it is there."""


def shown_table(table: ReplyTable) -> ShownTable | None:
    """``table`` as far as a message shows it; None where not even one row has room."""
    columns = table.columns[:TABLE_COLUMNS]
    rows = [row[: len(columns)] for row in table.rows[:PREVIEW_ROWS]]
    numeric = table.numeric[: len(columns)]
    while rows and len(preformatted(_aligned([columns, *rows], numeric))) > SECTION:
        rows.pop()
    if not rows:
        return None
    plain = _aligned([columns, *rows], numeric)
    block: Json = {
        "type": "table",
        "column_settings": [
            {"align": "right" if right else "left", "is_wrapped": not right} for right in numeric
        ],
        "rows": [
            [{"type": "raw_text", "text": cut(cell.strip() or _EMPTY, CELL)} for cell in row]
            for row in [columns, *rows]
        ],
    }
    whole = len(columns) == len(table.columns) and _fits(rows)
    shown = "" if whole and len(rows) == table.row_count else _shown(table, len(rows), len(columns))
    return ShownTable(block, preformatted(plain), plain, shown)


def _fits(rows: list[tuple[str, ...]]) -> bool:
    return all(len(cell) <= _NARROW for row in rows for cell in row)


def _shown(table: ReplyTable, rows: int, columns: int) -> str:
    wide = "" if columns == len(table.columns) else f", {columns} of {len(table.columns)} columns"
    if rows == table.row_count:
        return f"all rows{wide}, shortened; all of it in the CSV"
    return f"first {rows:,} of {table.row_count:,} rows{wide}; all of them in the CSV"


def _aligned(rows: list[tuple[str, ...]], numeric: tuple[bool, ...]) -> str:
    cells = [[cut(" ".join(cell.split()) or _EMPTY, _NARROW) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(numeric))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in cells
    )
