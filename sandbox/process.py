"""Starts other programs: the only module that does, with a deadline and capped output always."""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

_STDERR_BYTES = 64 << 10
_WATCH_SECONDS = 0.1
_PIECE = 1 << 20
_CLEAN = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}


class Ended(Exception):
    """The program closed its output before saying what was expected."""


class DeadlinePassed(Exception):
    """The program did not say it in time."""


class Stopped(Exception):
    """The program uses more than it may."""


class Unwanted(Exception):
    """Nobody waits for the program any more."""


@dataclass(frozen=True, slots=True)
class Exit:
    """How a command ended; ``code`` is None when it was stopped at a limit."""

    code: int | None
    stdout: bytes
    stderr: bytes


class Conversation:
    """A running program that is spoken to over its standard input and output."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        files: Sequence[int] = (),
        environment: Mapping[str, str] = _CLEAN,
        exceeds: Callable[[int], bool] | None = None,
    ) -> None:
        """Start ``command`` with ``files`` open.

        ``exceeds`` is asked now and then, with the process id, whether to stop waiting.
        Raises OSError when the command cannot be started.
        """
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=tuple(files),
            env=dict(environment),
            cwd="/",
            bufsize=0,
            start_new_session=True,
        )
        self._exceeds = exceeds
        self._stderr = bytearray()
        self._killed = False
        self._unwanted: Callable[[], bool] = lambda: False
        for stream in self._streams():
            os.set_blocking(stream.fileno(), False)

    @property
    def process(self) -> int:
        """The process id on this host."""
        return self._process.pid

    @contextlib.contextmanager
    def as_long_as_wanted(self, unwanted: Callable[[], bool]) -> Iterator[None]:
        """Meanwhile, whatever waits raises Unwanted once ``unwanted`` says so."""
        self._unwanted = unwanted
        try:
            yield
        finally:
            self._unwanted = lambda: False

    def complaint(self) -> str:
        """What the program wrote on standard error so far, the first 64 KiB of it."""
        self._hear_stderr()
        return self._stderr.decode(errors="replace").strip()

    def write(self, content: bytes, deadline: float) -> None:
        """Send ``content``; raises Ended, DeadlinePassed or Stopped."""
        rest = memoryview(content)
        while rest:
            self._wait(self._pipe(self._process.stdin), selectors.EVENT_WRITE, deadline)
            try:
                written = os.write(self._pipe(self._process.stdin).fileno(), rest[:_PIECE])
            except BrokenPipeError as error:
                raise Ended(self.complaint()) from error
            rest = rest[written:]

    def read(self, count: int, deadline: float) -> bytes:
        """The next ``count`` bytes of output; raises Ended, DeadlinePassed or Stopped."""
        content = bytearray()
        while len(content) < count:
            piece = self.read_some(count - len(content), deadline)
            if not piece:
                raise Ended(self.complaint())
            content += piece
        return bytes(content)

    def read_some(self, most: int, deadline: float) -> bytes:
        """At least one and at most ``most`` bytes of output; nothing at its end."""
        while True:
            self._wait(self._pipe(self._process.stdout), selectors.EVENT_READ, deadline)
            with contextlib.suppress(BlockingIOError):
                return os.read(self._pipe(self._process.stdout).fileno(), min(most, _PIECE))

    def finish_input(self) -> None:
        """Close the program's standard input."""
        self._pipe(self._process.stdin).close()

    def wait(self, deadline: float) -> int | None:
        """The exit status, or None if it still runs at ``deadline``."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(max(0.0, deadline - time.monotonic()))
        return None

    def kill(self) -> None:
        """End the program and its process group; returns when it is gone."""
        if self._killed:
            return
        self._killed = True
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._hear_stderr()
        for stream in self._streams():
            stream.close()

    def _wait(self, stream: IO[bytes], event: int, deadline: float) -> None:
        """Return when ``stream`` is ready; keeps standard error drained meanwhile."""
        with selectors.DefaultSelector() as selector:
            selector.register(stream, event)
            stderr = self._pipe(self._process.stderr)
            selector.register(stderr, selectors.EVENT_READ)
            while True:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise DeadlinePassed
                ready = [key.fileobj for key, _ in selector.select(min(left, _WATCH_SECONDS))]
                if stderr in ready and not self._hear_stderr():
                    selector.unregister(stderr)
                if stream in ready:
                    return
                if self._exceeds is not None and self._exceeds(self.process):
                    raise Stopped
                if self._unwanted():
                    raise Unwanted

    def _hear_stderr(self) -> bool:
        """Read what is there; False once the stream has ended."""
        stream = self._pipe(self._process.stderr)
        if stream.closed:
            return False
        with contextlib.suppress(BlockingIOError):
            while piece := os.read(stream.fileno(), 65536):
                self._stderr += piece[: _STDERR_BYTES - len(self._stderr)]
            return False
        return True

    def _streams(self) -> tuple[IO[bytes], ...]:
        process = self._process
        return tuple(self._pipe(each) for each in (process.stdin, process.stdout, process.stderr))

    @staticmethod
    def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
        if stream is None:
            raise Ended("no pipe")
        return stream


def run_command(command: Sequence[str], seconds: float, output_bytes: int) -> Exit:
    """Run ``command`` to its end, or end its process group at a limit; raises OSError."""
    deadline = time.monotonic() + seconds
    talk = Conversation(command)
    stdout = bytearray()
    code: int | None = None
    try:
        talk.finish_input()
        while piece := talk.read_some(output_bytes + 1, deadline):
            stdout += piece
            if len(stdout) > output_bytes:
                break
        else:
            code = talk.wait(deadline)
    except DeadlinePassed:
        pass
    finally:
        talk.kill()
    return Exit(code, bytes(stdout[:output_bytes]), talk.complaint().encode())
