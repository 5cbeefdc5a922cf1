"""What an operator may choose about the sandbox."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox.job import Limits


class SandboxSettings(BaseModel):
    """Which isolation, and how much a job may use."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    isolation: Literal["auto", "gvisor", "bubblewrap"] = "auto"
    """``auto`` takes the strongest that works; a named one that does not work is refused."""
    python: Path | None = None
    """Interpreter that runs the code; its environment is what code may import. None: our own."""
    work_dir: Path | None = None
    """Where inputs are laid out for jobs; None: the system's temporary folder."""
    user_id: int = Field(default=64738, gt=0)
    """Numeric user that jobs run as when the service runs as root; needs no account."""
    seconds: float = Field(default=60.0, gt=0)
    """Wall clock that one job may take."""
    memory_mib: int = Field(default=1024, ge=128)
    """Memory of one job, all processes and temporary files together."""
    cpus: float = Field(default=1.0, gt=0)
    """Processors that one job may keep busy, where control groups are available."""
    disk_mib: int = Field(default=64, ge=1)
    """Size of a job's /out, and of its /tmp."""
    warm_users: int = Field(default=4, ge=0)
    """How many users keep an interpreter with the libraries already imported; 0 for none."""
    warm_modules: tuple[str, ...] = ("numpy", "matplotlib.pyplot")
    """What a warm interpreter has imported; nothing that starts threads (polars does)."""
    warm_seconds: float = Field(default=900.0, gt=0)
    """How long an unused warm interpreter is kept."""
    sessions: int = Field(default=20, ge=1)
    """How many sessions of code there may be at a time."""
    session_mib: int = Field(default=64, ge=1)
    """The most that a session keeps: its uploads and, again, its artifacts."""
    session_seconds: float = Field(default=1800.0, gt=0)
    """How long a session that is not used is kept."""

    def limits(self) -> Limits:
        """The limits of a job under these settings."""
        return Limits(seconds=self.seconds, memory_mib=self.memory_mib, disk_mib=self.disk_mib)
