"""Sandbox in a container under the gVisor runtime."""

import os
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from sandbox.control_group import Bounds, own_control_group
from sandbox.environment import python_environment
from sandbox.errors import SandboxUnavailable
from sandbox.exchange import Started
from sandbox.gvisor_bundle import description, lay_out_root, shown_paths
from sandbox.job import Job, JobResult, Limits
from sandbox.job_runner import JobRunner
from sandbox.launch import keeper_command, sandbox_folder
from sandbox.process import Conversation
from sandbox.settings import SandboxSettings
from sandbox.usage import over
from sandbox.workspace import private_folder

Platform = Literal["systrap", "ptrace"]

# The threads of gVisor's own kernel; bounding them closer ends it. Jobs are bounded inside.
_OURS = 512
_OURS_MIB = 128


class GvisorSandbox:
    """Sandbox in a container under the gVisor runtime."""

    def __init__(self, settings: SandboxSettings, platform: Platform) -> None:
        """Find runsc and the interpreter; raises SandboxUnavailable."""
        found = shutil.which("runsc")
        if found is None:
            raise SandboxUnavailable("no runsc: install the system package runsc (gVisor)")
        self._binary = found
        self._platform = platform
        self._cpus = settings.cpus
        self._python = python_environment(settings.python)
        self._folder = sandbox_folder(settings, self._python.executable)
        self._root = self._folder.path / "root"
        self._root.mkdir()
        paths = {path: path for path in self._python.paths}
        lay_out_root(self._root, shown_paths(self._folder.program, paths))
        # A new job meets a new kernel of gVisor's.
        self._jobs = JobRunner(self._start, self._folder, settings, reuse=False)

    @property
    def name(self) -> str:
        """Which technology isolates, for people."""
        return f"gvisor ({self._platform})"

    def run(self, job: Job) -> JobResult:
        """Run ``job`` to its end or to its limits; raises SandboxUnavailable."""
        return self._jobs.run(job)

    def warm_up(self) -> None:
        """Start a sandbox for the first job; raises SandboxUnavailable."""
        self._jobs.warm_up()

    def forget(self, user: str) -> None:
        """End what is kept warm for ``user``, with the files that it was given."""
        self._jobs.forget(user)

    def close(self) -> None:
        """End whatever still runs; a closed sandbox runs nothing more."""
        self._jobs.close()

    def _start(self, limits: Limits, folder: Path, modules: Sequence[str]) -> Started:
        bounds = Bounds(limits.memory_mib + _OURS_MIB, limits.processes + _OURS, self._cpus)
        group = own_control_group(folder.name, bounds)
        owner = self._folder.owner
        for name in ("state", "bundle"):
            private_folder(folder / name, owner)
        program, paths = self._folder.program, self._python.paths
        seen = self._folder.seen((*paths, program, self._root, folder))
        text = description(
            {"rootfs": seen[self._root], "disk": limits.disk_mib << 20},
            shown_paths(seen[program], {path: seen[path] for path in paths}),
            seen[folder] / "in",
            os.geteuid() if owner is None else owner,
            limits,
            keeper_command(self._python.executable, modules),
        )
        config = folder / "bundle" / "config.json"
        config.write_text(text)
        config.chmod(0o644)
        talk = Conversation(
            self._folder.launched(self._command(seen[folder], folder.name), seen, group.folders),
            exceeds=None if group.bounds_memory else partial(over, bounds.memory_mib),
        )
        return Started(talk, folder, group)

    def _command(self, folder: Path, name: str) -> list[str]:
        return [
            self._binary,
            f"--root={folder / 'state'}",
            f"--platform={self._platform}",
            "--rootless",
            "--network=none",
            "--host-uds=none",
            "--ignore-cgroups",
            "--overlay2=none",
            "run",
            f"--bundle={folder / 'bundle'}",
            name,
        ]
