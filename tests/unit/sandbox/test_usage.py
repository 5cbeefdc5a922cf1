"""What a tree of processes uses is added up from /proc."""

import os
from pathlib import Path

from sandbox.usage import Usage, over, usage_of

PAGE = os.sysconf("SC_PAGE_SIZE")


def a_process(proc: Path, number: int, parent: int, resident: int, shared: int) -> None:
    folder = proc / str(number)
    folder.mkdir()
    (folder / "stat").write_text(f"{number} (a) b) S {parent} 0 0")
    (folder / "statm").write_text(f"999 {resident} {shared} 0 0 0 0")


def test_adds_a_process_and_all_below_it(tmp_path: Path) -> None:
    a_process(tmp_path, 10, 1, resident=5, shared=2)
    a_process(tmp_path, 11, 10, resident=7, shared=3)
    a_process(tmp_path, 12, 11, resident=1, shared=1)
    a_process(tmp_path, 20, 1, resident=1000, shared=0)

    assert usage_of(10, tmp_path) == Usage((3 + 4 + 0 + 3) * PAGE, 0)


def test_counts_a_shared_file_in_memory_once(tmp_path: Path) -> None:
    a_process(tmp_path, 10, 1, resident=1, shared=0)
    a_process(tmp_path, 11, 10, resident=1, shared=0)

    assert usage_of(10, tmp_path).memory == 2 * PAGE


def test_a_process_that_is_gone_uses_nothing(tmp_path: Path) -> None:
    assert usage_of(10, tmp_path) == Usage(0, 0)


def test_our_own_processes_are_not_over_a_terabyte() -> None:
    assert not over(1 << 20, os.getpid())
    assert over(0, os.getpid())
