"""The port to an isolation technology."""

from typing import Protocol

from sandbox.job import Job, JobResult


class Sandbox(Protocol):
    """Runs one job in isolation: no network, no host files, bounded time and memory."""

    @property
    def name(self) -> str:
        """Which technology isolates, for people: ``bubblewrap``, ``gvisor (systrap)``."""
        ...

    def run(self, job: Job) -> JobResult:
        """Run ``job`` to its end or to its limits; raises SandboxUnavailable."""
        ...

    def warm_up(self) -> None:
        """Get ready what a first job would wait for; raises SandboxUnavailable."""
        ...

    def forget(self, user: str) -> None:
        """End what is kept warm for ``user``, with the files that it was given."""
        ...

    def close(self) -> None:
        """End whatever is kept warm; a closed sandbox runs nothing more."""
        ...
