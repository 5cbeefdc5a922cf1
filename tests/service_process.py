"""The chat service as processes of its own, started as an operator does."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.local_slack import ADA, APP_TOKEN, BEN, BOT_TOKEN, OPS, SIGNING_SECRET, LocalSlack

ROOT = Path(__file__).resolve().parents[1]
ACCESS = f"""\
[roles.oncall]
digests = true

[roles.chief]
digests = true
admin = true

[platforms.slack.users]
{ADA} = "oncall"
{BEN} = "chief"

[platforms.slack.channels]
{OPS} = "oncall"
"""


@dataclass(frozen=True, slots=True)
class Running:
    """One process."""

    process: "subprocess.Popen[str]"
    url: str
    """Where its health and metrics are."""


def environment(data: Path, slack: LocalSlack, transport: str = "socket") -> dict[str, str]:
    """The settings of a service for ``slack``, which keeps everything in ``data``."""
    access = data / "access.toml"
    access.write_text(ACCESS)
    secrets = {"ODABOT_SLACK__APP_TOKEN": APP_TOKEN}
    if transport == "http":
        secrets = {"ODABOT_SLACK__SIGNING_SECRET": SIGNING_SECRET}
    return secrets | {
        "ODABOT_DATA": str(data),
        "ODABOT_ACCESS": str(access),
        "ODABOT_SLACK__BOT_TOKEN": BOT_TOKEN,
        "ODABOT_SLACK__TRANSPORT": transport,
        "ODABOT_SLACK__API_URL": slack.api_url,
        "PATH": "/usr/bin:/bin",
        "HOME": str(data),
    }


@contextmanager
def running(options: list[str], variables: Mapping[str, str]) -> Iterator[Running]:
    """``odabot OPTIONS``, once it says that it serves; it is told to end, and must end well."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", *options],
        cwd=ROOT,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        greeting = process.stderr.readline()
        assert "health and metrics at http" in greeting, greeting + process.stderr.read()
        yield Running(process, greeting.split("metrics at ")[1].split()[0])
    finally:
        process.terminate()
        out, err = process.communicate(timeout=90)
    assert (process.returncode, out, err) == (0, "", "")
