"""Result frames to files that a person, a spreadsheet or a sandbox can open."""

import re
from pathlib import Path

import polars as pl

from retrieval.outcome import ResultTable
from retrieval.query_text import Column

IN_MEMORY = 2000
"""Rows of a table that are kept in memory to be talked about."""


def write_table(
    frame: pl.DataFrame, columns: tuple[Column, ...], name: str, folder: Path
) -> ResultTable:
    """Write ``frame`` as Parquet and CSV below ``folder``.

    The CSV has the headings that people read, times as ISO 8601 in UTC, numbers unrounded.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = _stem(name, folder)
    parquet, csv = folder / f"{stem}.parquet", folder / f"{stem}.csv"
    frame.write_parquet(parquet)
    frame.rename(
        {c.variable: heading for c, heading in zip(columns, headings(columns), strict=True)}
    ).write_csv(csv, datetime_format="%Y-%m-%dT%H:%M:%SZ")
    rows = tuple(frame.head(IN_MEMORY).iter_rows())
    return ResultTable(name, columns, frame.height, rows, parquet, csv)


def headings(columns: tuple[Column, ...]) -> list[str]:
    """What stands above each column: its heading with the unit, made unique."""
    seen: dict[str, int] = {}
    named = []
    for column in columns:
        heading = f"{column.heading} ({column.unit})" if column.unit else column.heading
        seen[heading] = seen.get(heading, 0) + 1
        named.append(heading if seen[heading] == 1 else f"{heading} {seen[heading]}")
    return named


def _stem(name: str, folder: Path) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "table"
    stem, number = plain, 1
    while (folder / f"{stem}.csv").exists():
        number += 1
        stem = f"{plain}-{number}"
    return stem
