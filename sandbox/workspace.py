"""A job's inputs: whether they can be laid out, and where, in a folder that only it may enter."""

import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path

from sandbox.inside.collect import NAME
from sandbox.job import Job

CODE_BYTES = 200_000
_MOST_INPUTS = 200


def problem_with(job: Job) -> str | None:
    """Why ``job`` cannot be run at all; None for one that can."""
    if len(job.code.encode(errors="replace")) > CODE_BYTES:
        return f"The code is longer than {CODE_BYTES} bytes."
    if "\0" in job.code or not _is_text(job.code):
        return "The code is no text."
    if len(job.inputs) > _MOST_INPUTS:
        return f"There are more than {_MOST_INPUTS} inputs."
    names = [each.name for each in job.inputs]
    if len(set(names)) < len(names):
        return "Two inputs have the same name."
    for path in job.inputs:
        if not NAME.fullmatch(path.name):
            return f"The input name {path.name!a} is not allowed."
        if path.is_symlink() or not path.is_file():
            return f"The input {path.name} is no plain file."
    return None


def lay_out(inputs: Iterable[Path], directory: Path) -> None:
    """Put ``inputs``, readable, into ``directory``; raises OSError.

    Who may enter the folder above decides who reads them. A file that anyone may read is
    only linked, which costs nothing however large it is.
    """
    for path in inputs:
        target = directory / path.name
        if not (_anyone_may_read(path) and _linked(path, target)):
            _copy(path, target)
            target.chmod(0o444)


def private_folder(path: Path, owner: int | None) -> None:
    """Make ``path`` a new folder that only ``owner`` (None: this process's user) may enter."""
    path.mkdir(mode=0o700)
    if owner is not None:
        os.chown(path, owner, owner)


def emptied(directory: Path) -> None:
    """Remove everything in ``directory``; raises OSError."""
    for path in directory.iterdir():
        path.unlink()


def _copy(path: Path, target: Path) -> None:
    source = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(source, "rb") as reader, target.open("xb") as writer:
        if not stat.S_ISREG(os.fstat(source).st_mode):
            raise OSError(f"{path} is no plain file")
        shutil.copyfileobj(reader, writer, 1 << 20)


def _anyone_may_read(path: Path) -> bool:
    return bool(path.stat(follow_symlinks=False).st_mode & stat.S_IROTH)


def _linked(path: Path, target: Path) -> bool:
    try:
        os.link(path, target, follow_symlinks=False)
    except OSError:
        return False
    return True


def _is_text(code: str) -> bool:
    try:
        code.encode()
    except UnicodeEncodeError:
        return False
    return True
