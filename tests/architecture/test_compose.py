"""deploy/compose.yaml against the specification, a linter, the image and the settings."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose, PyOptions
from typer.main import get_command

from bot.__main__ import app
from bot.http_settings import HttpSettings
from bot.settings_file import all_settings

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
FILES = ("compose.yaml", "compose.charts.yaml")
OURS = ("bot", "worker")


@cache
def composed(name: str = "compose.yaml") -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((DEPLOY / name).read_text("utf-8"))
    return read


def service(name: str) -> dict[str, Any]:
    found: dict[str, Any] = composed()["services"][name]
    return found


def filled(text: str) -> str:
    """``text`` with its variables as they are where the environment has none, or must have one."""
    with_defaults = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)
    return re.sub(r"\$\{\w+:\?[^}]*\}", "/somewhere", with_defaults)


@pytest.mark.parametrize("name", FILES)
def test_keeps_to_the_specification(name: str) -> None:
    options = PyOptions()
    options.apply_merge = True

    read = options.from_yaml(filled((DEPLOY / name).read_text("utf-8")))

    assert isinstance(read, PyCompose)
    read.validate()


def test_has_no_fault_that_the_linter_finds() -> None:
    linter = Path(sys.executable).with_name("compose-lint")

    options = "--no-env --strict-config --fail-on low --quiet --config .compose-lint.yml"
    done = subprocess.run(
        [linter, "check", *options.split(), "compose.yaml"],
        cwd=DEPLOY,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", OURS)
def test_sets_only_what_is_a_setting(name: str) -> None:
    known = {setting.variable for setting in all_settings()}

    assert set(service(name)["environment"]) <= known


@pytest.mark.parametrize("name", OURS)
def test_a_file_with_every_default_cuts_no_container_off(name: str) -> None:
    image = re.findall(r"\b(ODABOT_\w+)=(\S+)", (ROOT / "Dockerfile").read_text("utf-8"))

    set_anew = service(name)["environment"]

    assert all(set_anew[v] == value for v, value in image if v != "ODABOT_PAGE__HOST")
    assert service(name)["env_file"] == ["odabot.env"]


@pytest.mark.parametrize("name", OURS)
def test_our_services_write_nowhere_but_to_their_data(name: str) -> None:
    ours = service(name)

    assert ours["read_only"]
    assert ours["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in ours["security_opt"]
    assert ours["volumes"] == [
        "data:/data",
        "${ODABOT_LAKE:?names the folder of the lake}:/lake:ro",
    ]


@pytest.mark.parametrize("name", OURS)
def test_our_services_start_what_is_a_command(name: str) -> None:
    command, *options = service(name)["command"]

    found = get_command(app).commands[command]  # type: ignore[attr-defined]

    found.make_context(command, options)


def test_only_health_and_events_are_published_and_on_this_machine_alone() -> None:
    published = {
        name: each["ports"] for name, each in composed()["services"].items() if "ports" in each
    }

    port = HttpSettings().port
    assert published == {"bot": [f"127.0.0.1:{port}:{port}"]}


def test_stores_and_model_are_where_nobody_else_reaches_them() -> None:
    networks = {name: each["networks"] for name, each in composed()["services"].items()}

    assert composed()["networks"]["inside"] == {"internal": True}
    assert {name for name, joined in networks.items() if joined != ["inside"]} == set(OURS)


def test_valkey_forgets_nothing_that_was_acknowledged() -> None:
    words = service("valkey")["command"]
    options = dict(zip(words[1::2], words[2::2], strict=True))

    assert options["--appendonly"] == "yes"
    assert options["--appendfsync"] == "always"
    assert options["--maxmemory-policy"] == "noeviction"
    assert "valkey:/data" in service("valkey")["volumes"]


def test_what_is_optional_is_a_profile_and_the_rest_is_none() -> None:
    profiles = {name: each.get("profiles") for name, each in composed()["services"].items()}

    assert profiles == {
        "bot": None,
        "worker": None,
        "valkey": None,
        "graphdb": ["graphdb"],
        "graphdb-repository": ["graphdb"],
        "vllm": ["vllm"],
    }


def test_every_image_of_others_has_a_version() -> None:
    images = {each["image"] for each in composed()["services"].values()}

    assert all(re.search(r":(v?\d|\$\{ODABOT_VERSION:-\d)", image) for image in images)


def test_every_volume_is_declared() -> None:
    mounted = {
        volume.split(":")[0]
        for each in composed()["services"].values()
        for volume in each["volumes" if "volumes" in each else "tmpfs"]
        if re.match(r"[a-z]+:", volume)
    }

    assert mounted == set(composed()["volumes"])


def test_charts_are_let_through_for_workers_alone() -> None:
    added = composed("compose.charts.yaml")["services"]

    assert list(added) == ["worker"]
    assert list(added["worker"]) == ["security_opt"]
