"""Socket Mode: the connection to Slack, and the watch that it still hears."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_sdk import WebClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.web.async_client import AsyncWebClient

from bot.errors import PlatformError
from bot.platforms.slack_app import SlackApp
from bot.platforms.slack_installations import Installations, asked

log = logging.getLogger(__name__)

_CLOSING_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Watch:
    """How closely a connection is watched, all in seconds."""

    every: float = 60.0
    ping: float = 10.0
    quiet: float = 600.0
    """Where nothing came for so long, a fresh connection is made: it may have gone deaf."""
    connecting: float = 30.0


class SlackSocket:
    """Keeps one connection of Socket Mode in a thread of its own."""

    def __init__(
        self,
        app: SlackApp,
        app_token: str,
        api_url: str,
        installations: Installations,
        watch: Watch = Watch(),
        report: Callable[[str], None] = lambda trouble: None,
    ) -> None:
        """``report`` is told after each look what is wrong; nothing where all is well."""
        self._report = report
        self._app = app
        self._token = app_token
        self._api_url = api_url
        self._installations = installations
        self._watch = watch
        self._handler: AsyncSocketModeHandler | None = None
        self._heard = time.monotonic()
        self._trouble = "not connected yet"
        self._started = threading.Event()
        self._ending: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = self._new_thread()

    def open(self) -> None:
        """Connect; raises PlatformError where Slack refuses us or is not reached."""
        self._installations.check()
        try_socket(self._token, self._api_url)
        self._thread, self._trouble = self._new_thread(), "not connected yet"
        self._started.clear()
        self._thread.start()
        self._started.wait(self._watch.connecting)
        if self._trouble:
            self.close()
            raise PlatformError(f"Socket Mode: {self._trouble}")

    def alive(self) -> bool:
        """Whether the connection is still looked after."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Hang up; harmless where there is no connection."""
        if self._loop is not None and self._ending is not None:
            with suppress(RuntimeError):  # its thread has ended by itself
                self._loop.call_soon_threadsafe(self._ending.set)
            self._thread.join(_CLOSING_SECONDS)

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._run, name="slack-socket", daemon=True)

    def _run(self) -> None:
        asyncio.run(self._keep_connected())

    async def _keep_connected(self) -> None:
        self._loop, self._ending = asyncio.get_running_loop(), asyncio.Event()
        try:
            await self._reconnect()
            self._started.set()
            while not await self._ends_within(self._watch.every):
                await self._look()
        finally:
            await self._hang_up()

    async def _ends_within(self, seconds: float) -> bool:
        assert self._ending is not None
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ending.wait(), seconds)
        return self._ending.is_set()

    async def _look(self) -> None:
        """Ask Slack who we are, and connect anew where the connection may hear nothing."""
        try:
            await asyncio.to_thread(self._installations.check)
        except PlatformError as error:
            self._tell(str(error))
            log.warning("%s", error, extra={"action": "slack_unreachable"})
            return
        deaf = await self._deafness()
        if deaf:
            log.warning("connecting anew: %s", deaf, extra={"action": "slack_reconnect"})
            await self._reconnect()
        else:
            self._tell("")

    def _tell(self, trouble: str) -> None:
        self._trouble = trouble
        self._report(trouble)

    async def _deafness(self) -> str:
        """Why the connection may hear nothing; empty where there is no sign of it."""
        if self._handler is None:
            return "there is no connection"
        client = self._handler.client
        if not await client.is_connected():
            return "the connection is gone"
        tasks = (getattr(client, name, None) for name in ("message_receiver", "message_processor"))
        if any(task is None or task.done() for task in tasks):
            return "nobody reads the connection any more"
        silent = time.monotonic() - self._heard
        return f"nothing came for {silent:.0f} s" if silent > self._watch.quiet else ""

    async def _reconnect(self) -> None:
        """A wholly new client: the old one may try a dead address for ever."""
        await self._hang_up()
        handler = AsyncSocketModeHandler(
            self._app.bolt,
            self._token,
            web_client=AsyncWebClient(self._token, base_url=self._api_url),
            ping_interval=self._watch.ping,
        )
        handler.client.message_listeners.append(self._note)
        self._handler = handler
        try:
            connecting = handler.connect_async()  # type: ignore[no-untyped-call]
            await asyncio.wait_for(connecting, self._watch.connecting)
        except TimeoutError:
            self._tell("no connection could be made in time")
            return
        self._heard = time.monotonic()
        self._tell("")

    async def _note(
        self, client: AsyncBaseSocketModeClient, message: dict[str, object], raw: str | None
    ) -> None:
        self._heard = time.monotonic()

    async def _hang_up(self) -> None:
        handler, self._handler = self._handler, None
        if handler is not None:
            with suppress(TimeoutError, OSError):
                closing = handler.close_async()  # type: ignore[no-untyped-call]
                await asyncio.wait_for(closing, _CLOSING_SECONDS)


def try_socket(app_token: str, api_url: str) -> None:
    """Return where Slack would open a socket; raises PlatformError."""
    client = WebClient(app_token, base_url=api_url, timeout=10)
    asked(lambda: client.apps_connections_open(app_token=app_token))
