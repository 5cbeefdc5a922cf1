"""Mattermost's posts and commands as messages of ours; what is not listed here stays silent."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bot.messages import IncomingMessage, Thread, Way
from bot.platforms.mattermost_typed import begins_with_others, mentions, plain_text

Payload = Mapping[str, Any]
PLATFORM = "mattermost"

DIRECT = "D"
"""The kind of a channel of two; O, P and G are public, private, and of a few people."""
# What a program posted, be it under the name of a person.
_BY_A_PROGRAM = ("from_bot", "from_webhook", "from_plugin", "from_oauth_app")
_UNTRUE = (None, "", "false", False)


@dataclass(frozen=True, slots=True)
class Ears:
    """Who we are, and whom we listen to besides people."""

    user: str
    name: str
    bots_heard: frozenset[str] = frozenset()
    """Ids of users whose posts count like a person's though a program makes them."""


@dataclass(frozen=True, slots=True)
class Post:
    """A post of any kind, and the kind of its channel."""

    id: str
    created: int
    """In milliseconds since 1970, by the server's clock."""
    kind: str
    said: Payload


def read_posted(data: Payload) -> Post | None:
    """The post of an event ``posted``; None where there is none to be read."""
    try:
        said = json.loads(data.get("post") or "")
    except (ValueError, TypeError):
        return None
    return read_post(said, str(data.get("channel_type") or ""))


def read_post(said: object, kind: str) -> Post | None:
    """A post as Mattermost's REST gives it, in a channel of ``kind``; None where it is none."""
    if not isinstance(said, Mapping):
        return None
    identity, created = said.get("id"), said.get("create_at")
    if not identity or not isinstance(created, int) or not said.get("channel_id"):
        return None
    return Post(str(identity), created, kind, said)


def read_message(post: Post, ears: Ears) -> IncomingMessage | None:
    """``post`` as a message of ours; None where no person said something to hear."""
    said, text = post.said, str(post.said.get("message") or "")
    author = _author(said, ears)
    if author is None:
        return None
    direct = post.kind == DIRECT
    return IncomingMessage(
        Thread(PLATFORM, str(said["channel_id"]), str(said.get("root_id") or post.id)),
        post.id,
        author,
        plain_text(text, ears.name),
        datetime.fromtimestamp(post.created / 1000, UTC),
        addressed=direct or mentions(text, ears.name),
        direct=direct,
        to_others=begins_with_others(text, ears.name),
    )


def read_command(form: Mapping[str, str], ears: Ears, now: datetime) -> IncomingMessage | None:
    """A slash command as a message without a thread; None where parts are missing."""
    channel, author, trigger = (form.get(n) for n in ("channel_id", "user_id", "trigger_id"))
    if not channel or not author or not trigger:
        return None
    return IncomingMessage(
        Thread(PLATFORM, channel, ""),
        trigger,
        author,
        plain_text(form.get("text", ""), ears.name),
        now,
        addressed=True,
        way=Way.COMMAND,
        # A channel of two is named by both of them.
        direct=ears.user in form.get("channel_name", "").split("__"),
    )


def _author(said: Payload, ears: Ears) -> str | None:
    """Who speaks, if it is somebody whom we listen to and who says it for the first time."""
    user, props = said.get("user_id"), said.get("props") or {}
    if not user or user == ears.user or said.get("type") or said.get("delete_at"):
        return None
    by_a_program = any(props.get(name) not in _UNTRUE for name in _BY_A_PROGRAM)
    return None if by_a_program and user not in ears.bots_heard else str(user)
