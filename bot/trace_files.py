"""Traces as JSON lines, one file each, in the data folder; bounded in age and size."""

import json
import logging
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.trace_step import Owner, Step, short_id, trace_id_of

log = logging.getLogger(__name__)

_SUFFIX = ".jsonl"
_TIDIED = "tidied"
"""A file whose age says when old traces were last removed, by whichever process."""
_TIDY_SECONDS = 600.0
_BLOCK = 4096
"""Bytes that even a short file takes."""
_MOST_OF_ONE = 4_000_000
"""Bytes of one trace; a question that goes round in circles writes no more than that."""


@dataclass(slots=True)
class TraceFiles:
    """Several threads and processes may write to the same folder, and to the same trace.

    Each step is one line, appended when it ends: what a killed process did until then is there.
    """

    folder: Path
    days: float
    """How long a trace is kept."""
    most_bytes: int
    """How much is kept, roughly; the oldest go first."""
    clock: Callable[[], float] = time.time
    _failing: bool = field(default=False, init=False)
    _tidy_at: float = field(default=0.0, init=False)

    def begun(self, step: Step) -> None:
        """Nothing is written before a step ends; now and then old traces are removed."""
        now = self.clock()
        if now >= self._tidy_at:
            self._tidy_at = now + _TIDY_SECONDS
            self._tidy()

    def ended(self, step: Step) -> None:
        """Append ``step`` to its trace; a disk that cannot be written to is logged, once."""
        line = json.dumps(step.as_json(), separators=(",", ":")) + "\n"
        try:
            # What a full disk tore off must not spoil the line after it.
            self._append(step, ("\n" if self._failing else "") + line)
            self._failing = False
        except OSError as error:
            if not self._failing:
                extra = {"action": "trace-lost", "trace": short_id(step.trace)}
                log.warning("traces cannot be written: %s", error, extra=extra)
            self._failing = True

    def close(self) -> None:
        """Everything is written already."""

    def read(self, trace_id: str) -> tuple[Step, ...]:
        """The steps of a trace in the order in which they began; empty where it is not kept.

        Raises OSError where it cannot be read.
        """
        path = self._path(trace_id_of(trace_id))
        try:
            lines = path.read_text("utf-8").splitlines()
        except FileNotFoundError:
            return ()
        steps = [step for line in lines if line and (step := Step.from_json(line)) is not None]
        owner = next((step.owner for step in steps if not step.parent), Owner())
        return tuple(
            replace(step, owner=owner) for step in sorted(steps, key=lambda step: step.begun)
        )

    def latest(self, count: int) -> tuple[Step, ...]:
        """The first step of each of the newest traces, the newest first; raises OSError.

        That is a question, unless another program asked, which keeps its own.
        """
        found: list[Step] = []
        for path, _ in sorted(self._kept(), key=lambda kept: kept[1].st_mtime, reverse=True):
            steps = self.read(path.stem)
            found += sorted(steps, key=lambda step: bool(step.parent))[:1]
            if len(found) >= count:
                break
        return tuple(found)

    def _path(self, trace: str) -> Path:
        return self.folder / f"{short_id(trace)}{_SUFFIX}"

    def _append(self, step: Step, line: str) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
        path = self._path(step.trace)
        try:
            file = os.open(path, flags, 0o600)
        except FileNotFoundError:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = os.open(path, flags, 0o600)
        try:
            if step.parent and os.fstat(file).st_size > _MOST_OF_ONE:
                return
            whole = line.encode("utf-8", "replace")
            # One write, so that lines of several processes do not mix.
            if os.write(file, whole) < len(whole):
                raise OSError(f"{path} took only a part of a line")
        finally:
            os.close(file)

    def _kept(self) -> Iterator[tuple[Path, os.stat_result]]:
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    if entry.name.endswith(_SUFFIX):
                        yield Path(entry.path), entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return

    def _tidy(self) -> None:
        try:
            if not self._is_untidy():
                return
            oldest = self.clock() - self.days * 86_400
            total = 0
            for path, stat in sorted(self._kept(), key=lambda kept: -kept[1].st_mtime):
                total += max(stat.st_size, _BLOCK)
                if total > self.most_bytes or stat.st_mtime < oldest:
                    path.unlink(missing_ok=True)
        except OSError as error:
            log.warning("old traces cannot be removed: %s", error, extra={"action": "trace-kept"})

    def _is_untidy(self) -> bool:
        """Whether nobody tidied for a while; then it counts as being done."""
        marker, now = self.folder / _TIDIED, self.clock()
        if not self.folder.exists():
            return False
        if marker.exists() and now - marker.stat().st_mtime < _TIDY_SECONDS:
            return False
        marker.touch(mode=0o600)
        os.utime(marker, (now, now))
        return True
