"""Which files of a lake hold the same sample twice; found out once a file, then remembered."""

import json
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from retrieval.lake_files import PartitionFile

_PROFILED_ROWS = 20_000_000
"""Larger files are read without repetitions each time rather than looked through at once."""


@dataclass
class LakeProfile:
    """Remembers in ``path``, by a file's size and time of change, whether it has repetitions."""

    path: Path | None = None
    _known: dict[str, bool] | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def repeats(self, file: PartitionFile, keys: Sequence[str]) -> bool:
        """Whether two rows of ``file`` share ``keys``; True where that was not worth counting."""
        state = file.path.stat()
        name = f"{file.path}|{state.st_size}|{state.st_mtime_ns}"
        with self._lock:
            known = self._loaded()
            if name not in known:
                known[name] = _has_repetitions(file.path, keys)
                self._store(known)
            return known[name]

    def _loaded(self) -> dict[str, bool]:
        if self._known is None:
            self._known = {}
            if self.path and self.path.is_file():
                self._known = _remembered(self.path)
        return self._known

    def _store(self, known: dict[str, bool]) -> None:
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(f".{os.getpid()}.draft")
        draft.write_text(json.dumps(known))
        draft.replace(self.path)


def _remembered(path: Path) -> dict[str, bool]:
    """What was found out before; nothing where the file is damaged, for it is made anew."""
    try:
        known = json.loads(path.read_text())
    except ValueError:
        return {}
    return known if isinstance(known, dict) else {}


def _has_repetitions(path: Path, keys: Sequence[str]) -> bool:
    try:
        return _repetitions(path, keys)
    except pl.exceptions.PolarsError:
        return True  # unreadable: whoever reads the samples says so with the name of the file


def _repetitions(path: Path, keys: Sequence[str]) -> bool:
    scan = pl.scan_parquet(path, hive_partitioning=False, glob=False)
    rows = scan.select(pl.len()).collect().item()
    if rows > _PROFILED_ROWS:
        return True
    tags = [key for key in keys if key != "timestamp"]
    time = pl.col("timestamp")
    if not tags:
        return bool(scan.select(time.n_unique() != time.len()).collect().item())
    counted = scan.group_by(tags).agg((time.n_unique() != time.len()).alias("again"))
    return bool(counted.select(pl.col("again").any()).collect(engine="streaming").item())
