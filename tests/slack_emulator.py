"""A second Slack that we did not write: emulate, which sends the bot its own posts too."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx
import pytest

from tests.free_port import free_port
from tests.local_slack import BOT_USER, SIGNING_SECRET
from tests.npm_peers import PEERS, installed_peers

BOT_TOKEN, USER_TOKEN = "xoxb-of-the-emulator", "xoxp-of-a-person"
CLIENT_ID, CLIENT_SECRET = "12.34", "secret of the app"


@dataclass(frozen=True, slots=True)
class SlackEmulator:
    """One running emulator."""

    url: str

    @property
    def api_url(self) -> str:
        """Where the methods of Slack's Web API are."""
        return f"{self.url}/api/"

    def call(self, method: str, token: str = BOT_TOKEN, **arguments: str) -> dict[str, object]:
        """A method of the Web API."""
        headers = {"Authorization": f"Bearer {token}"}
        done = httpx.post(f"{self.api_url}{method}", data=arguments, headers=headers, timeout=30)
        told = done.json()
        assert told["ok"], told
        return dict(told)


@contextmanager
def slack_emulator(events_url: str, redirect_url: str = "") -> Iterator[SlackEmulator]:
    """The emulator, which posts what happens to ``events_url``."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    installed_peers()
    port = free_port()
    seed = {"slack": _workspace(redirect_url)}
    told = {"PORT": str(port), "EVENTS_URL": events_url, "SEED": json.dumps(seed)}
    process = subprocess.Popen(
        [node, "slack_emulator.mjs"],
        cwd=PEERS,
        env={"PATH": os.defpath} | told,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield SlackEmulator(f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.communicate(timeout=30)


def _workspace(redirect_url: str) -> dict[str, object]:
    bot = {"bot_id": "B0BOT", "bot_user_id": BOT_USER}
    app = {
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "app_id": "A000000001",
        "name": "odabot",
        "redirect_uris": [redirect_url],
        "scopes": ["chat:write", "channels:history", "app_mentions:read"],
        "bot_name": "odabot",
        **bot,
    }
    bot_token = {"token": BOT_TOKEN, "type": "bot", "user_id": BOT_USER, "app_id": "A000000001"}
    return {
        "signing_secret": SIGNING_SECRET,
        "users": [{"name": "ada", "real_name": "Ada", "email": "ada@example.org"}],
        "channels": [{"name": "ops"}],
        "oauth_apps": [app],
        "tokens": [bot_token | bot, {"token": USER_TOKEN, "type": "user", "user": "ada"}],
    }
