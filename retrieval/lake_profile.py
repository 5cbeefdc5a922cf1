"""Where a lake holds the same sample twice; found out once a file, then remembered."""

import json
import logging
import math
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from retrieval.errors import LakeError
from retrieval.lake_files import PartitionFile

log = logging.getLogger(__name__)

_PROFILED_ROWS = 20_000_000
"""Larger files are read without repetitions each time rather than looked through at once."""


_MILLISECONDS = pl.col("timestamp").cast(pl.Datetime("ms")).alias("timestamp")
"""Instants as they are compared: without a zone, for all of them are UTC."""
_BEFORE_ALL, _AFTER_ALL = -(2**62), 2**62
Found = bool | list[int]


@dataclass
class LakeProfile:
    """Remembers in ``path``, by a file's size and time of change, what was found in it."""

    path: Path | None = None
    _known: dict[str, Found] | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def repeats(self, files: Sequence[PartitionFile], keys: Sequence[str]) -> bool:
        """Whether two rows of ``files`` share ``keys``; True where that was not worth counting."""
        name = "|".join(_state(file) for file in files)
        paths = [file.path for file in files]
        return bool(self._found(name, lambda: _has_repetitions(paths, keys)))

    def overlapping(self, files: Sequence[PartitionFile]) -> list[list[PartitionFile]]:
        """``files`` in groups, in which alone the same instant may come in more than one file."""
        if len(files) < 2:
            return [[file] for file in files]
        spans = {file: self._found(f"{_state(file)}|span", partial(_span, file)) for file in files}
        groups: list[list[PartitionFile]] = []
        latest = -math.inf
        for file in sorted(files, key=lambda f: (spans[f], f)):
            first, last = spans[file]
            if first > latest:
                groups.append([])
            groups[-1].append(file)
            latest = max(latest, last)
        return [sorted(group) for group in groups]

    def _found(self, name: str, look: Callable[[], Found]) -> Any:
        with self._lock:
            known = self._loaded()
            if name not in known:
                known[name] = look()
                self._store(known)
            return known[name]

    def _loaded(self) -> dict[str, Found]:
        if self._known is None:
            self._known = {}
            if self.path and self.path.is_file():
                self._known = _remembered(self.path)
        return self._known

    def _store(self, known: dict[str, Found]) -> None:
        if self.path is None:
            return
        draft = self.path.with_suffix(f".{os.getpid()}.draft")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(json.dumps(known))
            draft.replace(self.path)
        except OSError as error:  # it is found out again next time; the answer is the same
            log.warning("cannot remember what the lake holds in %s: %s", self.path, error)


def _state(file: PartitionFile) -> str:
    try:
        state = file.path.stat()
    except OSError as error:
        raise LakeError(f"{file.path} cannot be opened: {error.strerror}") from error
    return f"{file.path}|{state.st_size}|{state.st_mtime_ns}"


def _remembered(path: Path) -> dict[str, Found]:
    """What was found out before; nothing where the file is damaged, for it is made anew."""
    try:
        known = json.loads(path.read_text())
    except ValueError:
        return {}
    return known if isinstance(known, dict) else {}


def _span(file: PartitionFile) -> list[int]:
    """First and last millisecond since 1970; all of time where the file cannot be read."""
    time = _MILLISECONDS.cast(pl.Int64)
    try:
        ends = _scan([file.path]).select(time.min().alias("first"), time.max().alias("last"))
        first, last = ends.collect(engine="streaming").row(0)
    except (pl.exceptions.PolarsError, OSError):
        return [_BEFORE_ALL, _AFTER_ALL]  # whoever reads the samples says so
    return [_BEFORE_ALL, _BEFORE_ALL] if first is None else [first, last]


def _scan(paths: Sequence[Path]) -> pl.LazyFrame:
    scans = (pl.scan_parquet(path, hive_partitioning=False, glob=False) for path in paths)
    return pl.concat([scan.with_columns(_MILLISECONDS) for scan in scans], how="diagonal_relaxed")


def _has_repetitions(paths: Sequence[Path], keys: Sequence[str]) -> bool:
    try:
        return _repetitions(paths, keys)
    except (pl.exceptions.PolarsError, OSError):
        return True  # unreadable: whoever reads the samples says so with the name of the file


def _repetitions(paths: Sequence[Path], keys: Sequence[str]) -> bool:
    scan = _scan(paths)
    rows = scan.select(pl.len()).collect().item()
    if rows > _PROFILED_ROWS:
        return True
    tags = [key for key in keys if key != "timestamp"]
    time = pl.col("timestamp")
    if not tags:
        return bool(scan.select(time.n_unique() != time.len()).collect().item())
    counted = scan.group_by(tags).agg((time.n_unique() != time.len()).alias("again"))
    return bool(counted.select(pl.col("again").any()).collect(engine="streaming").item())
