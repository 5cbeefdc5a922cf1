"""The interpreter that runs the code, and what of its environment must be seen."""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from sandbox.errors import SandboxUnavailable
from sandbox.process import run_command

_QUESTION = "import json,sys;print(json.dumps([sys.executable,sys.prefix,sys.base_prefix]))"
_SECONDS = 20.0
_ALWAYS_SEEN = (Path("/usr"), Path("/bin"), Path("/lib"), Path("/lib64"))
# A prefix may be a folder with more in it than the environment, so only these are shown.
_PARTS = ("bin", "lib", "lib64", "pyvenv.cfg")


@dataclass(frozen=True, slots=True)
class PythonEnvironment:
    """An interpreter and the paths, /usr aside, that it and its libraries live in."""

    executable: Path
    paths: tuple[Path, ...]


def python_environment(python: Path | None) -> PythonEnvironment:
    """The environment of ``python``, of the running interpreter if None.

    Raises SandboxUnavailable when that interpreter does not answer.
    """
    if python is None:
        executable, *prefixes = sys.executable, sys.prefix, sys.base_prefix
    else:
        executable, *prefixes = _asked(python)
    wanted = [Path(each) for each in prefixes]
    wanted += [link.parent.parent for link in _links(Path(executable))]
    shown: list[Path] = []
    for path in sorted(dict.fromkeys(prefix / part for prefix in wanted for part in _PARTS)):
        covered = any(path.is_relative_to(each) for each in (*_ALWAYS_SEEN, *shown))
        if path.exists() and not covered:
            shown.append(path)
    return PythonEnvironment(Path(executable), tuple(shown))


def _asked(python: Path) -> list[str]:
    try:
        answer = run_command([str(python), "-I", "-c", _QUESTION], _SECONDS, 1 << 16)
        found = json.loads(answer.stdout)
    except (OSError, ValueError) as error:
        raise SandboxUnavailable(f"{python} is no working Python interpreter") from error
    return [str(each) for each in found]


def _links(path: Path) -> list[Path]:
    """Every path that ``path`` stands for, link by link."""
    chain: list[Path] = []
    while path.is_symlink() and len(chain) < 40:
        path = Path(os.path.normpath(path.parent / path.readlink()))
        chain.append(path)
    return chain
