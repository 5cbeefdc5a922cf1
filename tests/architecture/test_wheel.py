"""The wheel: one name is installed, and the data that the code reads travel with it."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("bot", "agent", "retrieval", "sandbox", "ontology")
SOURCE = "odabot/_source/"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (built,) = folder.glob("*.whl")
    with ZipFile(built) as archive:
        return archive.namelist()


def test_installs_one_name(wheel: list[str]) -> None:
    tops = {name.split("/")[0] for name in wheel}

    assert {top for top in tops if not top.endswith(".dist-info")} == {"odabot"}


def test_holds_every_file_of_our_packages(wheel: list[str]) -> None:
    files = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    carried = {name.removeprefix(SOURCE) for name in wheel if name.startswith(SOURCE)}

    assert files == carried


def test_carries_the_licence_and_the_notice(wheel: list[str]) -> None:
    assert {Path(name).name for name in wheel} >= {"LICENSE", "NOTICE"}
