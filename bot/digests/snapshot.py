"""What the tables of an answer said, in the form that is compared with a later answer."""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import islice

from agent import Answered, AnswerTable, Declined
from agent.answer import Cell, DeclineReason
from bot.outcome import Failed, Outcome

MOST_ROWS = 2000
"""Of longer tables it is only known whether they are the same."""
_NUMBERED_THINGS = frozenset({"job"})
"""Columns whose numbers are names."""
_INCIDENTAL = frozenset({"samples"})
"""Columns that say how much a value rests on, not what it is."""


@dataclass(frozen=True, slots=True)
class RowSnapshot:
    """One row: what it is about, and its numbers."""

    thing: tuple[str, ...]
    """The names in it; empty where it has none."""
    place: int
    """Its place among rows about the same thing, from 0: hours, say, in their order."""
    values: tuple[float | None, ...]
    """For each column of numbers; None where a cell is empty or no finite number."""


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """One table."""

    name: str
    columns: tuple[str, ...]
    """Headings of the columns of numbers."""
    row_count: int
    rows: tuple[RowSnapshot, ...]
    """None of them where there are more than MOST_ROWS."""
    digest: str
    """Of its CSV file."""

    @property
    def things(self) -> tuple[str, ...]:
        """What its rows are about, in their order, none twice."""
        return tuple(dict.fromkeys(" ".join(row.thing) for row in self.rows if row.thing))


@dataclass(frozen=True, slots=True)
class PartSnapshot:
    """What one question of a digest was answered with."""

    ended: str
    """"answered", "no data", or why there was no answer."""
    tables: tuple[TableSnapshot, ...] = ()


def snapshot_of(outcome: Outcome) -> PartSnapshot:
    """What ``outcome`` said; raises OSError where a table's file cannot be read."""
    match outcome.answer:
        case Answered(_, tables):
            return PartSnapshot("answered", tuple(_table(table) for table in tables))
        case Declined(reason):
            return PartSnapshot("no data" if reason is DeclineReason.NO_DATA else reason.value)
        case Failed():
            return PartSnapshot("failed")
        case _:
            return PartSnapshot("a question back")


def _table(table: AnswerTable) -> TableSnapshot:
    data = table.csv.read_bytes()
    names, numbers = _kinds(table)
    rows: tuple[RowSnapshot, ...] = ()
    if table.row_count <= MOST_ROWS:
        lines = csv.reader(data.decode("utf-8").splitlines())
        rows = tuple(_rows(islice(lines, 1, None), names, numbers))
    headings = tuple(table.columns[n] for n in numbers)
    return TableSnapshot(table.name, headings, table.row_count, rows, sha256(data).hexdigest())


def _kinds(table: AnswerTable) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Which columns hold names, and which numbers; times are neither."""
    names, numbers = [], []
    for place, heading in enumerate(table.columns):
        cells = [row[place] for row in table.preview if row[place] is not None]
        if heading in _NUMBERED_THINGS or any(isinstance(cell, str) for cell in cells):
            names.append(place)
        elif cells and all(_is_number(cell) for cell in cells):
            numbers.append(place)
    worth = tuple(place for place in numbers if table.columns[place] not in _INCIDENTAL)
    return tuple(names), worth or tuple(numbers)


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool | datetime)


def _rows(
    lines: Iterable[Sequence[str]], names: Sequence[int], numbers: Sequence[int]
) -> Iterable[RowSnapshot]:
    seen: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        thing = tuple(line[n] for n in names)
        yield RowSnapshot(thing, seen[thing], tuple(_number(line[n]) for n in numbers))
        seen[thing] += 1


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None
