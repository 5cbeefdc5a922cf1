"""What a program that the model writes is to do: a task in words, and the tables for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from agent.answer import AnswerTable, Cell
from retrieval.outcome import ResultTable

SHOWN_ROWS = 3
"""So many rows of a table are shown to the model, never more."""


@dataclass(frozen=True, slots=True)
class InputColumn:
    """A column as the program finds it in the file."""

    name: str
    kind: str
    """``text``, ``time`` (UTC), ``number``, ``whole number`` or ``yes/no``."""
    meaning: str = ""
    """What it holds, in words; empty where the name says it."""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class InputTable:
    """A CSV or Parquet file and what must be known of it to read it."""

    path: Path
    columns: tuple[InputColumn, ...]
    row_count: int
    first_rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class AnalysisTask:
    """A task in the words of whoever set it."""

    words: str
    tables: tuple[InputTable, ...]
    wants_picture: bool = True
    """Without a picture the task is not done."""
    wants_numbers: bool = False
    """Without a table of results the task is not done."""


def input_of(table: ResultTable) -> InputTable:
    """A result of retrieval as an input: its Parquet file."""
    kinds = _kinds(len(table.columns), table.rows)
    columns = (
        InputColumn(c.variable, kind, c.heading if c.heading != c.variable else "", c.unit)
        for c, kind in zip(table.columns, kinds, strict=True)
    )
    return InputTable(table.parquet, tuple(columns), table.row_count, table.rows[:SHOWN_ROWS])


def input_of_answer(table: AnswerTable) -> InputTable:
    """A table of an answer as an input: its CSV file, whose headings have the units."""
    kinds = _kinds(len(table.columns), table.preview)
    columns = tuple(map(InputColumn, table.columns, kinds))
    return InputTable(table.csv, columns, table.row_count, table.preview[:SHOWN_ROWS])


def _kinds(width: int, rows: Sequence[Sequence[Cell]]) -> list[str]:
    return [_kind(next((r[i] for r in rows if r[i] is not None), None)) for i in range(width)]


def _kind(cell: Cell) -> str:
    match cell:
        case bool():
            return "yes/no"
        case int():
            return "whole number"
        case float():
            return "number"
        case datetime():
            return "time"
        case _:
            return "text"
