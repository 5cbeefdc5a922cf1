"""Carries the Dockerfile out in folders, where there is no container engine, and tries the result.

    python deploy/docker/rehearse.py FOLDER [--mirror URL] [--keep]

Each stage is a clean root below FOLDER, made by debootstrap; RUN is run in it by chroot, COPY
copies what .dockerignore lets through; USER, ENV, ENTRYPOINT, CMD and HEALTHCHECK count. Wants
root, debootstrap, 10 GB of room, and the networks that a build wants. What a container engine adds
(its layers, its seccomp profile) is not rehearsed.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_AS_HERE = (
    "etc/hosts",
    "etc/resolv.conf",
    "etc/pip.conf",
    "etc/xdg/pip/pip.conf",
    "etc/xdg/pip/constraints.txt",
)
"""What of this machine a build may need to reach its networks, as by way of a mirror."""
_TRUSTED = Path("/etc/ssl/certs/ca-certificates.crt")
_TRUSTED_INSIDE = "/etc/ssl/certs/as-here.crt"
"""Beside the file of that name, which Debian's package writes anew."""
_HEALTHY_SECONDS = 180
_STOP_SECONDS = 60


@dataclass
class Stage:
    """One FROM, as far as it has been carried out."""

    name: str
    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    user: str = "0:0"
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)

    def inside(self, command: Sequence[str]) -> list[str]:
        """``command`` as this machine runs it in the stage, with processes of its own."""
        apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
        mounted = f"--mount-proc={self.root / 'proc'}"
        return [*apart, mounted, "chroot", f"--userspec={self.user}", str(self.root), *command]

    def variables(self, **more: str) -> dict[str, str]:
        """The environment in the stage; pip is told what it is told here."""
        pip = {n: v for n, v in os.environ.items() if n.startswith("PIP_")}  # noqa: TID251
        usual = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        if (self.root / _TRUSTED_INSIDE.lstrip("/")).exists():
            pip["PIP_CERT"] = _TRUSTED_INSIDE
        return {"HOME": "/root", "LANG": "C.UTF-8", **usual, **pip, **self.environment, **more}

    def run(self, command: Sequence[str], **more: str) -> None:
        """Run ``command`` to its end; raises CalledProcessError."""
        subprocess.run(self.inside(command), env=self.variables(**more), check=True)


def instructions(text: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile with what follows each, comments left out."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    whole = re.sub(r"\\\n\s*", " ", "\n".join(lines)).splitlines()
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1].strip()) for line in whole if line]


def build_context(folder: Path) -> Path:
    """A copy of what .dockerignore lets through."""
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for line in lines:
        if line.startswith("!"):
            source, target = ROOT / line[1:], folder / line[1:]
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
    return folder


