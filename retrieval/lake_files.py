"""The files of a lake: what their paths say, and which directories cannot be looked into."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from retrieval.errors import LakeError

_MONTH = re.compile(r"year_month=(\d\d)-(0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True, order=True)
class PartitionFile:
    """One Parquet file with what its directories say of it."""

    month: str
    plugin: str
    metric: str
    path: Path

    @property
    def first(self) -> datetime:
        """The first instant of the file's month, UTC."""
        return _first_of(self.month)

    @property
    def last(self) -> datetime:
        """The first instant after the file's month, UTC."""
        return (self.first + timedelta(days=32)).replace(day=1)

    def may_hold(self, start: datetime, end: datetime) -> bool:
        """Whether rows of ``start`` to ``end`` can lie in this file."""
        return self.first <= end and start <= self.last


@dataclass(frozen=True, slots=True)
class ClosedDirectory:
    """A directory that cannot be listed; an empty plugin or metric: it may hold any."""

    path: Path
    reason: str
    month: str
    plugin: str = ""
    metric: str = ""

    def may_hold(self, plugin: str, metric: str) -> bool:
        """Whether files of that metric can lie in it."""
        return self.plugin in ("", plugin) and self.metric in ("", metric)

    def may_hold_rows(self, start: datetime, end: datetime) -> bool:
        """Whether rows of ``start`` to ``end`` can lie in its files."""
        return PartitionFile(self.month, self.plugin, self.metric, self.path).may_hold(start, end)

    @property
    def error(self) -> LakeError:
        """What an operator is told."""
        return LakeError(
            f"cannot list {self.path} ({self.reason}): let the user who runs odabot read it"
        )


@dataclass(frozen=True, slots=True)
class Listing:
    """What a lake's directories hold, as far as they can be listed."""

    files: tuple[PartitionFile, ...]
    closed: tuple[ClosedDirectory, ...]

    @classmethod
    def of(cls, root: Path) -> "Listing":
        """All below ``root``; raises LakeError where ``root`` itself is closed."""
        files: list[PartitionFile] = []
        closed: list[ClosedDirectory] = []
        try:
            months = _directories(root, "year_month=")
        except OSError as error:
            raise ClosedDirectory(root, _reason(error), "").error from error
        for month in months:
            if not _MONTH.fullmatch(month.name):
                raise LakeError(f"{month}: the month must be written YY-MM")
            for found in _below(month, (), closed):
                files.extend(found)
        return cls(tuple(files), tuple(closed))


_LEVELS = ("year_month=", "plugin=", "metric=")


def _below(
    directory: Path, above: tuple[str, ...], closed: list[ClosedDirectory]
) -> Iterator[list[PartitionFile]]:
    """The files of each metric below ``directory``; what cannot be listed goes to ``closed``."""
    names = (*above, directory.name.removeprefix(_LEVELS[len(above)]))
    try:
        if len(names) == len(_LEVELS):
            month, plugin, metric = names
            paths = sorted(p for p in directory.iterdir() if p.suffix == ".parquet")
            yield [PartitionFile(month, plugin, metric, path) for path in paths]
            return
        inner = _directories(directory, _LEVELS[len(names)])
    except OSError as error:
        closed.append(ClosedDirectory(directory, _reason(error), *names))
        return
    for each in inner:
        yield from _below(each, names, closed)


def _directories(parent: Path, prefix: str) -> list[Path]:
    return sorted(p for p in parent.iterdir() if p.name.startswith(prefix) and p.is_dir())


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def _first_of(month: str) -> datetime:
    year, number = (int(part) for part in month.split("-"))
    return datetime(2000 + year, number, 1, tzinfo=UTC)
