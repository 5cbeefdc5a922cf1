"""The container that gVisor is given has no rights, no network and nothing to write to."""

import json
from pathlib import Path
from typing import Any

from sandbox.gvisor_bundle import description, lay_out_root, shown_paths
from sandbox.job import Limits

PYTHON = {Path("/opt/python/lib"): Path("/mnt/0")}


def a_container() -> dict[str, Any]:
    text = description(
        {"rootfs": "/mnt/root", "disk": 1024},
        shown_paths(Path("/mnt/program"), PYTHON),
        Path("/mnt/job/in"),
        4321,
        Limits(processes=9),
        ["python"],
    )
    container: dict[str, Any] = json.loads(text)
    return container


def test_has_no_rights() -> None:
    process = a_container()["process"]

    assert not any(process["capabilities"].values())
    assert process["noNewPrivileges"]
    assert process["user"] == {"uid": 4321, "gid": 4321}


def test_everything_of_the_host_is_read_only() -> None:
    container = a_container()

    binds = [each for each in container["mounts"] if each["type"] == "bind"]
    assert container["root"] == {"path": "/mnt/root", "readonly": True}
    assert all({"ro", "nosuid", "nodev"} <= set(each["options"]) for each in binds)
    assert {"/in", "/usr", "/opt/odabot", "/opt/python/lib"} <= {e["destination"] for e in binds}


def test_every_writable_place_has_a_size() -> None:
    writable = [
        each
        for each in a_container()["mounts"]
        if each["type"] == "tmpfs" and "ro" not in each["options"]
    ]

    assert {each["destination"] for each in writable} == {"/tmp", "/out", "/dev/shm"}
    assert all(any(o.startswith("size=") for o in each["options"]) for each in writable)


def test_shares_no_namespace() -> None:
    kinds = {each["type"] for each in a_container()["linux"]["namespaces"]}

    assert kinds == {"pid", "mount", "uts", "ipc", "network"}


def test_states_the_limits_that_gvisor_enforces() -> None:
    limits = {each["type"]: each["hard"] for each in a_container()["process"]["rlimits"]}

    assert limits["RLIMIT_NPROC"] == 9
    assert limits["RLIMIT_CORE"] == 0


def test_the_root_has_a_place_for_every_mount(tmp_path: Path) -> None:
    lay_out_root(tmp_path, shown_paths(tmp_path / "program", PYTHON))

    targets = [Path(each["destination"]) for each in a_container()["mounts"]]
    made = {path for path in targets if (tmp_path / path.relative_to("/")).exists()}
    assert set(targets) - made == {Path("/dev/shm")}
