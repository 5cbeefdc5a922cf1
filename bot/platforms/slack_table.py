"""The first rows of a table in Slack: as its own kind of block, and in letters of one width."""

from dataclasses import dataclass

from bot.messages import ReplyTable
from bot.platforms.cut_text import cut
from bot.platforms.reply_model import PREVIEW_COLUMNS, PREVIEW_ROWS, rows_shown
from bot.platforms.slack_limits import CELL, SECTION
from bot.platforms.slack_mrkdwn import preformatted

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
    columns = table.columns[:PREVIEW_COLUMNS]
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
    shown = rows_shown(table, len(rows), len(columns), whole=_fits(rows))
    return ShownTable(block, preformatted(plain), plain, shown)


def _fits(rows: list[tuple[str, ...]]) -> bool:
    return all(len(cell) <= _NARROW for row in rows for cell in row)


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
