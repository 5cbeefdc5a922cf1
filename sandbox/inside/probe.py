"""Run as a job: tries to get out in every way we know, and prints the names of those that did.

The host puts the values of WORDS before this text: a file, a port, a socket name and a process
of its own that no job may reach.
"""

import ctypes
import json
import os
import socket
from collections.abc import Callable

WORDS: dict[str, str] = globals().get("GIVEN", {})
_KNOWN_VARIABLES = {
    "PATH", "HOME", "TMPDIR", "LANG", "TZ", "PWD", "LC_CTYPE", "SHLVL",
    "MPLBACKEND", "MPLCONFIGDIR", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS", "POLARS_MAX_THREADS", "ARROW_IO_THREADS",
    "ARROW_DEFAULT_MEMORY_POOL", "MALLOC_ARENA_MAX",
}  # fmt: skip
_NETLINK, _PACKET, _ALG, _VSOCK = 16, 17, 38, 40
_NEW_USER_NAMESPACE, _NEW_NETWORK_NAMESPACE = 0x10000000, 0x40000000
_BIND, _TERMINAL_INJECTION = 1 << 12, 0x5412
_PROTECTED = (
    "/usr/new", "/etc/new", "/opt/odabot/new", "/in/new", "/new", "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/sys/fs/cgroup/new", "/dev/new",
)  # fmt: skip
_SECRET = ("/etc/shadow", "/root/.ssh", "/proc/kallsyms", "/proc/kcore", "/dev/mem", "/dev/kmsg")


def host_file() -> bool:
    """A file of the host that everyone on it may read."""
    with open(WORDS["file"]) as file:
        return bool(file.read(1))


def host_port() -> bool:
    """A port on the host's loopback address."""
    with socket.create_connection(("127.0.0.1", int(WORDS["port"])), 2):
        return True


def host_socket() -> bool:
    """A socket in the host's abstract namespace."""
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(2)
        caller.connect("\0" + WORDS["socket"])
        return True


def host_process() -> bool:
    """A process of the host, seen or signalled."""
    os.kill(int(WORDS["process"]), 0)
    return int(WORDS["process"]) > 100


def secrets() -> bool:
    """Files that tell about the host."""
    return any(_is_readable(path) for path in _SECRET)


def environment() -> bool:
    """A variable that the service had."""
    return bool(set(os.environ) - _KNOWN_VARIABLES)  # noqa: TID251


def writing() -> bool:
    """Somewhere other than /out, /tmp and /dev/shm."""
    return any(_is_writable(path) for path in _PROTECTED)


def socket_families() -> bool:
    """Sockets that reach the kernel or the virtual machine's host."""
    return any(_opens(family) for family in (_NETLINK, _PACKET, _ALG, _VSOCK))


def new_namespaces() -> bool:
    """A namespace of its own, in which a job would be root."""
    return any(_called("unshare", kind) for kind in (_NEW_USER_NAMESPACE, _NEW_NETWORK_NAMESPACE))


def mounting() -> bool:
    """A mount."""
    return _called("mount", b"/tmp", b"/tmp", None, ctypes.c_ulong(_BIND), None)


def tracing() -> bool:
    """Being traced, which starts a way to trace."""
    return _called("ptrace", 0, 0, 0, 0)


def becoming_root() -> bool:
    """Another user's rights."""
    return os.getuid() != 0 and _called("setuid", 0)


def typing() -> bool:
    """Characters put into a terminal, with bits set that the kernel ignores."""
    return _called("ioctl", 0, ctypes.c_ulong(_TERMINAL_INJECTION | 1 << 32), b"x")


def executing() -> bool:
    """Another program."""
    child = os.fork()
    if child == 0:
        try:
            os.execv("/usr/bin/env", ["env", "true"])  # noqa: S606
        finally:
            os._exit(77)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


WAYS: tuple[Callable[[], bool], ...] = (
    host_file, host_port, host_socket, host_process, secrets, environment, writing,
    socket_families, new_namespaces, mounting, tracing, becoming_root, typing, executing,
)  # fmt: skip


def ways_out() -> list[str]:
    """The names of the ways that got out."""
    return [way.__name__ for way in WAYS if _works(way)]


def _works(way: Callable[[], bool]) -> bool:
    try:
        return way()
    except OSError:
        return False


def _is_readable(path: str) -> bool:
    try:
        if os.path.isdir(path):
            return bool(os.listdir(path))
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        return bool(os.read(file, 1))
    except OSError:
        return False


def _is_writable(path: str) -> bool:
    flags = os.O_WRONLY if os.path.exists(path) else os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        os.open(path, flags)
    except OSError:
        return False
    return True


def _opens(family: int) -> bool:
    try:
        socket.socket(family, socket.SOCK_RAW if family != _VSOCK else socket.SOCK_STREAM)
    except OSError:
        return False
    return True


def _called(name: str, *arguments: object) -> bool:
    """Whether a call of the C library succeeded."""
    c = ctypes.CDLL(None, use_errno=True)
    return bool(getattr(c, name)(*arguments) != -1)


if __name__ == "__main__":
    print(json.dumps(ways_out()))  # noqa: T201
