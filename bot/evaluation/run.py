"""What a run of a question set is of: configuration, model, lake, questions, machine."""

import hashlib
import os
import platform
from importlib.metadata import version
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from bot.errors import EvaluationError


class Run(BaseModel):
    """Stands in every line of a file of answers; two that differ never share a file."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    config: str
    """Behind the tools of retrieval: nsa, exasage or datalake."""
    steps: str
    """Whether the model does what is open, or every step."""
    model: str
    """As its endpoint calls it; ``none`` where none is asked."""
    questions: str
    """Digest of what is put."""
    lake: str
    """Digest of the names and sizes of the lake's files."""
    zone: str
    """The site's time zone."""
    version: str
    """Of odabot."""

    def difference(self, other: "Run") -> str:
        """What differs, in words; empty where nothing does."""
        pairs = [(name, getattr(self, name), getattr(other, name)) for name in Run.model_fields]
        return ", ".join(f"{name} {mine} and not {its}" for name, its, mine in pairs if mine != its)


def own_version() -> str:
    """The version of odabot that is installed."""
    return version("odabot")


def lake_digest(root: Path) -> str:
    """A digest of the names and sizes of the files below ``root``; raises EvaluationError."""
    files = sorted((str(path.relative_to(root)), path) for path in root.rglob("*.parquet"))
    if not files:
        raise EvaluationError(f"{root} holds no Parquet file: name a lake with --lake")
    try:
        sizes = [f"{name}\t{path.stat().st_size}" for name, path in files]
    except OSError as error:
        raise EvaluationError(f"the lake {root} cannot be read: {error}") from error
    return hashlib.sha256("\n".join(sizes).encode()).hexdigest()[:16]


def this_machine() -> str:
    """Processors and memory of this machine, in a few words."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} x {_processor()}, {memory:.0f} GiB"


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if described.is_file():
        for line in described.read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return " ".join(value.split())
    return platform.processor() or platform.machine()
