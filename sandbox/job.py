"""One run of code: what goes in, what may be used, what came out."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from sandbox.audit import Finding


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that a job may use; each has a default that a plot of a day's data meets."""

    seconds: float = 60.0
    """Wall clock from the request to the last byte of the reply."""
    memory_mib: int = 1024
    """Of all the job's processes together, its temporary files included."""
    address_space_mib: int = 1536
    """Of one process; passing it raises MemoryError inside the program."""
    processes: int = 64
    """Threads count as processes."""
    disk_mib: int = 64
    """Of /out and, again, of /tmp."""
    printed_bytes: int = 1 << 20
    """Of standard output and, again, of standard error."""
    files: int = 50
    """Files handed out."""
    file_bytes: int = 32 << 20
    """All files handed out together."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Job:
    """Code, the files it may read as /in/<name>, and whose it is."""

    code: str
    inputs: tuple[Path, ...] = ()
    limits: Limits = field(default_factory=Limits)
    user: str = ""
    """Jobs of one user may share a warm interpreter; no two users ever do."""
    stopped: Callable[[], bool] = field(default=_never, compare=False, repr=False)
    """Asked several times a second whether nobody wants the result any more."""


class JobStatus(StrEnum):
    """How a job ended."""

    FINISHED = "finished"
    FAILED = "failed"
    TIMED_OUT = "timed-out"
    OUT_OF_MEMORY = "out-of-memory"
    REFUSED = "refused"
    STOPPED = "stopped"
    """Nobody wanted its result any more."""


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file that a job left behind, its content already checked against its name."""

    name: str
    content: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class DroppedFile:
    """Something that a job left in /out and that is not handed on."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class JobResult:
    """What the code did; a failing program is a result, not an error."""

    status: JobStatus
    stdout: str = ""
    stderr: str = ""
    outputs: tuple[OutputFile, ...] = ()
    seconds: float = 0.0
    findings: tuple[Finding, ...] = ()
    dropped: tuple[DroppedFile, ...] = ()
