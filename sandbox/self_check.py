"""Tries to get out of a sandbox; one in which a way out works must not serve."""

import contextlib
import json
import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sandbox.errors import SandboxUnavailable
from sandbox.job import Job, JobStatus, Limits
from sandbox.runner import Sandbox

_PROBE = Path(__file__).parent / "inside" / "probe.py"
_LIMITS = Limits(seconds=20.0)


def escaped(sandbox: Sandbox) -> tuple[str, ...]:
    """The names of the ways that led out of ``sandbox``; empty for a sound one.

    Raises SandboxUnavailable when the sandbox does not run the check to its end.
    """
    with _bait() as words:
        code = f"GIVEN = {words!r}\n{_PROBE.read_text()}"
        result = sandbox.run(Job(code, limits=_LIMITS))
    if result.status is not JobStatus.FINISHED:
        raise SandboxUnavailable(f"its check ended as {result.status}: {result.stderr[-500:]}")
    try:
        names = json.loads(result.stdout)
    except ValueError as error:
        raise SandboxUnavailable("its check printed something else") from error
    return tuple(str(name) for name in names)


@contextmanager
def _bait() -> Iterator[dict[str, str]]:
    """A file, a port, a socket and a process on this host, for a job to fail to reach."""
    name = f"odabot-{secrets.token_hex(8)}"
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(tempfile.NamedTemporaryFile("w", prefix="odabot-bait-"))
        file.write("bait")
        file.flush()
        os.fchmod(file.fileno(), 0o444)
        port = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        local = stack.enter_context(socket.socket(socket.AF_UNIX))
        local.bind(f"\0{name}")
        local.listen()
        yield {
            "file": file.name,
            "port": str(port.getsockname()[1]),
            "socket": name,
            "process": str(os.getpid()),
        }
