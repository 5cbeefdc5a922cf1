"""The chat service as processes of its own, started as an operator does."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests import mattermost_stub
from tests.local_slack import ADA, APP_TOKEN, BEN, BOT_TOKEN, OPS, SIGNING_SECRET, LocalSlack
from tests.mattermost_stub import MattermostStub

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

[platforms.mattermost.users]
{mattermost_stub.ADA} = "oncall"
{mattermost_stub.BEN} = "chief"

[platforms.mattermost.channels]
{mattermost_stub.OPS} = "oncall"
"""


@dataclass(frozen=True, slots=True)
class Running:
    """One process."""

    process: "subprocess.Popen[str]"
    url: str
    """Where its health and metrics are."""


def environment(data: Path, slack: LocalSlack, transport: str = "socket") -> dict[str, str]:
    """The settings of a service for ``slack``, which keeps everything in ``data``."""
    secrets = {"ODABOT_SLACK__APP_TOKEN": APP_TOKEN}
    if transport == "http":
        secrets = {"ODABOT_SLACK__SIGNING_SECRET": SIGNING_SECRET}
    return (
        _own(data)
        | secrets
        | {
            "ODABOT_SLACK__BOT_TOKEN": BOT_TOKEN,
            "ODABOT_SLACK__TRANSPORT": transport,
            "ODABOT_SLACK__API_URL": slack.api_url,
        }
    )


def mattermost_environment(data: Path, chat: MattermostStub, port: int) -> dict[str, str]:
    """The settings of a service at ``port`` for ``chat``, where its slash command is made."""
    callback = f"http://127.0.0.1:{port}"
    token = chat.add_command(f"{callback}/mattermost/command")
    trusted = {} if chat.ca is None else {"ODABOT_MATTERMOST__CA_FILE": str(chat.ca)}
    return (
        _own(data)
        | trusted
        | {
            "ODABOT_MATTERMOST__URL": chat.url,
            "ODABOT_MATTERMOST__TOKEN": mattermost_stub.BOT_TOKEN,
            "ODABOT_MATTERMOST__CALLBACK_URL": callback,
            "ODABOT_MATTERMOST__COMMAND_TOKENS": json.dumps([token]),
        }
    )


def _own(data: Path) -> dict[str, str]:
    access = data / "access.toml"
    access.write_text(ACCESS)
    return {
        "ODABOT_DATA": str(data),
        "ODABOT_ACCESS": str(access),
        # Nothing that is asked here needs it, and to load it keeps a processor busy for seconds.
        "ODABOT_RETRIEVAL__EMBEDDING_MODEL": "/no/embedding/model",
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
    ended = (process.returncode, out, err)
    assert ended == (0, "", ""), ended
