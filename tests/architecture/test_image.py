"""The Dockerfile against the tree: what it is given, what it installs, and who it runs as."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

from typer.main import get_command

from bot.__main__ import app
from bot.http_settings import HttpSettings
from bot.page_settings import PageSettings
from bot.settings_file import all_settings

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("bot", "agent", "retrieval", "sandbox", "ontology")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def instructions() -> list[tuple[str, str]]:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    whole = re.sub(r"\s*\\\n\s*", " ", text).splitlines()
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in whole if line]


def stages() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    found = instructions()
    (_, second) = [place for place, (name, _) in enumerate(found) if name == "FROM"]
    return found[:second], found[second:]


def last_stage(wanted: str) -> list[str]:
    return [rest for name, rest in stages()[1] if name == wanted]


def environment() -> dict[str, str]:
    return dict(re.findall(r"(\w+)=(\S*)", " ".join(last_stage("ENV"))))


def let_through() -> list[str]:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    return [line.removeprefix("!") for line in lines if line.startswith("!")]


def test_the_build_is_given_nothing_that_is_not_named() -> None:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()

    first = next(line for line in lines if not line.startswith("#"))

    assert first == "*"
    assert all((ROOT / name).exists() for name in let_through())


def test_the_wheel_can_be_built_from_what_the_build_is_given(tmp_path: Path) -> None:
    for name in let_through():
        target = tmp_path / "source" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target)
        else:
            shutil.copy(ROOT / name, target)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]

    subprocess.run(command, cwd=tmp_path / "source", check=True, capture_output=True, timeout=120)

    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        files = set(archive.namelist())
    assert "odabot/__init__.py" in files
    assert {f"odabot/_source/{name}/__init__.py" for name in PACKAGES} <= files
    assert {Path(name).name for name in files} >= {"LICENSE", "NOTICE"}


def test_torch_is_installed_first_and_is_that_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (torch,) = re.findall(r"^TORCH \?= (.+)$", makefile, re.MULTILINE)

    built = stages()[0]
    installs = [rest for name, rest in built if name == "RUN" and "pip install" in rest]

    assert ("ARG", f"TORCH={torch}") in built
    assert installs[0].endswith(" ${TORCH}")
    assert "--build-arg TORCH='$(TORCH)'" in makefile


def test_what_make_demo_installs_is_installed_before_our_own_code_is_copied() -> None:
    steps = stages()[0]
    (place,) = [n for n, (_, rest) in enumerate(steps) if "python /requirements/" in rest]
    extras = re.findall(r"pyproject\.toml ([a-z ]+?) >", steps[place][1])[0].split()
    makefile = (ROOT / "Makefile").read_text("utf-8")

    done = subprocess.run(
        [sys.executable, "deploy/docker/requirements.py", "pyproject.toml", *extras],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert f"--editable '.[{','.join(extras)}]'" in makefile
    wanted = [need for extra in extras for need in PROJECT["optional-dependencies"][extra]]
    assert done.stdout.splitlines() == [*PROJECT["dependencies"], *wanted]
    assert place < steps.index(("COPY", ". /source"))


def test_our_own_wheel_brings_nothing_along_and_everything_fits() -> None:
    last = [rest for name, rest in stages()[0] if name == "RUN"][-1]

    assert "pip install --no-cache-dir --no-deps /wheels/odabot-*.whl" in last
    assert last.endswith("pip check")


def test_pip_leaves_no_cache() -> None:
    calls = re.findall(r"\bpip (?:install|wheel) \S+", " ".join(rest for _, rest in instructions()))

    assert calls
    assert all(call.endswith("--no-cache-dir") for call in calls)


def test_has_an_interpreter_and_both_isolations() -> None:
    (run,) = last_stage("RUN")

    assert {"python3", "bubblewrap", "runsc", "tini"} <= set(run.split())
    assert "rm -rf /var/lib/apt/lists/*" in run


def test_runs_as_a_fixed_user_that_is_not_root() -> None:
    (user,) = last_stage("USER")
    number, group = map(int, user.split(":"))
    (run,) = last_stage("RUN")

    assert number > 0
    assert group > 0
    assert f"useradd --uid {number} --gid {group} " in run
    assert f"install -d -o {number} -g {group} -m 0700 {environment()['ODABOT_DATA']} " in run


def test_the_data_folder_is_a_volume() -> None:
    assert last_stage("VOLUME") == [environment()["ODABOT_DATA"]]


def test_sets_only_what_is_a_setting() -> None:
    chosen = {name for name in environment() if name.startswith("ODABOT_")}

    assert chosen
    assert chosen <= {setting.variable for setting in all_settings()}


def test_the_environment_is_not_where_the_sandbox_shows_its_program() -> None:
    copied = last_stage("COPY")

    assert "--from=build /opt/venv /opt/venv" in copied
    assert environment()["PATH"].startswith("/opt/venv/bin:")
    assert "/opt/odabot" in (ROOT / "sandbox" / "bubblewrap.args").read_text("utf-8")


def test_serves_on_the_ports_that_are_exposed() -> None:
    (command,) = re.findall(r'^\["(\w+)"\]$', "".join(last_stage("CMD")))
    known = getattr(get_command(app), "commands", {})
    worker = int(environment()["ODABOT_HTTP__WORKER_PORT"])

    assert last_stage("EXPOSE") == [f"{PageSettings().port} {HttpSettings().port} {worker}"]
    assert last_stage("ENTRYPOINT") == ['["tini", "--", "odabot"]']
    assert "odabot" in PROJECT["scripts"]
    assert command == "demo"
    assert command in known


def test_its_health_is_asked_for_by_a_program_that_it_has() -> None:
    (check,) = last_stage("HEALTHCHECK")
    command = json.loads(check[check.index("CMD ") + 4 :])

    assert command[:2] == ["python3", "-I"]
    assert f"deploy/docker/healthcheck.py {command[2]}" in last_stage("COPY")


def test_each_port_of_a_command_is_looked_at_for_its_health() -> None:
    text = (ROOT / "deploy" / "docker" / "healthcheck.py").read_text("utf-8")
    ports = dict(re.findall(r'"(ODABOT_\w+)": (\d+)', text))
    usual = {s.variable: s.default for s in all_settings() if s.variable.endswith("_PORT")}

    assert ports == usual | {"ODABOT_HTTP__WORKER_PORT": environment()["ODABOT_HTTP__WORKER_PORT"]}


def test_has_no_fault_that_hadolint_finds() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")

    done = subprocess.run(
        [hadolint, "--no-color", "Dockerfile"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (done.stdout, done.returncode) == ("", 0)


def test_the_labels_are_those_of_the_project() -> None:
    (label,) = last_stage("LABEL")
    labels = dict(re.findall(r'([\w.]+)="([^"]*)"', label))

    assert labels["org.opencontainers.image.title"] == PROJECT["name"]
    assert labels["org.opencontainers.image.licenses"] == PROJECT["license"]
