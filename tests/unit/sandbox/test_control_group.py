"""Groups are made where a host offers them, version 1 or 2, and left out where not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox.control_group import Bounds, ControlGroup, control_group

BOUNDS = Bounds(memory_mib=100, processes=7, cpus=0.5)


def a_kernel(*files: str) -> Callable[[Path], None]:
    """Makes folders that, like the kernel's, have their files at once."""

    def make(folder: Path) -> None:
        folder.mkdir()
        for name in files:
            (folder / name).touch()

    return make


def test_sets_the_bounds_of_version_2(tmp_path: Path) -> None:
    (tmp_path / "service").mkdir()
    make = a_kernel("memory.max", "memory.swap.max", "pids.max", "cpu.max")

    group = control_group("job", BOUNDS, "0::/service\n", tmp_path, make)

    folder = tmp_path / "service" / "job"
    assert group.folders == (folder,)
    assert group.bounds_memory
    assert {each.name: each.read_text() for each in folder.iterdir()} == {
        "memory.max": "104857600",
        "memory.swap.max": "0",
        "pids.max": "7",
        "cpu.max": "50000 100000",
    }


def test_sets_the_bounds_of_version_1(tmp_path: Path) -> None:
    for name in ("memory/a", "cpu,cpuacct/b"):
        (tmp_path / name).mkdir(parents=True)
    make = a_kernel("memory.limit_in_bytes", "cpu.cfs_period_us", "cpu.cfs_quota_us")

    group = control_group("job", BOUNDS, "4:memory:/a\n2:cpu,cpuacct:/b\n", tmp_path, make)

    memory, cpu = group.folders
    assert (memory / "memory.limit_in_bytes").read_text() == "104857600"
    assert (cpu / "cpu.cfs_quota_us").read_text() == "50000"


def test_a_group_is_made_at_the_top_when_our_own_is_not_mounted(tmp_path: Path) -> None:
    group = control_group("job", BOUNDS, "0::/far/away\n", tmp_path, a_kernel("pids.max"))

    assert group.folders == (tmp_path / "job",)
    assert not group.bounds_memory


def test_a_host_without_groups_has_none(tmp_path: Path) -> None:
    group = control_group("job", BOUNDS, "0::/service\n4:memory:/x\n", tmp_path)

    assert group == ControlGroup(())
    assert not group.bounds_memory


def test_leaves_no_folder_where_nothing_is_offered(tmp_path: Path) -> None:
    (tmp_path / "service").mkdir()

    control_group("job", BOUNDS, "0::/service\n", tmp_path)

    assert list((tmp_path / "service").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "text", "killed"),
    [
        ("memory.events", "low 0\noom 1\noom_kill 2\n", True),
        ("memory.events", "low 0\noom 1\noom_kill 0\n", False),
        ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n", True),
        ("memory.oom_control", "oom_kill_disable 0\n", False),
    ],
)
def test_tells_an_end_by_memory(tmp_path: Path, name: str, text: str, killed: bool) -> None:
    (tmp_path / name).write_text(text)

    assert ControlGroup((tmp_path,)).killed_for_memory() is killed
