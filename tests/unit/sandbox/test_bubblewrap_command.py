"""What bubblewrap is told."""

from pathlib import Path

from sandbox.bubblewrap_command import bubblewrap_options
from sandbox.environment import PythonEnvironment

WORDS = {"filter": 7, "program": "/run/program", "inputs": "/run/in", "disk": 1024}


def options(*paths: str) -> list[str]:
    shown = {Path(path): Path(f"/run/shown{path}") for path in paths}
    python = PythonEnvironment(Path("/usr/bin/python3"), tuple(shown))
    text = bubblewrap_options(WORDS, python, shown)
    assert text.endswith(b"\0")
    return text.decode().removesuffix("\0").split("\0")


def following(given: list[str], option: str, count: int) -> list[tuple[str, ...]]:
    places = [place for place, each in enumerate(given) if each == option]
    return [tuple(given[place + 1 : place + 1 + count]) for place in places]


def test_shares_no_namespace_and_no_right() -> None:
    given = options()

    for kind in ("user", "ipc", "pid", "net", "uts", "cgroup"):
        assert f"--unshare-{kind}" in given
    assert "--share-net" not in given
    assert ("ALL",) in following(given, "--cap-drop", 1)
    for option in ("--disable-userns", "--die-with-parent", "--new-session", "--clearenv"):
        assert option in given
    assert following(given, "--seccomp", 1) == [("7",)]


def test_nothing_of_the_host_is_writable() -> None:
    given = options("/opt/python/lib")

    assert "--bind" not in given
    assert "--dev-bind" not in given
    assert {target for (target,) in following(given, "--tmpfs", 1)} == {"/dev/shm", "/tmp", "/out"}
    assert given[-2:] == ["--remount-ro", "/"]


def test_every_writable_place_has_a_size() -> None:
    given = options()

    assert len(following(given, "--size", 1)) == 3
    assert ("1024",) in following(given, "--size", 1)


def test_shows_the_interpreter_where_it_expects_itself() -> None:
    given = options("/opt/python/lib")

    assert ("/run/shown/opt/python/lib", "/opt/python/lib") in following(given, "--ro-bind", 2)


def test_an_interpreter_in_a_writable_place_cannot_be_moved_away() -> None:
    given = options("/tmp/a/venv/lib", "/tmp/a/venv/bin")

    assert given.count("/tmp/a") == 2
    assert ("/tmp/a",) in following(given, "--remount-ro", 1)
    assert given.index("/tmp/a") < given.index("/run/shown/tmp/a/venv/lib")


def test_the_kernels_symbols_are_hidden() -> None:
    given = options()

    assert ("/dev/null", "/proc/kallsyms") in following(given, "--ro-bind", 2)
