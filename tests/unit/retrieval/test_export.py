"""Tables as files: what a spreadsheet and a sandbox get to see."""

import csv
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from retrieval.export import IN_MEMORY, headings, write_table
from retrieval.query_text import Column, Role

NODE = Column("node", "node", Role.KEY)
TIME = Column("t", "time", Role.TIME)
POWER = Column("v", "total node power", Role.VALUE, "W")


def _frame(**columns: object) -> pl.DataFrame:
    return pl.DataFrame(columns)


def _lines(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_writes_what_people_read_as_csv(tmp_path: Path) -> None:
    moment = datetime(2022, 6, 1, 8, 0, 20, tzinfo=UTC)
    frame = _frame(node=["5"], t=[moment], v=[1234.567890123])

    table = write_table(frame, (NODE, TIME, POWER), "power", tmp_path)

    assert _lines(table.csv) == [
        ["node", "time", "total node power (W)"],
        ["5", "2022-06-01T08:00:20Z", "1234.567890123"],
    ]


def test_writes_variables_and_types_as_parquet(tmp_path: Path) -> None:
    frame = _frame(node=["5"], v=[1.5])

    table = write_table(frame, (NODE, POWER), "power", tmp_path)

    assert pl.read_parquet(table.parquet).equals(frame)


def test_keeps_the_first_rows_in_memory_and_counts_all(tmp_path: Path) -> None:
    frame = _frame(node=[str(n) for n in range(IN_MEMORY + 5)])

    table = write_table(frame, (NODE,), "nodes", tmp_path)

    assert (table.row_count, len(table.rows)) == (IN_MEMORY + 5, IN_MEMORY)
    assert table.rows[:2] == (("0",), ("1",))
    assert len(_lines(table.csv)) == IN_MEMORY + 6


def test_an_empty_table_still_has_its_headings(tmp_path: Path) -> None:
    table = write_table(_frame(node=[], v=[]), (NODE, POWER), "power", tmp_path)

    assert table.row_count == 0
    assert _lines(table.csv) == [["node", "total node power (W)"]]


def test_a_missing_value_is_an_empty_cell(tmp_path: Path) -> None:
    table = write_table(_frame(node=["5"], v=[None]), (NODE, POWER), "power", tmp_path)

    assert _lines(table.csv)[1] == ["5", ""]
    assert table.rows == (("5", None),)


def test_quotes_and_line_ends_in_texts_survive(tmp_path: Path) -> None:
    nasty = 'a "b", c\nd'

    table = write_table(_frame(node=[nasty]), (NODE,), "n", tmp_path)

    assert _lines(table.csv)[1] == [nasty]


def test_tables_of_one_name_get_files_of_their_own(tmp_path: Path) -> None:
    first = write_table(_frame(node=["5"]), (NODE,), "power", tmp_path)
    second = write_table(_frame(node=["6"]), (NODE,), "power", tmp_path)

    assert first.csv != second.csv
    assert _lines(first.csv)[1] == ["5"]
    assert _lines(second.csv)[1] == ["6"]


def test_a_name_never_leaves_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "answer"

    for name in ("../../etc/passwd", "", "°°°", "a" * 400, "PUE / cdz1: °C"):
        table = write_table(_frame(node=["5"]), (NODE,), name, folder)
        assert table.csv.parent == table.parquet.parent == folder
        assert table.name == name

    assert [path.name for path in tmp_path.iterdir()] == ["answer"]


def test_headings_are_told_apart() -> None:
    columns = (POWER, Column("w", "total node power", Role.VALUE, "W"), NODE)

    assert headings(columns) == ["total node power (W)", "total node power (W) 2", "node"]
