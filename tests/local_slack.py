"""A Slack on this machine that we did not write: local-slack, with Socket Mode or signed HTTP."""

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.free_port import free_port
from tests.npm_peers import installed_peers

TEAM, BOT_USER = "T01TEST", "U0BOT"
BOT_TOKEN, APP_TOKEN = "xoxb-of-the-tests", "xapp-of-the-tests"
SIGNING_SECRET = "signed in the tests"
# It waits for a bot whose connection hangs, and a busy machine for both. No certificates are read
# for a plain address: that takes longer than all else that a call does here.
_post = partial(httpx.post, timeout=30.0, verify=False)
_get = partial(httpx.get, timeout=30.0, verify=False)
ADA, BEN = "U01ADA", "U02BEN"
OPS, QUIET = "C01OPS", "C02QUIET"


@dataclass(frozen=True, slots=True)
class LocalSlack:
    """One running server, and what people do there."""

    url: str
    process: "subprocess.Popen[bytes]"

    @property
    def api_url(self) -> str:
        """Where the methods of Slack's Web API are."""
        return f"{self.url}/api/"

    def say(self, text: str, *, user: str = ADA, channel: str = OPS, thread: str = "") -> str:
        """Have ``user`` write ``text``; its ts."""
        told = {"channel": channel, "user": user, "text": text}
        done = self.control("message", **told, **({"thread_ts": thread} if thread else {}))
        return str(done["message"]["ts"])

    def mention(self, text: str, *, user: str = ADA, channel: str = OPS, thread: str = "") -> str:
        """Have ``user`` write ``text`` to the bot; its ts."""
        return self.say(f"<@{BOT_USER}> {text}", user=user, channel=channel, thread=thread)

    def press(
        self, element: dict[str, Any], message: str, *, user: str = ADA, channel: str = OPS
    ) -> None:
        """Have ``user`` press the button ``element`` of ``message`` (its ts)."""
        self.control("interact", channel=channel, messageTs=message, user=user, action=element)

    def command(self, text: str, *, user: str = ADA, channel: str = OPS) -> None:
        """Have ``user`` type ``/odabot text``."""
        self.control("command", channel=channel, user=user, command="/odabot", text=text)

    def open_home(self, user: str = ADA) -> None:
        """Have ``user`` look at the app's home."""
        self.control("open-home", user=user)

    def edit(self, message: str, text: str, *, user: str = ADA, channel: str = OPS) -> None:
        """Have ``user`` change what a message of theirs says."""
        self.control("edit-message", channel=channel, ts=message, user=user, text=text)

    def post(
        self,
        channel: str,
        text: str,
        *,
        thread: str = "",
        blocks: list[dict[str, Any]] | None = None,
    ) -> str:
        """Have the bot write; its ts."""
        told = {"channel": channel, "text": text} | ({"thread_ts": thread} if thread else {})
        formed = {"blocks": json.dumps(blocks)} if blocks else {}
        return str(self.call("chat.postMessage", **told, **formed)["ts"])

    def direct_channel(self, user: str = ADA) -> str:
        """The id of the channel between ``user`` and the bot."""
        return str(self.call("conversations.open", users=user)["channel"]["id"])

    def thread(self, root: str, *, channel: str = OPS) -> list[dict[str, Any]]:
        """The messages of a thread, the first one included."""
        return list(self.call("conversations.replies", channel=channel, ts=root)["messages"])

    def wait_for_replies(
        self, root: str, count: int, *, channel: str = OPS, seconds: float = 30
    ) -> list[dict[str, Any]]:
        """What the bot wrote in a thread, once there are ``count`` messages of its own."""
        give_up = time.monotonic() + seconds
        while True:
            messages = self.thread(root, channel=channel)
            ours = [m for m in messages if m.get("user") == BOT_USER or m.get("bot_id")]
            if len(ours) >= count:
                return ours
            assert time.monotonic() < give_up, f"{len(ours)} replies of {count}: {messages}"
            time.sleep(0.05)

    def call(self, method: str, **arguments: str) -> dict[str, Any]:
        """A method of the Web API, as the bot."""
        headers = {"Authorization": f"Bearer {BOT_TOKEN}"}
        done = _post(f"{self.api_url}{method}", data=arguments, headers=headers).json()
        assert done["ok"], done
        return dict(done)

    def control(self, act: str, **arguments: object) -> dict[str, Any]:
        """Something that the server lets its user bring about."""
        done = _post(f"{self.url}/_control/{act}", json=arguments).json()
        assert done.get("ok", True), done
        return dict(done)

    def wait_for_call(self, method: str, words: str = "", seconds: float = 90) -> dict[str, Any]:
        """What the bot last passed to ``method`` of the Web API with ``words``, once it did."""
        give_up = time.monotonic() + seconds
        while True:
            for entry in reversed(self.log()):
                is_call = entry["kind"] == "web_api" and entry["summary"] == method
                if is_call and words in json.dumps(entry["detail"], ensure_ascii=False):
                    return dict(entry["detail"])
            assert time.monotonic() < give_up, f"{method} was not called"
            time.sleep(0.05)

    def log(self) -> list[dict[str, Any]]:
        """What the server sent and was sent, oldest first; it keeps the last few hundred."""
        return list(_get(f"{self.url}/_control/log").json()["log"])


@contextmanager
def local_slack(
    folder: Path, events_url: str = "", port: int = 0, channels: Sequence[str] = ()
) -> Iterator[LocalSlack]:
    """The server, over Socket Mode, or posting what happens to ``events_url``.

    ``channels``: more of them, by their ids.
    """
    program = installed_peers() / "local-slack-linux-x64" / "bin" / "local-slack"
    if not program.exists():
        pytest.skip("local-slack is for Linux on x64")
    seed = folder / "local-slack.yaml"
    seed.write_text(yaml.safe_dump(_workspace(events_url, channels)))
    chosen = port or free_port()
    command = [
        str(program),
        "--config",
        str(seed),
        "--port",
        str(chosen),
        "--base-host",
        "127.0.0.1",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    slack = LocalSlack(f"http://127.0.0.1:{chosen}", process)
    try:
        _wait_for(slack)
        yield slack
    finally:
        process.terminate()
        process.wait(timeout=30)


def _workspace(events_url: str, channels: Sequence[str]) -> dict[str, object]:
    app = {
        "appId": "A01APP",
        "botUserId": BOT_USER,
        "botName": "odabot",
        "botToken": BOT_TOKEN,
        "appToken": APP_TOKEN,
        "signingSecret": SIGNING_SECRET,
        "mode": "events" if events_url else "socket",
        "commands": [{"command": "/odabot"}],
    }
    if events_url:
        app["requestUrl"] = events_url
    return {
        "workspace": {"name": "M100", "domain": "m100", "teamId": TEAM},
        "app": app,
        "users": [
            {"id": ADA, "name": "ada", "real_name": "Ada", "email": "ada@example.org"},
            {"id": BEN, "name": "ben", "real_name": "Ben", "email": "ben@example.org"},
        ],
        "channels": [
            {"id": OPS, "name": "ops", "members": [ADA, BEN, BOT_USER]},
            {"id": QUIET, "name": "quiet", "members": [ADA, BEN, BOT_USER]},
            *({"id": each, "name": each.lower(), "members": [ADA, BOT_USER]} for each in channels),
        ],
    }


def _wait_for(slack: LocalSlack) -> None:
    for _ in range(600):
        assert slack.process.poll() is None, "local-slack ended at once"
        try:
            _get(f"{slack.url}/_control/state")
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("local-slack does not answer")
