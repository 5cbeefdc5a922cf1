"""Control groups, version 1 or 2: bounds on a whole job, where this host lets us set them."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

_PERIOD_MICROSECONDS = 100_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """What all processes of a job may use together."""

    memory_mib: int
    processes: int
    cpus: float


@dataclass(frozen=True, slots=True)
class ControlGroup:
    """A job's own groups, one folder a hierarchy; none where the host offers none."""

    folders: tuple[Path, ...]

    @property
    def bounds_memory(self) -> bool:
        """Whether the kernel holds the job to its memory."""
        files = ("memory.max", "memory.limit_in_bytes")
        return any((folder / each).exists() for folder in self.folders for each in files)

    def killed_for_memory(self) -> bool:
        """Whether the kernel ended a process of the job because its memory was used up."""
        for folder in self.folders:
            for name in ("memory.events", "memory.oom_control"):
                with contextlib.suppress(OSError):
                    for line in (folder / name).read_text().splitlines():
                        key, _, count = line.partition(" ")
                        if key == "oom_kill" and int(count) > 0:
                            return True
        return False

    def remove(self) -> None:
        """End every process that is left inside and remove the groups."""
        for folder in self.folders:
            for _ in range(100):
                for process in _processes(folder):
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(process, signal.SIGKILL)
                with contextlib.suppress(OSError):
                    folder.rmdir()
                if not folder.exists():
                    break
                time.sleep(0.01)


def own_control_group(name: str, bounds: Bounds) -> ControlGroup:
    """New groups called ``name`` on this host, as far as this process may make them."""
    own = Path("/proc/self/cgroup").read_text()
    return control_group(name, bounds, own, Path("/sys/fs/cgroup"))


def control_group(
    name: str, bounds: Bounds, own: str, root: Path, make: Callable[[Path], None] = Path.mkdir
) -> ControlGroup:
    """New groups called ``name`` below those of the process whose /proc/…/cgroup is ``own``.

    A group that this host does not let us make is left out.
    """
    folders: list[Path] = []
    for line in own.splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0":
            mounts, values = [root, root / "unified"], _v2_values(bounds)
        else:
            mounts, values = [root / controllers], _v1_values(controllers.split(","), bounds)
        folder = _first_made(mounts, path.lstrip("/"), name, values, make)
        if folder is not None:
            folders.append(folder)
    return ControlGroup(tuple(folders))


def _first_made(
    mounts: Sequence[Path],
    path: str,
    name: str,
    values: dict[str, str],
    make: Callable[[Path], None],
) -> Path | None:
    """A group below our own, else beside it, else at the top, wherever it is allowed first."""
    for mount in mounts if values else ():
        for place in dict.fromkeys((mount / path, (mount / path).parent, mount)):
            if not place.is_relative_to(mount) or not place.is_dir():
                continue
            with contextlib.suppress(OSError):
                _write(place / "cgroup.subtree_control", "+memory +pids +cpu")
            if _made(place / name, values, make):
                return place / name
    return None


def _made(folder: Path, values: dict[str, str], make: Callable[[Path], None]) -> bool:
    """Whether the group exists now, with the bounds that its hierarchy knows."""
    with contextlib.suppress(OSError):
        make(folder)
        offered = [each for each in values if (folder / each).exists()]
        for each in offered:
            _write(folder / each, values[each])
        if offered:
            return True
    with contextlib.suppress(OSError):
        folder.rmdir()
    return False


def _write(path: Path, text: str) -> None:
    """Write to a file that the kernel made; unlike write_text, never make one."""
    with path.open("r+") as file:
        file.write(text)


def _v1_values(controllers: list[str], bounds: Bounds) -> dict[str, str]:
    values: dict[str, str] = {}
    if "memory" in controllers:
        memory = str(bounds.memory_mib << 20)
        values |= {"memory.limit_in_bytes": memory, "memory.memsw.limit_in_bytes": memory}
    if "pids" in controllers:
        values["pids.max"] = str(bounds.processes)
    if "cpu" in controllers:
        values["cpu.cfs_period_us"] = str(_PERIOD_MICROSECONDS)
        values["cpu.cfs_quota_us"] = str(int(bounds.cpus * _PERIOD_MICROSECONDS))
    return values


def _v2_values(bounds: Bounds) -> dict[str, str]:
    return {
        "memory.max": str(bounds.memory_mib << 20),
        "memory.swap.max": "0",
        "pids.max": str(bounds.processes),
        "cpu.max": f"{int(bounds.cpus * _PERIOD_MICROSECONDS)} {_PERIOD_MICROSECONDS}",
    }


def _processes(folder: Path) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(each) for each in (folder / "cgroup.procs").read_text().split()]
    return []
