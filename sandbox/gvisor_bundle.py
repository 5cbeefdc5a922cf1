"""The container that gVisor is given: a root folder of mount points, and its description."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sandbox.job import Limits

_MERGED = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_READ_ONLY = ("bind", "ro", "nosuid", "nodev")


@dataclass(frozen=True, slots=True)
class Shown:
    """A path of the host that is seen, read-only, at ``inside``."""

    inside: Path
    source: Path


def shown_paths(program: Path, python: Mapping[Path, Path]) -> tuple[Shown, ...]:
    """What every container shows; ``python`` says where the host has each path of it."""
    paths = [
        Shown(Path("/usr"), Path("/usr")),
        Shown(Path("/opt/odabot"), program),
        Shown(Path("/etc/passwd"), program / "passwd"),
        Shown(Path("/etc/group"), program / "group"),
    ]
    cache = Path("/etc/ld.so.cache")
    if cache.exists():
        paths.append(Shown(cache, cache))
    folders = (Path("/", name) for name in _MERGED)
    paths += [Shown(each, each) for each in folders if each.is_dir() and not each.is_symlink()]
    return (*paths, *(Shown(path, source) for path, source in python.items()))


def lay_out_root(root: Path, shown: tuple[Shown, ...]) -> None:
    """Fill the new folder ``root`` with an empty place for everything that is mounted."""
    for name in ("proc", "dev", "tmp", "out", "in", "etc"):
        (root / name).mkdir()
    for name in _MERGED:
        if Path("/", name).is_symlink():
            (root / name).symlink_to(f"usr/{name}")
    for each in shown:
        place = root / each.inside.relative_to("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        if each.source.is_dir() or not each.source.exists():
            place.mkdir(exist_ok=True)
        else:
            place.touch()
    for path in (root, *root.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)


def description(
    words: Mapping[str, object],
    shown: tuple[Shown, ...],
    inputs: Path,
    user_id: int,
    limits: Limits,
    command: list[str],
) -> str:
    """The container as OCI JSON; ``words`` fill the data file.

    gVisor enforces some limits only when the container itself states them.
    """
    text = Path(__file__).with_name("gvisor.json").read_text()
    for word, value in words.items():
        text = text.replace(f"{{{word}}}", str(value))
    container = json.loads(text)
    container["process"]["args"] = command
    container["process"]["user"] = {"uid": user_id, "gid": user_id}
    stated = {
        "RLIMIT_NPROC": limits.processes,
        "RLIMIT_FSIZE": limits.disk_mib << 20,
        "RLIMIT_NOFILE": 256,
        "RLIMIT_CORE": 0,
    }
    container["process"]["rlimits"] = [
        {"type": kind, "hard": value, "soft": value} for kind, value in stated.items()
    ]
    container["mounts"] += [_mount(each) for each in (*shown, Shown(Path("/in"), inputs))]
    return json.dumps(container)


def _mount(shown: Shown) -> dict[str, object]:
    return {
        "destination": str(shown.inside),
        "type": "bind",
        "source": str(shown.source),
        "options": list(_READ_ONLY),
    }
