"""What happens when Slack sends something: it is stored, and only then acknowledged."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.errors import BotError
from bot.home_page import HomePage
from bot.messages import Incoming, IncomingMessage, Thread
from bot.platforms.slack_events import Ears, read_clicks, read_command, read_message
from bot.platforms.slack_home import home_view
from bot.platforms.slack_installations import Installations
from bot.platforms.slack_ways_back import WaysBack

log = logging.getLogger(__name__)

Receive = Callable[[Incoming], None]
Home = Callable[[str], HomePage]
"""What a person (their id) finds in the app's home; may raise one of our errors."""
_ANY = re.compile(".*")
_NOT_TAKEN = "Sorry, I cannot take that at the moment. Please try again in a minute."


@dataclass(frozen=True, slots=True)
class Listening:
    """Where Slack is, what proves that it speaks, and whom to hear besides a workspace's people."""

    signing_secret: str = ""
    api_url: str = "https://slack.com/api/"
    bots: frozenset[str] = frozenset()
    teams: frozenset[str] = frozenset()


class SlackApp:
    """Slack's requests, over whichever transport, as calls of ``receive``.

    What ``receive`` does not return from in peace is not acknowledged: Slack sends it again.
    """

    def __init__(
        self,
        installations: Installations,
        receive: Receive,
        listening: Listening,
        clock: Callable[[], datetime],
        home: Home | None = None,
        ways: WaysBack | None = None,
    ) -> None:
        self._receive = receive
        self._listening = listening
        self._installations = installations
        self._clock = clock
        self._home = home
        self._ways = ways
        self._publishing: set[asyncio.Task[None]] = set()
        # One at a time, so that what came first is stored first.
        self._storing = ThreadPoolExecutor(1, "slack-intake")
        self.bolt = AsyncApp(
            client=AsyncWebClient(base_url=listening.api_url),
            signing_secret=listening.signing_secret,
            authorize=_authorize_by(installations),
            process_before_response=True,
        )
        self._listen()

    def close(self) -> None:
        """Store what was taken in, and nothing more."""
        self._storing.shutdown(wait=True)

    def _listen(self) -> None:
        bolt = self.bolt
        bolt.event("message")(self._on_message)
        bolt.event("app_mention")(self._on_message)
        bolt.event("app_home_opened")(self._on_home)
        bolt.event("app_uninstalled")(self._on_removal)
        bolt.event("tokens_revoked")(self._on_removal)
        bolt.event(_ANY)(_nothing)
        bolt.command(_ANY)(self._on_command)
        bolt.action(_ANY)(self._on_action)
        # Whatever has no listener is answered 404, and Slack sends it again and again.
        bolt.view_submission(_ANY)(_acknowledged)
        bolt.view_closed(_ANY)(_acknowledged)
        bolt.shortcut(_ANY)(_acknowledged)
        bolt.options(_ANY)(_acknowledged)
        bolt.error(_failed)

    async def _on_message(self, event: dict[str, Any], context: AsyncBoltContext) -> None:
        message = read_message(event, self._ears(context))
        if message is not None:
            await self._take(message)

    async def _on_command(
        self, ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext
    ) -> None:
        message = read_command(body, _team(context), self._clock())
        try:
            if message is not None:
                await asyncio.to_thread(self._keep_way, message, body.get("response_url") or "")
                await self._take(message)
        except BotError:
            # A command is not sent again; who typed it is told, and types it again.
            log.exception("a command was not stored", extra={"action": "command_lost"})
            await ack(_NOT_TAKEN)
            return
        await ack()

    async def _on_action(
        self, ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext
    ) -> None:
        for click in read_clicks(body, _team(context), self._clock()):
            await self._take(click)
        await ack()

    async def _on_home(self, event: dict[str, Any], client: AsyncWebClient) -> None:
        if self._home is None or event.get("tab", "home") != "home":
            return
        # Slack is answered first: what is published may take its time.
        publishing = asyncio.create_task(self._publish(self._home, str(event["user"]), client))
        self._publishing.add(publishing)
        publishing.add_done_callback(self._publishing.discard)

    async def _on_removal(self, body: dict[str, Any]) -> None:
        """Keep no token of a workspace that took the app, or its token, away."""
        event, at = body["event"], datetime.fromtimestamp(float(body["event_time"]), UTC)
        if event["type"] == "app_uninstalled" or (event.get("tokens") or {}).get("bot"):
            forget, team = self._installations.forget, str(body.get("team_id") or "")
            await asyncio.to_thread(forget, team, str(body.get("enterprise_id") or ""), at)

    async def _publish(self, home: Home, user: str, client: AsyncWebClient) -> None:
        try:
            page = await asyncio.to_thread(home, user)
            links = [await _link(client, recent.thread) for recent in page.recent]
            await client.views_publish(user_id=user, view=home_view(page, links))
        except (BotError, SlackClientError, OSError):
            log.warning("the home was not published", exc_info=True, extra={"action": "no_home"})

    def _keep_way(self, message: IncomingMessage, url: str) -> None:
        if self._ways is not None:
            self._ways.keep(message.thread.channel, message.author, url)

    async def _take(self, incoming: Incoming) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._storing, self._receive, incoming)

    def _ears(self, context: AsyncBoltContext) -> Ears:
        known = context.authorize_result
        assert known is not None
        return Ears(
            _team(context),
            known.bot_user_id or "",
            known.bot_id or "",
            self._listening.bots,
            self._listening.teams | {context.team_id or ""},
        )


def _authorize_by(installations: Installations) -> Callable[..., Awaitable[Any]]:
    """Who we are where a request comes from; Bolt passes by name, and takes no bound method."""

    async def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
        team, enterprise = team_id or "", enterprise_id or ""
        known = await asyncio.to_thread(installations.of, team, enterprise)
        if known is None:
            log.warning("a workspace where we are not installed", extra={"action": "unknown_team"})
            return None
        return AuthorizeResult(
            enterprise_id=known.enterprise or None,
            team_id=known.team or None,
            bot_user_id=known.bot_user,
            bot_id=known.bot,
            bot_token=known.token,
        )

    return authorize


def _team(context: AsyncBoltContext) -> str:
    """The workspace where the app is installed, or the organisation where it is in all."""
    known = context.authorize_result
    assert known is not None
    return known.team_id or known.enterprise_id or ""


async def _link(client: AsyncWebClient, thread: Thread) -> str:
    """Where ``thread`` is read; empty where Slack does not say."""
    channel = thread.channel.rpartition("/")[2]
    try:
        told = await client.chat_getPermalink(channel=channel, message_ts=thread.root)
    except SlackApiError:
        return ""
    return str(told.get("permalink") or "")


async def _nothing() -> None:
    """Acknowledged, and that is all."""


async def _acknowledged(ack: AsyncAck) -> None:
    await ack()


async def _failed(error: Exception) -> None:
    log.error("not acknowledged to Slack", exc_info=error, extra={"action": "not_acknowledged"})
