"""Slack's events, clicks and commands as messages of ours; what is not listed here stays silent."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bot.messages import Click, IncomingMessage, Thread, Way
from bot.platforms.slack_actions import Action, read_action
from bot.platforms.slack_text import begins_with_others, mentions, plain_text

Payload = Mapping[str, Any]
PLATFORM = "slack"

# Of all kinds of message only these are said by a person for the first time: edits, unfurled
# links, joins and the like come as other kinds.
_SAID = frozenset({None, "file_share", "thread_broadcast"})


@dataclass(frozen=True, slots=True)
class Ears:
    """Who we are in a workspace, and whom we listen to besides its people."""

    team: str
    bot_user: str
    bot: str
    bots_heard: frozenset[str] = frozenset()
    """Ids of other bots (B...) whose messages count like a person's."""
    teams_heard: frozenset[str] = frozenset()
    """Ids of other workspaces whose people may speak in shared channels."""


def read_message(event: Payload, ears: Ears) -> IncomingMessage | None:
    """A ``message`` or ``app_mention`` as ours, both the same; None where nobody spoke to hear."""
    author = _author(event, ears)
    if author is None or "edited" in event or event.get("hidden"):
        return None
    channel, moment, text = event.get("channel"), event.get("ts"), event.get("text") or ""
    if not channel or not moment:
        return None
    direct = event.get("channel_type") == "im" or channel.startswith("D")
    addressed = direct or mentions(text, ears.bot_user)
    return IncomingMessage(
        _thread(ears.team, channel, event.get("thread_ts") or moment),
        moment,
        author,
        plain_text(text, ears.bot_user),
        _moment(moment),
        addressed,
        direct=direct,
        to_others=begins_with_others(text, ears.bot_user),
    )


def read_command(body: Payload, team: str, now: datetime) -> IncomingMessage | None:
    """A slash command as a message without a thread; None where parts are missing."""
    channel, author, trigger = body.get("channel_id"), body.get("user_id"), body.get("trigger_id")
    if not channel or not author or not trigger:
        return None
    return IncomingMessage(
        _thread(team, channel, ""),
        trigger,
        author,
        plain_text(body.get("text") or "", ""),
        now,
        addressed=True,
        way=Way.COMMAND,
        direct=channel.startswith("D"),
    )


def read_clicks(body: Payload, team: str, now: datetime) -> tuple[Click, ...]:
    """The buttons and menus of a ``block_actions`` that are ours; mostly one."""
    container, message = body.get("container") or {}, body.get("message") or {}
    channel = (body.get("channel") or {}).get("id") or container.get("channel_id")
    moment = message.get("ts") or container.get("message_ts")
    author = (body.get("user") or {}).get("id")
    if not channel or not moment or not author:
        return ()
    root = message.get("thread_ts") or container.get("thread_ts") or moment
    thread = _thread(team, channel, root)
    return tuple(
        _click(thread, author, action, f"{moment} {pressed.get('action_ts', '')}", now)
        for pressed in body.get("actions") or ()
        if (action := read_action(pressed)) is not None
    )


def _author(event: Payload, ears: Ears) -> str | None:
    """Who speaks, if it is somebody whom we listen to."""
    user, bot = event.get("user"), event.get("bot_id")
    if user == ears.bot_user or (bot and bot == ears.bot):
        return None
    if bot or event.get("subtype") == "bot_message":
        return (user or bot) if bot in ears.bots_heard else None
    if event.get("subtype") not in _SAID or not user or user == "USLACKBOT":
        return None
    home = event.get("user_team") or event.get("source_team") or ears.team
    return user if home in {ears.team, *ears.teams_heard} else None


def _click(thread: Thread, author: str, action: Action, identity: str, now: datetime) -> Click:
    return Click(thread, identity, author, action.act, action.turn, now, action.value)


def _thread(team: str, channel: str, root: str) -> Thread:
    return Thread(PLATFORM, f"{team}/{channel}", root)


def _moment(stamp: str) -> datetime:
    return datetime.fromtimestamp(float(stamp), UTC)
