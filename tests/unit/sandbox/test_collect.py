"""Only plain files with plain names leave the output folder."""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.inside.collect import NAME, left_in


def reasons(folder: Path, most_files: int = 10, most_bytes: int = 1 << 20) -> dict[str, str]:
    left = left_in(str(folder), most_files, most_bytes)
    assert left.files == ()
    return dict(left.dropped)


def test_reads_plain_files_by_name(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_bytes(b"2")
    (tmp_path / "a.csv").write_bytes(b"1")

    left = left_in(str(tmp_path), 10, 100)

    assert left.files == (("a.csv", b"1"), ("b.csv", b"2"))
    assert left.dropped == ()


@pytest.mark.parametrize("target", ["/etc/passwd", "missing", ".", "/proc/self/environ"])
def test_does_not_follow_links(tmp_path: Path, target: str) -> None:
    (tmp_path / "a.csv").symlink_to(target)

    assert reasons(tmp_path) == {"a.csv": "not a plain file"}


def test_drops_second_names_of_a_file(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("x")
    folder = tmp_path / "out"
    folder.mkdir()
    os.link(outside, folder / "a.csv")

    assert reasons(folder) == {"a.csv": "has a second name"}


def test_does_not_wait_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.png")

    assert reasons(tmp_path) == {"a.png": "not a plain file"}


def test_drops_sockets_and_folders(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s.png"))

        dropped = reasons(tmp_path)

    assert dropped == {"folder": "not a plain file", "s.png": "not a plain file"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_drops_devices(tmp_path: Path) -> None:
    os.mknod(tmp_path / "null.png", 0o20666, os.makedev(1, 3))

    assert reasons(tmp_path) == {"null.png": "not a plain file"}


@pytest.mark.parametrize("mode", [0o4755, 0o2755, 0o1755])
def test_drops_files_with_special_permissions(tmp_path: Path, mode: int) -> None:
    (tmp_path / "a.csv").write_text("x")
    (tmp_path / "a.csv").chmod(mode)

    assert reasons(tmp_path) == {"a.csv": "has special permissions"}


def test_drops_files_of_holes(tmp_path: Path) -> None:
    with (tmp_path / "a.csv").open("wb") as file:
        file.truncate(8 << 20)

    assert reasons(tmp_path, most_bytes=1 << 30) == {"a.csv": "mostly holes"}


def test_drops_what_is_too_large_without_reading_it(tmp_path: Path) -> None:
    with (tmp_path / "a.csv").open("wb") as file:
        file.truncate(50 << 30)

    assert reasons(tmp_path) == {"a.csv": "too large"}


def test_the_size_holds_for_all_files_together(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(b"x" * 60)

    left = left_in(str(tmp_path), 10, 100)

    assert [name for name, _ in left.files] == ["a.csv"]
    assert left.dropped == (("b.csv", "too large"),)


def test_drops_files_past_the_limit(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.csv").write_text("x")

    left = left_in(str(tmp_path), 2, 100)

    assert [name for name, _ in left.files] == ["0.csv", "1.csv"]
    assert left.dropped == (("2.csv", "more than 2 files"),)


def test_stops_looking_at_endless_folders(tmp_path: Path) -> None:
    for number in range(2100):
        (tmp_path / f"{number}.csv").touch()

    left = left_in(str(tmp_path), 5, 100)

    assert len(left.files) == 5
    assert len(left.dropped) == 50
    assert left.dropped[0] == ("...", "more than 2000 entries")


@pytest.mark.parametrize("name", ["a\nb.png", ".hidden", "-rf.png", "é.png", "a;b.png", "a" * 101])
def test_drops_odd_names(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("x")

    dropped = reasons(tmp_path)

    assert list(dropped.values()) == ["name not allowed"]
    assert all(each.isascii() and each.isprintable() for each in dropped)


def test_drops_names_that_are_no_text(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.png")).write_text("x")

    assert list(reasons(tmp_path).values()) == ["name not allowed"]


@given(st.text(min_size=1))
def test_an_allowed_name_stays_in_its_folder(name: str) -> None:
    allowed = NAME.fullmatch(name)

    assert not allowed or (
        name.isascii()
        and name.isprintable()
        and "/" not in name
        and not name.startswith((".", "-"))
    )
