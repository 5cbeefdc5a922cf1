"""What two tables of results, by programs that were written apart, agree in."""

import csv
import io
import math
from collections.abc import Sequence

from agent.answer import Cell
from agent.result_table import Results

_RELATIVE = 1e-6


def agreed(one: Results, other: Results) -> Results | None:
    """``one`` without the numbers that ``other`` does not have as well; None where none is left.

    Headings may differ and so may the order of rows: a column is agreed in where the other table
    has one of the same numbers.
    """
    theirs = [_numbers(column) for column in _columns(other)]
    kept, confirmed = [], 0
    for place, column in enumerate(_columns(one)):
        mine = _numbers(column)
        if not mine:
            kept.append(place)
        elif any(_same(mine, numbers) for numbers in theirs):
            kept.append(place)
            # Names such as those of nodes are numbers too, and stand first.
            confirmed += place > 0 or len(one.headings) == 1
    if not confirmed:
        return None
    rows = tuple(tuple(row[place] for place in kept) for row in one.rows)
    return Results(tuple(one.headings[place] for place in kept), rows)


def as_csv(results: Results) -> bytes:
    """The table as CSV, in UTF-8."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(results.headings)
    writer.writerows(results.rows)
    return text.getvalue().encode()


def _columns(results: Results) -> list[tuple[Cell, ...]]:
    return list(zip(*results.rows, strict=True))


def _numbers(column: Sequence[Cell]) -> list[float]:
    """Its numbers in order of size; none where some cell is a text."""
    if any(isinstance(cell, str) for cell in column):
        return []
    return sorted(float(cell) for cell in column if isinstance(cell, int | float))


def _same(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(
        math.isclose(a, b, rel_tol=_RELATIVE, abs_tol=1e-12)
        for a, b in zip(one, other, strict=True)
    )
