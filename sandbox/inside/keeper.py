"""The process that outlives each job: takes requests, watches, collects, cleans, replies."""

import contextlib
import gc
import importlib
import os
import select
import signal
import time
from typing import NamedTuple

from sandbox.frames import Message, packed, read_message
from sandbox.inside import confine
from sandbox.inside.collect import left_in
from sandbox.inside.execute import exactly, run_next

HOME = "/opt/odabot"
_WRITABLE = ("/out", "/tmp", "/dev/shm")  # noqa: S108
_REQUEST_BYTES = 1 << 20


class _Child(NamedTuple):
    """A forked process that waits for its code."""

    process: int
    request: int
    printed: dict[int, bytearray]


class _End(NamedTuple):
    """How a job's process ended: its status (negative for a signal), and why we stopped it."""

    status: int
    stopped: str
    seconds: float


def main(arguments: list[str]) -> None:
    """Serve requests on standard input until it ends.

    ``arguments`` name modules to import before the first, where they are installed.
    """
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open("/dev/null", os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    confine.set_dumpable(False)
    confine.adopt_orphans()
    _prepare()
    for name in arguments:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    awake = _wake_on_child()
    call_filter = _content(f"{HOME}/calls.bpf")
    while True:
        child = _spare(call_filter, (source, sink, *awake))
        _send(sink, Message({"ready": True}))
        message = read_message(exactly(source), _REQUEST_BYTES)
        end = _supervise(child, message, awake[0])
        _send(sink, _reply(message, child, end))
        _wipe()
        _prepare()


def _prepare() -> None:
    """Matplotlib's folder, with the list of fonts that it would else make anew."""
    folder = "/tmp/matplotlib"  # noqa: S108
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(f"{HOME}/fonts"):
        with open(f"{folder}/{name}", "wb") as file:
            file.write(_content(f"{HOME}/fonts/{name}"))


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _wake_on_child() -> tuple[int, int]:
    """A pipe that becomes readable when a child ends."""
    reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    return reader, writer


def _spare(call_filter: bytes, ours: tuple[int, ...]) -> _Child:
    request, request_end = os.pipe()
    stdout_end, stdout = os.pipe()
    stderr_end, stderr = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for each in (*ours, request_end, stdout_end, stderr_end):
                os.close(each)
            run_next(request, stdout, stderr, call_filter)
        except (OSError, ValueError) as error:
            os.write(2, f"could not be confined: {error}".encode())
        finally:
            os._exit(125)
    for each in (request, stdout, stderr):
        os.close(each)
    return _Child(process, request_end, {stdout_end: bytearray(), stderr_end: bytearray()})


def _supervise(child: _Child, message: Message, awake: int) -> _End:
    """Hand the request on, read what is printed, and leave no process behind."""
    start = time.monotonic()
    deadline = start + float(str(message.head["seconds"]))
    most = int(str(message.head["printed"]))
    with contextlib.suppress(BrokenPipeError):
        _write(child.request, packed(message))
    os.close(child.request)
    status, stopped = _watch(child, awake, deadline, most)
    _end_everything()
    for pipe in child.printed:
        os.close(pipe)
    return _End(-9 if status is None else status, stopped, time.monotonic() - start)


def _watch(child: _Child, awake: int, deadline: float, most: int) -> tuple[int | None, str]:
    """The exit status, None if it had to be stopped, and then why."""
    poll = select.poll()
    for pipe in (*child.printed, awake):
        poll.register(pipe, select.POLLIN)
    status: int | None = None
    while True:
        if status is None:
            ended, code = os.waitpid(child.process, os.WNOHANG)
            status = os.waitstatus_to_exitcode(code) if ended else None
        left = deadline - time.monotonic()
        if left <= 0:
            return None, "deadline"
        ready = [each for each, _ in poll.poll(0 if status is not None else left * 1000)]
        if awake in ready:
            os.read(awake, 4096)
        heard = False
        for pipe in (each for each in ready if each != awake):
            piece = os.read(pipe, 65536)
            if not piece:
                poll.unregister(pipe)
            heard = heard or bool(piece)
            child.printed[pipe] += piece[: most + 1 - len(child.printed[pipe])]
            if len(child.printed[pipe]) > most:
                return None, "printed"
        if status is not None and not heard:
            return status, ""


def _end_everything() -> None:
    """Kill all processes but this one, orphans included, and see each of them gone."""
    while True:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _reply(message: Message, child: _Child, end: _End) -> Message:
    head = message.head
    left = left_in("/out", int(str(head["files"])), int(str(head["file_bytes"])))
    most = int(str(head["printed"]))
    stdout, stderr = (bytes(each[:most]) for each in child.printed.values())
    return Message(
        {
            "status": end.status,
            "stopped": end.stopped,
            "seconds": end.seconds,
            "names": [name for name, _ in left.files],
            "dropped": [list(each) for each in left.dropped],
        },
        (stdout, stderr, *(content for _, content in left.files)),
    )


def _wipe() -> None:
    """Leave nothing of the last job where the next could find it; raises OSError.

    An error ends this process, and with it the sandbox.
    """
    for folder in _WRITABLE:
        device = os.lstat(folder).st_dev
        with os.scandir(folder) as entries:
            for entry in entries:
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.path)
                elif entry.stat(follow_symlinks=False).st_dev == device:
                    _remove_tree(entry.path)


def _remove_tree(path: str) -> None:
    from shutil import rmtree

    os.chmod(path, 0o700)
    for folder, names, _ in os.walk(path):
        for each in (os.path.join(folder, name) for name in names):
            if not os.path.islink(each):
                os.chmod(each, 0o700)
    rmtree(path)


def _send(sink: int, message: Message) -> None:
    _write(sink, packed(message))


def _write(pipe: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(pipe, rest) :]
