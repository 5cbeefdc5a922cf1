"""How much a tree of processes uses, for hosts whose control groups we may not set."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
_MOST_FILES = 20_000
_IN_MEMORY = ("out", "tmp", "dev/shm")


@dataclass(frozen=True, slots=True)
class Usage:
    """Bytes of memory, files in memory included, and the number of such files."""

    memory: int
    files: int


def over(memory_mib: int, process: int) -> bool:
    """Whether ``process`` and all below it use more than ``memory_mib``, or endless files."""
    used = usage_of(process)
    return used.memory > memory_mib << 20 or used.files > _MOST_FILES


def usage_of(process: int, proc: Path = Path("/proc")) -> Usage:
    """What ``process`` and all its descendants use now.

    Memory that processes share counts once, as much as the one with most of it has; gVisor's
    processes share one file in memory, whose size is known.
    """
    tree = list(_descendants(process, proc))
    sizes = [_memory_of(proc / str(each)) for each in tree]
    shared = max((each for _, each in sizes), default=0)
    files = {inode: size for each in tree for inode, size in _memory_files(proc / str(each))}
    memory = sum(private for private, _ in sizes) + max(shared, sum(files.values()))
    for each in reversed(tree):
        with contextlib.suppress(OSError):
            held = _held_in_memory(proc / str(each) / "root")
            return Usage(memory + held.memory, held.files)
    return Usage(memory, 0)


def _held_in_memory(root: Path) -> Usage:
    """What the file systems that jobs write to hold; raises OSError for another root."""
    memory = files = 0
    for folder in _IN_MEMORY:
        if (root / folder).stat().st_dev == root.stat().st_dev:
            raise FileNotFoundError(folder)
        system = os.statvfs(root / folder)
        memory += (system.f_blocks - system.f_bfree) * system.f_frsize
        files += system.f_files - system.f_ffree
    return Usage(memory, files)


def _descendants(process: int, proc: Path) -> Iterator[int]:
    """``process`` first, then its children and theirs."""
    children: dict[int, list[int]] = {}
    for entry in proc.iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                after_name = (entry / "stat").read_text().rpartition(")")[2].split()
                children.setdefault(int(after_name[1]), []).append(int(entry.name))
    waiting = [process]
    while waiting:
        found = waiting.pop(0)
        yield found
        waiting += children.get(found, [])


def _memory_files(folder: Path) -> Iterator[tuple[int, int]]:
    """The nameless files in memory that a process has open: inode and bytes."""
    with contextlib.suppress(OSError):
        for link in (folder / "fd").iterdir():
            if os.readlink(link).startswith("/memfd:"):
                status = link.stat()
                yield status.st_ino, status.st_blocks * 512


def _memory_of(folder: Path) -> tuple[int, int]:
    """Resident bytes that are a process's own, and those that others may have too."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        _, resident, shared, *_ = map(int, (folder / "statm").read_text().split())
        return (resident - shared) * _PAGE, shared * _PAGE
    return 0, 0
