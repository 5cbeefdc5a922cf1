"""Words and tables in the Markdown that Mattermost shows, in posts that are not too long."""

import re
from collections.abc import Iterator

from bot.messages import ReplyTable
from bot.platforms.cut_text import cut
from bot.platforms.mattermost_limits import CELL, MESSAGE
from bot.platforms.reply_model import PREVIEW_COLUMNS, PREVIEW_ROWS, rows_shown

_FENCE = "```"
_CODE = re.compile(r"(```.*?(?:```|\Z)|(?<!\\)`[^`\n]+`)", re.DOTALL)
_MENTION = re.compile(r"(?<![\w.])@(?=\w)")
# Mattermost draws "<3" as a heart.
_HEART = re.compile(r"<(?=/?3)")
# What may name an emoji; a time of day never does.
_EMOJI = re.compile(r":(?=(?:100|1234|[\w+-]*[A-Za-z_+-][\w+-]*):)", re.ASCII)
_JOINER = "\N{WORD JOINER}"
"""Nobody sees it, and it keeps two signs from being more than they are."""
# No more than what Mattermost knows as escaped: a "\\<" would show its backslash.
_MARKS = re.compile(r"([\\`*_{}\[\]>#|~]|^[-+](?=\s))", re.MULTILINE)
_EMPTY = "\N{EN DASH}"
_TABLE = MESSAGE - 500
"""Characters of a table; its name stands above."""


def uncalled(markdown: str) -> str:
    """``markdown`` in which no name calls anybody; code, where none does, stays as it is."""
    parts = _CODE.split(markdown)
    return "".join(part if number % 2 else _apart(part) for number, part in enumerate(parts))


def escaped(text: str) -> str:
    """Plain ``text``, of which nothing is a mark or calls anybody."""
    return _apart(_MARKS.sub(r"\\\1", undrawn(text)))


def undrawn(text: str) -> str:
    """Plain ``text`` of which no name turns into an emoji."""
    return _EMOJI.sub(f":{_JOINER}", text)


def preview(table: ReplyTable) -> tuple[str, str]:
    """The first rows of ``table``, and how much of it that is; empty where all of it is there.

    Both are empty where a post has no room for even one row.
    """
    columns = table.columns[:PREVIEW_COLUMNS]
    rows = [row[: len(columns)] for row in table.rows[:PREVIEW_ROWS]]
    rule = ["---:" if right else ":---" for right in table.numeric[: len(columns)]]
    lines = [_row(columns), f"|{'|'.join(rule)}|", *(_row(row) for row in rows)]
    # A table that is split over two posts would be none in the second.
    while rows and len("\n".join(lines)) > _TABLE:
        rows.pop()
        lines.pop()
    if not rows:
        return "", ""
    whole = all(len(cell) <= CELL for row in rows for cell in row)
    return "\n".join(lines), rows_shown(table, len(rows), len(columns), whole=whole)


def is_whole(table: ReplyTable) -> bool:
    """Whether :func:`preview` has all of ``table``."""
    shown, rest = preview(table)
    return bool(shown) and not rest


def posts(paragraphs: list[str]) -> tuple[str, ...]:
    """``paragraphs`` in as few posts as hold them; one that is too long is split at lines."""
    found: list[str] = []
    for paragraph in paragraphs:
        for piece in _pieces(paragraph):
            if found and len(found[-1]) + len(piece) + 2 <= MESSAGE:
                found[-1] = f"{found[-1]}\n\n{piece}"
            else:
                found.append(piece)
    return tuple(found)


def _apart(text: str) -> str:
    """``text`` that calls nobody and draws nothing."""
    return _HEART.sub(f"<{_JOINER}", _MENTION.sub(f"@{_JOINER}", text))


def _row(cells: tuple[str, ...]) -> str:
    shown = (escaped(cut(" ".join(cell.split()) or _EMPTY, CELL)) for cell in cells)
    return f"|{'|'.join(shown)}|"


def _pieces(text: str) -> Iterator[str]:
    """``text`` in pieces of a post each; code that is cut is code in both."""
    room = MESSAGE - 2 * len(_FENCE) - 2
    piece: list[str] = []
    length, fenced = 0, False
    for line in _lines(text, room):
        if piece and length + len(line) + 1 > room:
            yield "\n".join([*piece, _FENCE] if fenced else piece)
            piece, length = ([_FENCE], len(_FENCE) + 1) if fenced else ([], 0)
        piece.append(line)
        length += len(line) + 1
        if line.lstrip().startswith(_FENCE):
            fenced = not fenced
    if piece:
        yield "\n".join(piece)


def _lines(text: str, room: int) -> Iterator[str]:
    """The lines of ``text``, those that are longer than a post in parts."""
    for line in text.strip("\n").split("\n"):
        for at in range(0, max(len(line), 1), room - len(_FENCE) - 1):
            yield line[at : at + room - len(_FENCE) - 1]
