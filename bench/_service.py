"""The service as an operator runs it: one odabot serve, some odabot workers, one Valkey."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families

from bot.embedded_redis import EmbeddedRedis
from tests.free_port import free_port
from tests.local_slack import ADA, APP_TOKEN, BOT_TOKEN, SIGNING_SECRET

_READY_SECONDS = 180.0
_ACCESS = f"""\
[roles.oncall]

[platforms.slack.users]
{ADA} = "oncall"
"""


@dataclass(frozen=True, slots=True)
class RunningService:
    """Where its processes answer."""

    http: str
    """Of odabot serve."""
    workers: tuple[str, ...]

    def counted(self) -> Counter[str]:
        """What all processes counted, added up, without labels."""
        total: Counter[str] = Counter()
        for url in (self.http, *self.workers):
            text = httpx.get(f"{url}/metrics", timeout=30).text
            for family in text_string_to_metric_families(text):
                for sample in family.samples:
                    if sample.name.startswith("odabot_") and sample.name.endswith("_total"):
                        total[sample.name] += int(sample.value)
        return total


@contextmanager
def running_service(
    folder: Path, lake: Path, side: Mapping[str, str], workers: int, port: int = 0
) -> Iterator[RunningService]:
    """The service over ``lake``, with the settings of one platform, until the block is left.

    ``port``: where it is served; 0 takes a free one.
    """
    store = EmbeddedRedis(folder / "valkey")
    with ExitStack() as parts:
        common = _environment(folder, lake, store.open()) | dict(side)
        parts.callback(store.close)
        ports = [port or free_port(), *(free_port() for _ in range(workers))]
        urls = [f"http://127.0.0.1:{port}" for port in ports]
        for number, port in enumerate(ports):
            command = ["worker"] if number else ["serve", "--no-work"]
            name = "ODABOT_HTTP__WORKER_PORT" if number else "ODABOT_HTTP__PORT"
            process = parts.enter_context(_process(command, common | {name: str(port)}))
            _wait_until_ready(process, urls[number])
        yield RunningService(urls[0], tuple(urls[1:]))


def slack_side(api_url: str, transport: str) -> dict[str, str]:
    """The settings of the bot in a Slack at ``api_url``."""
    return {
        "ODABOT_SLACK__BOT_TOKEN": BOT_TOKEN,
        "ODABOT_SLACK__TRANSPORT": transport,
        "ODABOT_SLACK__APP_TOKEN": APP_TOKEN,
        "ODABOT_SLACK__SIGNING_SECRET": SIGNING_SECRET,
        "ODABOT_SLACK__API_URL": api_url,
    }


def _environment(folder: Path, lake: Path, redis_url: str) -> dict[str, str]:
    access = folder / "access.toml"
    access.write_text(_ACCESS)
    inherited = {n: v for n, v in os.environ.items() if "ODABOT_" not in n}  # noqa: TID251
    return inherited | {
        "ODABOT_DATA": str(folder / "data"),
        "ODABOT_ACCESS": str(access),
        "ODABOT_REDIS_URL": redis_url,
        "ODABOT_RETRIEVAL__LAKE": str(lake),
        "ODABOT_LOG_TO_STDERR": "true",
        "ODABOT_LOG_LEVEL": "WARNING",
    }


@contextmanager
def _process(
    command: Sequence[str], environment: dict[str, str]
) -> Iterator["subprocess.Popen[bytes]"]:
    whole = [sys.executable, "-m", "bot", *command]
    process = subprocess.Popen(whole, env=environment)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(120)


def _wait_until_ready(process: "subprocess.Popen[bytes]", url: str) -> None:
    given_up = time.monotonic() + _READY_SECONDS
    while process.poll() is None and time.monotonic() < given_up:
        try:
            if httpx.get(f"{url}/readyz", timeout=10).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise SystemExit(f"{url} did not become ready")
