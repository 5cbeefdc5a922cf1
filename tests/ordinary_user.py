"""Acting as a user for whom directories can be closed, also where tests run as root."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Until the block is left, this process is no superuser; nothing changes for one who is not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def open_folder() -> Iterator[Path]:
    """A temporary folder that every user may use; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder


@contextmanager
def closed(directory: Path) -> Iterator[None]:
    """Until the block is left, only a superuser may look into ``directory``."""
    directory.chmod(0)
    try:
        yield
    finally:
        directory.chmod(0o755)
