"""The job's own process: waits for its code, gives up what it does not need, runs it.

Modules that a short job may do without are imported when needed, because they are most of
what a start costs.
"""

import atexit
import builtins
import os
import sys
import types
from collections.abc import Callable
from typing import NamedTuple

from sandbox.frames import Message, read_message
from sandbox.inside import confine

OUT_OF_MEMORY = 86
_NAME = "job.py"
_CODE_BYTES = 1 << 20


class Request(NamedTuple):
    """What one job may use, as the host sent it."""

    address_space: int
    processes: int
    disk: int
    seconds: float


def request_in(message: Message) -> Request:
    """The request in a message's head; raises KeyError or ValueError."""
    head = message.head
    return Request(
        int(str(head["address_space"])),
        int(str(head["processes"])),
        int(str(head["disk"])),
        float(str(head["seconds"])),
    )


def run_next(pipe: int, stdout: int, stderr: int, call_filter: bytes) -> None:
    """Wait for one request on ``pipe``, run its code as ``__main__``, and end the process."""
    os.setsid()
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    message = read_message(exactly(pipe), _CODE_BYTES)
    request = request_in(message)
    os.closerange(3, 256)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="replace", closefd=False)  # noqa: SIM115
    os.chdir("/out")
    os.umask(0o022)
    _reseed()
    confine.set_dumpable(True)
    confine.limit_resources(request.address_space, request.processes, request.disk, request.seconds)
    confine.filter_calls(call_filter)
    os._exit(_run(message.bodies[0].decode()))


def exactly(pipe: int) -> Callable[[int], bytes]:
    """A function that reads exactly n bytes from ``pipe``, and ends the process at its end."""

    def read(count: int) -> bytes:
        content = bytearray()
        while len(content) < count:
            piece = os.read(pipe, min(count - len(content), 1 << 20))
            if not piece:
                os._exit(0)
            content += piece
        return bytes(content)

    return read


def _reseed() -> None:
    """Two jobs must not draw the same numbers because both were forked from one process."""
    if "random" in sys.modules:
        sys.modules["random"].seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()


def _run(code: str) -> int:
    """The exit status of ``code``; what it raises is printed as Python prints it."""
    main = types.ModuleType("__main__")
    main.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = main
    sys.argv = [_NAME]
    status = 0
    try:
        exec(compile(code, _NAME, "exec"), main.__dict__)  # noqa: S102
        _join_threads()
    except SystemExit as stop:
        status = _status_of(stop)
    except MemoryError as error:
        _report(error, code)
        status = OUT_OF_MEMORY
    except BaseException as error:  # noqa: BLE001
        _report(error, code)
        status = 1
    try:
        atexit._run_exitfuncs()
        sys.stdout.flush()
    except (OSError, ValueError):
        status = status or 1
    return status


def _status_of(stop: SystemExit) -> int:
    if stop.code is None or isinstance(stop.code, int):
        return (stop.code or 0) & 255
    sys.stderr.write(f"{stop.code}\n")
    return 1


def _join_threads() -> None:
    if "threading" not in sys.modules:
        return
    import threading

    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()


def _report(error: BaseException, code: str) -> None:
    """Print the traceback with the job's own lines, and none of ours."""
    import linecache
    import traceback

    linecache.cache[_NAME] = (len(code), None, code.splitlines(keepends=True), _NAME)
    trace = error.__traceback__
    ours = trace.tb_next if trace is not None else None
    traceback.print_exception(type(error), error, ours)
