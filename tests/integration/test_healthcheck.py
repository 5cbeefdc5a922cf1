"""What a container engine runs to ask for health, as a program of its own, against real servers."""

import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.health import Probe
from bot.http_settings import HttpSettings
from bot.http_wiring import Watched, serve_http
from bot.settings import Settings
from tests.integration.page_server import running_page

PROGRAM = Path(__file__).resolve().parents[2] / "deploy" / "docker" / "healthcheck.py"
SETTINGS = Settings(http=HttpSettings(port=0))
NO_PROBES: tuple[Probe, ...] = ()
PORTS = (
    "ODABOT_HTTP__PORT",
    "ODABOT_HTTP__WORKER_PORT",
    "ODABOT_PAGE__PORT",
    "ODABOT_MCP__RETRIEVAL_PORT",
    "ODABOT_MCP__SANDBOX_PORT",
)


def depths() -> Mapping[str, int]:
    return {}


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def asked(**ports: int) -> tuple[int, str]:
    """How the program ends and what it says, where nothing answers but what is named."""
    nobody = closed_port()
    environment = {name: str(ports.get(name, nobody)) for name in PORTS}
    # A proxy of the environment must not be asked for our own port.
    environment |= {"http_proxy": f"http://127.0.0.1:{nobody}"}
    done = subprocess.run(
        [sys.executable, "-I", PROGRAM],
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout


def port_of(url: str) -> int:
    return int(url.rstrip("/").rpartition(":")[2])


@pytest.mark.parametrize("name", ["ODABOT_HTTP__PORT", "ODABOT_HTTP__WORKER_PORT"])
def test_a_process_that_lives_is_healthy(name: str) -> None:
    with serve_http(SETTINGS, 0, Watched.of(depths), NO_PROBES) as url:
        code, said = asked(**{name: port_of(url)})

    assert (code, said) == (0, "")


def test_a_process_whose_part_has_ended_is_not() -> None:
    watched = Watched.of(depths)
    thread = threading.Thread(target=lambda: None, name="sweeper")
    thread.start()
    thread.join()
    watched.liveness.watch_thread(thread)

    with serve_http(SETTINGS, 0, watched, NO_PROBES) as url:
        code, said = asked(ODABOT_HTTP__PORT=port_of(url))

    assert code == 1
    assert "503" in said
    assert "sweeper" in said


def test_a_page_that_is_served_is_healthy(tmp_path: Path) -> None:
    with running_page(tmp_path) as page:
        code, said = asked(ODABOT_PAGE__PORT=port_of(page.url))

    assert (code, said) == (0, "")


def test_a_container_in_which_nothing_answers_is_not() -> None:
    assert asked() == (1, "nothing answers\n")
