"""Sandbox in Linux namespaces made by bubblewrap."""

import os
import platform
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from sandbox.bpf import filter_for
from sandbox.bubblewrap_command import bubblewrap_binary, bubblewrap_options
from sandbox.control_group import Bounds, own_control_group
from sandbox.environment import python_environment
from sandbox.exchange import Started
from sandbox.job import Job, JobResult, Limits
from sandbox.job_runner import JobRunner
from sandbox.launch import keeper_command, sandbox_folder
from sandbox.process import Conversation
from sandbox.settings import SandboxSettings
from sandbox.usage import over

# The sandbox's own processes, beside those of the job.
_OURS = 16


class BubblewrapSandbox:
    """Sandbox in Linux namespaces made by bubblewrap."""

    name = "bubblewrap"

    def __init__(self, settings: SandboxSettings) -> None:
        """Find bubblewrap and the interpreter; raises SandboxUnavailable."""
        self._cpus = settings.cpus
        self._binary = bubblewrap_binary()
        self._python = python_environment(settings.python)
        self._folder = sandbox_folder(settings, self._python.executable)
        self._jobs = JobRunner(self._start, self._folder, settings, reuse=True)

    def run(self, job: Job) -> JobResult:
        """Run ``job`` to its end or to its limits; raises SandboxUnavailable."""
        return self._jobs.run(job)

    def warm_up(self) -> None:
        """Start an interpreter for the first job; raises SandboxUnavailable."""
        self._jobs.warm_up()

    def forget(self, user: str) -> None:
        """End what is kept warm for ``user``, with the files that it was given."""
        self._jobs.forget(user)

    def close(self) -> None:
        """End whatever is kept warm; a closed sandbox runs nothing more."""
        self._jobs.close()

    def _start(self, limits: Limits, folder: Path, modules: Sequence[str]) -> Started:
        bounds = Bounds(limits.memory_mib, limits.processes + _OURS, self._cpus)
        group = own_control_group(folder.name, bounds)
        call_filter = _in_memory("filter", filter_for(platform.machine(), may_execute=True))
        packages = self._binary.parent.parent.parent
        private = () if self._binary.is_relative_to("/usr") else (packages,)
        program = self._folder.program
        seen = self._folder.seen((*self._python.paths, program, folder, *private))
        words = {
            "filter": call_filter,
            "program": seen[program],
            "inputs": seen[folder] / "in",
            "disk": limits.disk_mib << 20,
        }
        options = _in_memory("options", bubblewrap_options(words, self._python, seen))
        binary = self._binary
        if private:
            binary = seen[packages] / binary.relative_to(packages)
        keeper = keeper_command(self._python.executable, modules)
        command = [str(binary), "--args", str(options), "--", *keeper]
        try:
            talk = Conversation(
                self._folder.launched(command, seen, group.folders),
                files=(call_filter, options),
                exceeds=None if group.bounds_memory else partial(over, limits.memory_mib),
            )
        finally:
            os.close(call_filter)
            os.close(options)
        return Started(talk, folder, group)


def _in_memory(name: str, content: bytes) -> int:
    """A file descriptor from which ``content`` is read."""
    file = os.memfd_create(name)
    os.write(file, content)
    os.lseek(file, 0, os.SEEK_SET)
    return file
