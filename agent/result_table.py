"""Reads the table of results that a program wrote, which may hold anything."""

import csv
import io
import math
from dataclasses import dataclass
from pathlib import Path

from agent.answer import AnswerTable, Cell

PREVIEW_ROWS = 20
_MOST_ROWS, _MOST_COLUMNS, _WIDEST = 10_000, 40, 200


@dataclass(frozen=True, slots=True)
class Results:
    """Headings and rows; numbers are numbers, the rest is text."""

    headings: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    problems: tuple[str, ...] = ()


def read_results(content: bytes) -> Results:
    """The table in ``content``, or what is wrong with it for whoever mends the program."""
    reader = csv.reader(io.StringIO(content.decode(errors="replace"), newline=""))
    try:
        lines = [line for line, _ in zip(reader, range(_MOST_ROWS + 2), strict=False) if line]
    except csv.Error as error:
        return Results(problems=(f"result.csv cannot be read: {error}",))
    problem = _problem_with(lines)
    if problem:
        return Results(problems=(f"result.csv {problem}",))
    rows = tuple(tuple(map(_cell, line)) for line in lines[1:])
    bad = [
        heading
        for place, heading in enumerate(lines[0])
        if any(isinstance(n := row[place], float) and not math.isfinite(n) for row in rows)
    ]
    if bad:
        return Results(problems=(f"result.csv has no number under {bad[0]!r}",))
    return Results(tuple(heading.strip() for heading in lines[0]), rows)


def _problem_with(lines: list[list[str]]) -> str:
    if len(lines) < 2:
        return "has no rows below its headings"
    if len(lines) > _MOST_ROWS + 1 or len(lines[0]) > _MOST_COLUMNS:
        return f"is too large: at most {_MOST_ROWS} rows and {_MOST_COLUMNS} columns"
    if any(len(line) != len(lines[0]) for line in lines):
        return "has rows of different lengths"
    if not all(heading.strip() for heading in lines[0]):
        return "has a column without a heading"
    if any(len(cell) > _WIDEST for line in lines for cell in line):
        return f"has a cell of more than {_WIDEST} characters"
    return ""


def results_table(results: Results, name: str, path: Path) -> AnswerTable:
    """``results``, which stand at ``path``, as an answer carries them."""
    return AnswerTable(name, results.headings, len(results.rows), path, results.rows[:PREVIEW_ROWS])


def _cell(text: str) -> Cell:
    try:
        return int(text) if text.lstrip("-").isdigit() and text.isascii() else float(text)
    except ValueError:
        return text or None
