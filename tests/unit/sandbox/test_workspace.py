"""Inputs are laid out readable and unchanged; what cannot be a job is said so."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.job import Job
from sandbox.workspace import emptied, lay_out, problem_with


def an_input(folder: Path, name: str = "power.csv", mode: int = 0o600) -> Path:
    path = folder / name
    path.write_text("1")
    path.chmod(mode)
    return path


def test_nothing_is_wrong_with_an_ordinary_job(tmp_path: Path) -> None:
    job = Job("print(1)", (an_input(tmp_path), an_input(tmp_path, "b.parquet")))

    assert problem_with(job) is None


@pytest.mark.parametrize("code", ["x" * 200_001, "a\0b", "\ud800"])
def test_refuses_what_is_no_program(code: str) -> None:
    assert problem_with(Job(code)) is not None


def test_refuses_inputs_that_are_no_plain_files(tmp_path: Path) -> None:
    link = tmp_path / "link.csv"
    link.symlink_to(an_input(tmp_path))

    assert "no plain file" in (problem_with(Job("", (link,))) or "")
    assert "no plain file" in (problem_with(Job("", (tmp_path / "missing.csv",))) or "")


def test_refuses_odd_names(tmp_path: Path) -> None:
    odd = an_input(tmp_path, "a\nb.csv")

    assert "not allowed" in (problem_with(Job("", (odd,))) or "")


def test_refuses_two_inputs_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    inputs = (an_input(tmp_path), an_input(tmp_path / "other"))

    assert "same name" in (problem_with(Job("", inputs)) or "")


@given(st.text())
def test_any_name_is_judged_without_an_error(name: str) -> None:
    problem = problem_with(Job("", (Path("/nowhere") / name.replace("\0", ""),)))

    assert problem is not None


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_lays_out_a_copy_or_a_link_and_leaves_the_original(tmp_path: Path, mode: int) -> None:
    original = an_input(tmp_path, mode=mode)
    folder = tmp_path / "in"
    folder.mkdir()

    lay_out([original], folder)

    assert (folder / "power.csv").read_text() == "1"
    assert original.stat().st_mode & 0o777 == mode


def test_a_private_file_is_copied_not_linked(tmp_path: Path) -> None:
    original = an_input(tmp_path, mode=0o600)
    folder = tmp_path / "in"
    folder.mkdir()

    lay_out([original], folder)

    assert original.stat().st_nlink == 1
    assert (folder / "power.csv").stat().st_mode & 0o777 == 0o444


def test_emptied_removes_all_inputs(tmp_path: Path) -> None:
    an_input(tmp_path)

    emptied(tmp_path)

    assert list(tmp_path.iterdir()) == []
