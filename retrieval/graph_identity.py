"""Which graphs hold the same: by the scope, the state of the lake's files, and our own version."""

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path

import ontology
from retrieval.errors import LakeError
from retrieval.lake import JOB_METRIC, JOB_PLUGIN, Lake
from retrieval.lake_files import PartitionFile
from retrieval.scope import GraphScope

_SETTLED = timedelta(hours=1)
"""So long after a moment, no more samples of it are expected."""


def fingerprint_of(lake: Lake, scope: GraphScope, topology: str) -> str:
    """A digest of all that decides what the graph of ``scope`` holds.

    ``topology`` is a digest of the part that does not come from the lake. Raises LakeError.
    """
    parts = {
        "program": _program(),
        "topology": topology,
        "access": scope.access,
        "metrics": sorted(repr(metric) for metric in scope.metrics),
        "windows": sorted(
            (w.start.astimezone(UTC).isoformat(), w.end.astimezone(UTC).isoformat(), w.includes_end)
            for w in scope.windows
        ),
        "jobs": scope.jobs,
        "lake": str(lake.root.resolve()),
        "files": sorted(_state(file) for file in _files(lake, scope)),
    }
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def is_settled(lake: Lake, scope: GraphScope, now: datetime) -> bool:
    """Whether all of ``scope`` lies so far in the past that nothing will be added to it."""
    ends = [window.end for window in scope.windows] if scope.metrics else []
    if scope.metrics and not scope.windows:
        ends += [file.last for file in _readings(lake, scope)]
    if scope.jobs:
        ends += [file.last for file in _jobs(lake)]
    return all(end + _SETTLED <= now for end in ends)


def _files(lake: Lake, scope: GraphScope) -> Iterator[PartitionFile]:
    for file in _readings(lake, scope):
        windows = scope.windows
        if not windows or any(file.may_hold(w.start, w.end) for w in windows):
            yield file
    if scope.jobs:
        yield from _jobs(lake)


def _readings(lake: Lake, scope: GraphScope) -> Iterator[PartitionFile]:
    for metric in scope.metrics:
        yield from lake.files.get((metric.plugin, metric.name), ())


def _jobs(lake: Lake) -> tuple[PartitionFile, ...]:
    return lake.files.get((JOB_PLUGIN, JOB_METRIC), ())


def _state(file: PartitionFile) -> tuple[str, int, int]:
    try:
        state = file.path.stat()
    except OSError as error:
        raise LakeError(f"{file.path} cannot be opened: {error.strerror}") from error
    return str(file.path), state.st_size, state.st_mtime_ns


@lru_cache(maxsize=1)
def _program() -> str:
    """A digest of what makes triples of rows: another version may make others."""
    digest = hashlib.sha256()
    for package in (Path(__file__).parent, Path(ontology.__file__ or "").parent):
        for path in sorted(package.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
