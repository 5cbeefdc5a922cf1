"""Requests as Slack signs them, sent by ourselves: retries, replays and forgeries."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode
from uuid import uuid4

import httpx
from slack_sdk.signature import SignatureVerifier

from tests.local_slack import ADA, BOT_USER, OPS, SIGNING_SECRET, TEAM

Payload = dict[str, object]


# No certificates are read for a plain address: that takes longer than what is measured.
_post = partial(httpx.post, timeout=10, verify=False)


@dataclass(frozen=True, slots=True)
class SlackRequests:
    """Posts to the address where the bot takes Slack's requests."""

    url: str
    secret: str = SIGNING_SECRET
    send: Callable[..., httpx.Response] = _post

    def event(
        self,
        event: Payload,
        *,
        event_id: str = "",
        team: str = TEAM,
        retry: int = 0,
        at: float = 1,
    ) -> httpx.Response:
        """An event of the moment ``at``; ``retry`` counts from 1 where Slack sends it again."""
        body = {
            "type": "event_callback",
            "team_id": team,
            "api_app_id": "A01APP",
            "event_id": event_id or f"Ev{uuid4().hex}",
            "event_time": int(at),
            "event": event,
            "authorizations": [{"team_id": team, "user_id": BOT_USER, "is_bot": True}],
        }
        headers = {"x-slack-retry-num": str(retry), "x-slack-retry-reason": "http_timeout"}
        return self.post(json.dumps(body), headers if retry else {})

    def verification(self, challenge: str) -> httpx.Response:
        """What Slack asks when the address is entered."""
        return self.post(json.dumps({"type": "url_verification", "challenge": challenge}))

    def interaction(self, payload: Payload) -> httpx.Response:
        """A click, a form or a shortcut."""
        form = urlencode({"payload": json.dumps(payload)})
        return self.post(form, kind="application/x-www-form-urlencoded")

    def command(self, fields: dict[str, str]) -> httpx.Response:
        """A slash command."""
        return self.post(urlencode(fields), kind="application/x-www-form-urlencoded")

    def post(
        self,
        body: str,
        headers: dict[str, str] | None = None,
        *,
        kind: str = "application/json",
        age: float = 0,
        signature: str = "",
    ) -> httpx.Response:
        """``body``, signed ``age`` seconds ago, or with a signature of the caller's."""
        moment = str(int(time.time() - age))
        made = SignatureVerifier(self.secret).generate_signature(timestamp=moment, body=body)
        assert made is not None
        sent = {
            "content-type": kind,
            "x-slack-request-timestamp": moment,
            "x-slack-signature": signature or made,
        }
        return self.send(self.url, content=body, headers=sent | (headers or {}))


def a_message(text: str = "what is the PUE?", ts: str = "1654041600.000100") -> Payload:
    """An event of somebody who writes ``text`` in a channel."""
    return {
        "type": "message",
        "user": ADA,
        "text": text,
        "ts": ts,
        "event_ts": ts,
        "channel": OPS,
        "channel_type": "channel",
    }


def a_mention(text: str = "what is the PUE?", ts: str = "1654041600.000100") -> Payload:
    """The other event that Slack makes of a message with a mention."""
    event = a_message(f"<@{BOT_USER}> {text}", ts) | {"type": "app_mention"}
    del event["channel_type"]
    return event
