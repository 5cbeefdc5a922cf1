"""The folder that a sandbox shows as /opt/odabot: our keeper, its filter, two account files."""

import platform
import shutil
from pathlib import Path

from sandbox.bpf import filter_for
from sandbox.process import run_command

_SOURCES = ("__init__.py", "frames.py", "inside/__init__.py", "inside/keeper.py")
_MORE_SOURCES = ("inside/collect.py", "inside/confine.py", "inside/execute.py")
_ENTRY = "import sys\nfrom sandbox.inside.keeper import main\ndel sys.path[0]\nmain(sys.argv[1:])\n"
_ACCOUNTS = "{name}:x:{number}:{number}::/tmp:/usr/sbin/nologin\n"
_GROUPS = "{name}:x:{number}:\n"
_NOBODY = (("sandbox", 1000), ("nobody", 65534))


def lay_out_program(folder: Path, python: Path) -> None:
    """Fill the new ``folder``, readable by everyone; raises OSError.

    ``python`` compiles our files once, so that no job's start has to.
    """
    package = Path(__file__).parent
    (folder / "sandbox" / "inside").mkdir(parents=True)
    (folder / "fonts").mkdir()
    for source in (*_SOURCES, *_MORE_SOURCES):
        shutil.copyfile(package / source, folder / "sandbox" / source)
    (folder / "__main__.py").write_text(_ENTRY)
    (folder / "calls.bpf").write_bytes(filter_for(platform.machine(), may_execute=False))
    for name, line in (("passwd", _ACCOUNTS), ("group", _GROUPS)):
        text = "".join(line.format(name=who, number=number) for who, number in _NOBODY)
        (folder / name).write_text(text)
    run_command([str(python), "-I", "-m", "compileall", "-q", str(folder)], 60.0, 1 << 16)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def add_fonts(folder: Path, name: str, content: bytes) -> None:
    """Put matplotlib's list of fonts where the keeper finds it."""
    path = folder / "fonts" / name
    path.write_bytes(content)
    path.chmod(0o644)
