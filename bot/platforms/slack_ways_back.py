"""The addresses by which Slack lets a command be answered where the bot is no member."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol
from urllib.parse import urlsplit

from slack_sdk.errors import SlackClientError
from slack_sdk.webhook import WebhookClient

from agent import Choice
from bot.errors import PlatformError, PostRefused
from bot.messages import Reply, Thread
from bot.outlet import Outlet, Part
from bot.redis_client import RedisClient, key_of

# Slack takes answers for half an hour.
_LIVES = timedelta(minutes=29)


class WaysBack(Protocol):
    """Remembers the latest address for a person in a channel; raises PlatformError."""

    def keep(self, channel: str, person: str, url: str) -> None:
        """``person`` typed a command in ``channel``, which may be answered at ``url``."""
        ...

    def of(self, channel: str, person: str) -> str:
        """The address; empty where there is none."""
        ...


class RedisWaysBack:
    """The addresses over Redis, so that whichever process answers has them."""

    def __init__(self, url: str, api_url: str) -> None:
        """``api_url``: Slack's own; an address elsewhere than in its domain is not kept."""
        self._client = RedisClient(url, PlatformError, "the store of ways back")
        self._domain = _domain(api_url)

    def keep(self, channel: str, person: str, url: str) -> None:
        """Keep it for as long as Slack takes an answer there."""
        if _domain(url) == self._domain:
            self._client.set(key_of("way-back", f"{channel} {person}"), url, _LIVES)

    def of(self, channel: str, person: str) -> str:
        """The address; empty where there is none."""
        data = self._client.get(key_of("way-back", f"{channel} {person}"))
        return "" if data is None else data.decode()

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()


@dataclass(frozen=True, slots=True)
class OutletWithWaysBack:
    """An outlet that whispers by the way back where it may not whisper in the channel."""

    outlet: Outlet
    ways: WaysBack

    def parts(self, reply: Reply, turn: str) -> tuple[Part, ...]:
        """As the outlet forms it."""
        return self.outlet.parts(reply, turn)

    def progress(self, note: str, seconds: float, turn: str) -> Part:
        """As the outlet forms it."""
        return self.outlet.progress(note, seconds, turn)

    def settled(self, part: Part, note: str, by: str = "") -> Part:
        """As the outlet forms it."""
        return self.outlet.settled(part, note, by)

    def why(self, text: str, reasons: tuple[Choice, ...], turn: str) -> Part:
        """A menu of reasons."""
        return self.outlet.why(text, reasons, turn)

    def post(self, thread: Thread, part: Part, key: str) -> str:
        """As the outlet posts it."""
        return self.outlet.post(thread, part, key)

    def posted(self, thread: Thread, key: str) -> str | None:
        """What the outlet finds."""
        return self.outlet.posted(thread, key)

    def edit(self, thread: Thread, message_id: str, part: Part) -> None:
        """As the outlet edits it."""
        self.outlet.edit(thread, message_id, part)

    def whisper(self, thread: Thread, user: str, part: Part) -> None:
        """Show ``part`` to one person, in the channel or else as the answer to a command."""
        try:
            self.outlet.whisper(thread, user, part)
        except PostRefused:
            url = self.ways.of(thread.channel, user)
            if not url:
                raise
            _answer(url, part)


def _answer(url: str, part: Part) -> None:
    blocks: list[Any] = [dict(block) for block in part.body]
    try:
        told = WebhookClient(url, timeout=10).send(
            text=part.text, blocks=blocks or None, response_type="ephemeral"
        )
    except (SlackClientError, OSError) as error:
        raise PlatformError(f"a command could not be answered: {error}") from error
    if told.status_code != 200:
        raise PostRefused(f"the answer to a command was refused: {told.status_code} {told.body}")


def _domain(url: str) -> str:
    """The last two names of the host: hooks.slack.com and slack.com are one."""
    return ".".join((urlsplit(url).hostname or "").split(".")[-2:])
