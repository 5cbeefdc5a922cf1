"""The files of a lake: what their paths say, and whether they can be read."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl

from retrieval.errors import LakeError

_MONTH = re.compile(r"year_month=(\d\d)-(\d\d)")


@dataclass(frozen=True, slots=True, order=True)
class PartitionFile:
    """One Parquet file with what its directories say of it."""

    month: str
    plugin: str
    metric: str
    path: Path

    @classmethod
    def below(cls, root: Path) -> Iterator["PartitionFile"]:
        """Every partition file below ``root``; raises LakeError where a directory is closed."""
        for month in _directories(root, "year_month="):
            if not _MONTH.fullmatch(month.name):
                raise LakeError(f"{month}: the month must be written YY-MM")
            for plugin in _directories(month, "plugin="):
                for metric in _directories(plugin, "metric="):
                    for path in sorted(metric.glob("*.parquet")):
                        yield cls(
                            month.name.removeprefix("year_month="),
                            plugin.name.removeprefix("plugin="),
                            metric.name.removeprefix("metric="),
                            path,
                        )

    @property
    def first(self) -> datetime:
        """The first instant of the file's month, UTC."""
        year, month = (int(part) for part in self.month.split("-"))
        return datetime(2000 + year, month, 1, tzinfo=UTC)

    @property
    def last(self) -> datetime:
        """The first instant after the file's month, UTC."""
        return (self.first + timedelta(days=32)).replace(day=1)

    def may_hold(self, start: datetime, end: datetime) -> bool:
        """Whether rows of ``start`` to ``end`` can lie in this file."""
        return self.first <= end and start <= self.last


def checked_schema(file: PartitionFile, columns: set[str]) -> pl.Schema:
    """The columns of ``file``; raises LakeError where it is damaged or one of ``columns`` lacks."""
    try:
        schema = pl.read_parquet_schema(file.path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise LakeError(f"{file.path} is damaged or cannot be opened: {error}") from error
    if missing := sorted(columns - set(schema)):
        raise LakeError(f"{file.path} has no column {', '.join(missing)}")
    return pl.Schema(schema)


def unreadable(files: Iterable[PartitionFile]) -> str:
    """The path of the first of ``files`` that cannot be read to its end, or an empty text."""
    for file in files:
        try:
            pl.scan_parquet(file.path, glob=False).select(pl.all().hash().sum()).collect()
        except (pl.exceptions.PolarsError, OSError):
            return str(file.path)
    return ""


def _directories(parent: Path, prefix: str) -> Iterator[Path]:
    try:
        names = sorted(p for p in parent.iterdir() if p.name.startswith(prefix) and p.is_dir())
    except OSError as error:
        raise LakeError(f"cannot list {parent}: {error.strerror}") from error
    yield from names