class Rehearsal:
    """The stages of one Dockerfile, in folders."""

    def __init__(self, folder: Path, mirror: str) -> None:
        self._folder = folder
        self._mirror = mirror
        self._context = build_context(_removed(folder / "stage-context"))
        self._stages: dict[str, Stage] = {}
        self._arguments: dict[str, str] = {}

    def carry_out(self, text: str) -> Stage:
        """The last stage, once every instruction of all of them is done."""
        stage: Stage | None = None
        for name, rest in instructions(text):
            sys.stdout.write(f"== {name} {rest}\n")
            sys.stdout.flush()
            if name == "ARG":
                variable, _, value = rest.partition("=")
                self._arguments.setdefault(variable, value)
            elif name == "FROM":
                stage = self._begun(rest)
            elif stage is None:
                raise SystemExit(f"{name} stands before the first FROM")
            else:
                self._do(stage, name, rest)
        assert stage is not None
        return stage

    def _begun(self, rest: str) -> Stage:
        image, _, name = rest.partition(" AS ")
        image = self._filled(image)
        clean = self._folder / image.replace("/", "-").replace(":", "-")
        if not clean.exists():
            suite = re.fullmatch(r"debian:(\w+)-slim", image)
            if suite is None:
                raise SystemExit(f"only Debian's own images are rehearsed, not {image}")
            made = ["debootstrap", "--variant=minbase", suite[1], str(clean), self._mirror]
            subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
        stage = Stage(name or "last", self._folder / f"stage-{name or 'last'}")
        _removed(stage.root)
        subprocess.run(["cp", "-a", str(clean), str(stage.root)], check=True)
        for file in _AS_HERE:
            if Path("/", file).exists():
                (stage.root / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(Path("/", file), stage.root / file)
        if _TRUSTED.exists():
            (stage.root / "etc/ssl/certs").mkdir(parents=True, exist_ok=True)
            shutil.copy(_TRUSTED, stage.root / _TRUSTED_INSIDE.lstrip("/"))
        self._stages[stage.name] = stage
        return stage

    def _do(self, stage: Stage, name: str, rest: str) -> None:
        match name:
            case "RUN":
                stage.run(["/bin/sh", "-c", rest], **self._arguments)
            case "COPY":
                self._copy(stage, shlex.split(rest))
            case "ENV":
                stage.environment |= dict(pair.split("=", 1) for pair in shlex.split(rest))
            case "USER":
                stage.user = rest
            case "ENTRYPOINT":
                stage.entrypoint = json.loads(rest)
            case "CMD":
                stage.command = json.loads(rest)
            case "HEALTHCHECK":
                stage.health = json.loads(rest[rest.index("CMD ") + 4 :])
            case "LABEL" | "EXPOSE" | "VOLUME":
                pass
            case _:
                raise SystemExit(f"{name} is not rehearsed")

    def _copy(self, stage: Stage, words: list[str]) -> None:
        source = self._context
        if words[0].startswith("--from="):
            source = self._stages[words.pop(0).removeprefix("--from=")].root
        *names, target = words
        place = stage.root / target.lstrip("/")
        into = target.endswith("/") or len(names) > 1
        (place if into else place.parent).mkdir(parents=True, exist_ok=True)
        for name in names:
            found = source / name.lstrip("/")
            if found.is_dir():
                shutil.copytree(found, place, symlinks=True, dirs_exist_ok=True)
            else:
                shutil.copy(found, place / found.name if into else place)

    def _filled(self, text: str) -> str:
        return re.sub(r"\$\{(\w+)\}", lambda found: self._arguments[found[1]], text)


def try_out(image: Stage) -> None:
    """Run what the image would run; raises SystemExit or CalledProcessError where it fails."""
    image.run([*image.entrypoint, "--help"])
    lake = "/data/demo-lake"
    image.run([*image.entrypoint, "lake", "demo", lake])
    here = {"ODABOT_RETRIEVAL__LAKE": lake, "ODABOT_PAGE__PORT": str(_free_port())}
    image.run([*image.entrypoint, "check"], **here)
    question = "Average total power of node 900 on 1 June 2022"
    image.run([*image.entrypoint, "ask", question], **here)
    running = subprocess.Popen(
        image.inside([*image.entrypoint, *image.command]), env=image.variables(**here)
    )
    try:
        _until_healthy(image, here, running)
    finally:
        # unshare ignores the signal; the engine sends it to the first process inside.
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
        for child in children:
            os.kill(int(child), signal.SIGTERM)
        code = running.wait(_STOP_SECONDS)
    if code:
        raise SystemExit(f"{' '.join(image.command)} ended with {code} when it was told to")


def _until_healthy(
    image: Stage, here: Mapping[str, str], running: "subprocess.Popen[bytes]"
) -> None:
    given_up = time.monotonic() + _HEALTHY_SECONDS
    check = image.inside(image.health)
    while subprocess.run(check, env=image.variables(**here), check=False).returncode != 0:
        if running.poll() is not None or time.monotonic() > given_up:
            raise SystemExit(f"{' '.join(image.command)} did not become healthy")
        time.sleep(2)
    sys.stdout.write(f"{' '.join(image.command)} is healthy\n")


def _removed(folder: Path) -> Path:
    if folder.exists():
        shutil.rmtree(folder)
    return folder


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def main() -> None:
    """Rehearse in the folder that is named; a clean root that was kept there is used again."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path, help="where the roots are made")
    options.add_argument("--mirror", default="http://deb.debian.org/debian")
    options.add_argument("--keep", action="store_true", help="leave the roots where they are")
    chosen = options.parse_args()
    chosen.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    started = time.monotonic()
    try:
        image = Rehearsal(chosen.folder.resolve(), chosen.mirror).carry_out(
            (ROOT / "Dockerfile").read_text("utf-8")
        )
        try_out(image)
    finally:
        if not chosen.keep:
            shutil.rmtree(chosen.folder)
    sys.stdout.write(f"rehearsed in {time.monotonic() - started:.0f} s\n")


if __name__ == "__main__":
    main()
