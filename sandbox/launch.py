"""The host's folder of a sandbox, and how a program is started with no rights but its own."""

import json
import os
import sys
import tempfile
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sandbox.errors import SandboxUnavailable
from sandbox.program import lay_out_program
from sandbox.settings import SandboxSettings
from sandbox.workspace import private_folder

_PLACES = (Path("/mnt"), Path("/media"), Path("/srv"), Path("/opt"))


@dataclass(frozen=True, slots=True)
class SandboxFolder:
    """The host's folder of one sandbox: the program shown inside, and one folder a job."""

    path: Path
    owner: int | None
    """The unprivileged user of the jobs; None when that is this process's own user."""

    @property
    def program(self) -> Path:
        """What is shown inside as /opt/odabot."""
        return self.path / "program"

    def new_job_folder(self) -> Path:
        """A new folder for one sandbox, with an empty folder ``in`` for its inputs."""
        folder = self.path / f"job-{uuid.uuid4().hex}"
        private_folder(folder, self.owner)
        (folder / "in").mkdir()
        (folder / "in").chmod(0o755)
        return folder

    def seen(self, paths: Iterable[Path]) -> dict[Path, Path]:
        """Where the jobs' user finds each of ``paths``, be their parents ever so private.

        Raises SandboxUnavailable when this host has no place to show them.
        """
        wanted = list(paths)
        if self.owner is None:
            return {path: path for path in wanted}
        place = _place_to_show(wanted)
        return {path: place / str(number) for number, path in enumerate(wanted)}

    def launched(
        self, command: Sequence[str], seen: Mapping[Path, Path], groups: Iterable[Path]
    ) -> list[str]:
        """The command that joins ``groups``, gives up all rights and becomes ``command``."""
        start = {
            "command": list(command),
            "control_groups": [str(group) for group in groups],
            "user_id": self.owner,
            "shown": [(str(path), str(place)) for path, place in seen.items()],
        }
        launcher = Path(__file__).with_name("launcher.py")
        return [sys.executable, "-I", "-S", "-B", str(launcher), json.dumps(start)]


def sandbox_folder(settings: SandboxSettings, python: Path) -> SandboxFolder:
    """A new folder with our program laid out; raises OSError."""
    path = Path(tempfile.mkdtemp(prefix="odabot-", dir=settings.work_dir))
    folder = SandboxFolder(path, settings.user_id if os.geteuid() == 0 else None)
    folder.program.mkdir()
    lay_out_program(folder.program, python)
    return folder


def _place_to_show(paths: Sequence[Path]) -> Path:
    """A folder that everyone may enter and that none of ``paths`` lies in.

    Only the launched processes see what is mounted on it.
    """
    for place in _PLACES:
        hidden = any(path.is_relative_to(place) for path in paths)
        if place.is_dir() and place.stat().st_mode & 0o005 == 0o005 and not hidden:
            return place
    raise SandboxUnavailable(f"none of the folders {', '.join(map(str, _PLACES))} can be used")


def keeper_command(python: Path, modules: Sequence[str]) -> list[str]:
    """What runs inside: our keeper, with ``modules`` imported before the first job."""
    return [str(python), "-I", "-B", "/opt/odabot", *modules]
