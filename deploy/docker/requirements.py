"""Prints what the project and some of its extras need, one requirement a line, for pip.

python requirements.py pyproject.toml [EXTRA...]
"""

import sys
import tomllib
from pathlib import Path


def requirements(pyproject: str, extras: list[str]) -> list[str]:
    """The requirements of ``pyproject``, a file's text, in its own order."""
    project = tomllib.loads(pyproject)["project"]
    wanted = [need for extra in extras for need in project["optional-dependencies"][extra]]
    return [*project["dependencies"], *wanted]


if __name__ == "__main__":
    file, *chosen = sys.argv[1:]
    text = "\n".join(requirements(Path(file).read_text("utf-8"), chosen))
    sys.stdout.write(text + "\n")
