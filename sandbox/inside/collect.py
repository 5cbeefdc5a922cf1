"""What a job left in its output folder; nothing is followed, opened twice or waited for."""

import os
import re
import stat
from typing import NamedTuple

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}", re.ASCII)
_MOST_ENTRIES = 2000
_MOST_REPORTED = 50
_SMALL = 1 << 20


class Left(NamedTuple):
    """The files read, and what was dropped with the reason."""

    files: tuple[tuple[str, bytes], ...]
    dropped: tuple[tuple[str, str], ...]


def left_in(directory: str, most_files: int, most_bytes: int) -> Left:
    """The plain files of ``directory``, by name; call when no process can change them."""
    files: list[tuple[str, bytes]] = []
    dropped: list[tuple[str, str]] = []
    room = most_bytes
    folder = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        for name in _names(folder, dropped):
            if len(files) >= most_files:
                dropped.append((name, f"more than {most_files} files"))
                continue
            content = _content(folder, name, room)
            if isinstance(content, str):
                dropped.append((name, content))
            else:
                files.append((name, content))
                room -= len(content)
    finally:
        os.close(folder)
    return Left(tuple(files), tuple(dropped[:_MOST_REPORTED]))


def _names(folder: int, dropped: list[tuple[str, str]]) -> list[str]:
    names: list[str] = []
    with os.scandir(folder) as entries:
        for seen, entry in enumerate(entries):
            if seen >= _MOST_ENTRIES:
                dropped.insert(0, ("...", f"more than {_MOST_ENTRIES} entries"))
                break
            if NAME.fullmatch(entry.name):
                names.append(entry.name)
            else:
                dropped.append((ascii(entry.name)[:120], "name not allowed"))
    return sorted(names)


def _content(folder: int, name: str, room: int) -> bytes | str:
    """The bytes of a plain file, or why it is none."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    try:
        before = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if not stat.S_ISREG(before.st_mode):
            return "not a plain file"
        file = os.open(name, flags, dir_fd=folder)
    except OSError as error:
        return error.strerror or "unreadable"
    try:
        return _read(file, room)
    finally:
        os.close(file)


def _read(file: int, room: int) -> bytes | str:
    status = os.fstat(file)
    if not stat.S_ISREG(status.st_mode):
        return "not a plain file"
    if status.st_nlink != 1:
        return "has a second name"
    if status.st_mode & (stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX):
        return "has special permissions"
    if status.st_size > room:
        return "too large"
    if status.st_size > _SMALL and status.st_blocks * 512 < status.st_size // 2:
        return "mostly holes"
    content = bytearray()
    while len(content) <= status.st_size:
        piece = os.read(file, min(1 << 20, status.st_size + 1 - len(content)))
        if not piece:
            break
        content += piece
    return "still changing" if len(content) != status.st_size else bytes(content)
