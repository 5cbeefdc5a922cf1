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
from tests import mattermost_stub
from tests.free_port import free_port
from tests.local_slack import ADA, APP_TOKEN, BOT_TOKEN, SIGNING_SECRET
from tests.mattermost_stub import MattermostStub

_READY_SECONDS = 180.0


@dataclass(frozen=True, slots=True)
class Side:
    """One platform: how the service gets there, and who may ask where."""

    platform: str
    person: str
    channels: Sequence[str]
    settings: Mapping[str, str]

    def access(self) -> str:
        """The access file."""
        rooms = "\n".join(f'{channel} = "oncall"' for channel in self.channels)
        return (
            f'[roles.oncall]\n\n[platforms.{self.platform}.users]\n{self.person} = "oncall"\n'
            f"\n[platforms.{self.platform}.channels]\n{rooms}\n"
        )


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
    folder: Path, lake: Path, side: Side, workers: int, port: int = 0
) -> Iterator[RunningService]:
    """The service over ``lake`` for one platform, until the block is left.

    ``port``: where it is served; 0 takes a free one.
    """
    store = EmbeddedRedis(folder / "valkey")
    with ExitStack() as parts:
        common = _environment(folder, lake, store.open(), side)
        parts.callback(store.close)
        ports = [port or free_port(), *(free_port() for _ in range(workers))]
        urls = [f"http://127.0.0.1:{port}" for port in ports]
        for number, port in enumerate(ports):
            command = ["worker"] if number else ["serve", "--no-work"]
            name = "ODABOT_HTTP__WORKER_PORT" if number else "ODABOT_HTTP__PORT"
            process = parts.enter_context(_process(command, common | {name: str(port)}))
            _wait_until_ready(process, urls[number])
        yield RunningService(urls[0], tuple(urls[1:]))


def slack_side(api_url: str, transport: str, channels: Sequence[str]) -> Side:
    """The bot in a Slack at ``api_url``."""
    settings = {
        "ODABOT_SLACK__BOT_TOKEN": BOT_TOKEN,
        "ODABOT_SLACK__TRANSPORT": transport,
        "ODABOT_SLACK__APP_TOKEN": APP_TOKEN,
        "ODABOT_SLACK__SIGNING_SECRET": SIGNING_SECRET,
        "ODABOT_SLACK__API_URL": api_url,
    }
    return Side("slack", ADA, channels, settings)


def mattermost_side(chat: MattermostStub, port: int, channels: Sequence[str]) -> Side:
    """The bot in Mattermost, for a service at ``port``."""
    settings = {
        "ODABOT_MATTERMOST__URL": chat.url,
        "ODABOT_MATTERMOST__TOKEN": mattermost_stub.BOT_TOKEN,
        "ODABOT_MATTERMOST__CALLBACK_URL": f"http://127.0.0.1:{port}",
    }
    return Side("mattermost", mattermost_stub.ADA, channels, settings)


def _environment(folder: Path, lake: Path, redis_url: str, side: Side) -> dict[str, str]:
    access = folder / "access.toml"
    access.write_text(side.access())
    inherited = {n: v for n, v in os.environ.items() if "ODABOT_" not in n}  # noqa: TID251
    return {
        **inherited,
        "ODABOT_DATA": str(folder / "data"),
        "ODABOT_ACCESS": str(access),
        "ODABOT_REDIS_URL": redis_url,
        "ODABOT_RETRIEVAL__LAKE": str(lake),
        "ODABOT_LOG_TO_STDERR": "true",
        "ODABOT_LOG_LEVEL": "WARNING",
        **side.settings,
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
