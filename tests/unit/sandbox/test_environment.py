"""The environment of an interpreter is shown, and no more of its folders."""

import sys
from pathlib import Path

import pytest

from sandbox.environment import python_environment
from sandbox.errors import SandboxUnavailable


def test_our_own_interpreter_and_what_it_imports_is_covered() -> None:
    environment = python_environment(None)

    seen = (Path("/usr"), *environment.paths)
    assert environment.executable == Path(sys.executable)
    assert any(Path(pytest.__file__).is_relative_to(each) for each in seen)
    assert any(Path(sys.executable).resolve().is_relative_to(each) for each in seen)


def test_shows_parts_of_a_prefix_not_what_else_lies_there() -> None:
    environment = python_environment(None)

    assert {path.name for path in environment.paths} <= {"bin", "lib", "lib64", "pyvenv.cfg"}


def test_no_path_lies_within_another() -> None:
    paths = python_environment(None).paths

    assert not [
        one for one in paths for other in paths if one != other and one.is_relative_to(other)
    ]


def test_a_named_interpreter_is_asked() -> None:
    environment = python_environment(Path(sys.executable))

    assert environment == python_environment(None)


@pytest.mark.parametrize("path", ["/nowhere/python", "/usr/bin/false", "/usr/bin/env"])
def test_refuses_what_is_no_interpreter(path: str) -> None:
    with pytest.raises(SandboxUnavailable, match="no working Python"):
        python_environment(Path(path))
