"""Slack, inbound: messages, commands and clicks, by Socket Mode or by signed HTTP requests."""

import logging
import threading
from collections.abc import Callable

from slack_bolt.adapter.starlette.async_handler import AsyncSlackRequestHandler
from slack_sdk.signature import SignatureVerifier
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from bot.errors import PlatformError
from bot.platforms.slack_app import SlackApp
from bot.platforms.slack_installations import Installations
from bot.platforms.slack_socket import SlackSocket

log = logging.getLogger(__name__)

EVENTS_PATH = "/slack/events"


class SlackOverSocket:
    """Slack by a connection that we open: no address of ours has to be reachable."""

    routes: tuple[BaseRoute, ...] = ()

    def __init__(self, app: SlackApp, socket: SlackSocket) -> None:
        self._app = app
        self._socket = socket

    def open(self) -> None:
        """Begin to listen; raises PlatformError where Slack refuses us or is not reached."""
        self._socket.open()

    def alive(self) -> bool:
        """Whether the connection is still looked after."""
        return self._socket.alive()

    def close(self) -> None:
        """Stop listening, and store what was heard."""
        self._socket.close()
        self._app.close()


class SlackOverHttp:
    """Slack by requests that it posts to an address of ours."""

    def __init__(
        self,
        app: SlackApp,
        signing_secret: str,
        installations: Installations,
        every: float = 60.0,
        report: Callable[[str], None] = lambda trouble: None,
        routes: tuple[BaseRoute, ...] = (),
    ) -> None:
        """``report`` is told every so many seconds what is wrong; nothing where all is well.

        ``routes`` are served beside that of the events.
        """
        self._app = app
        self._installations = installations
        self._every = every
        self._report = report
        self._ending = threading.Event()
        self._looking = threading.Thread(target=self._look, name="slack-watch", daemon=True)
        self.routes: tuple[BaseRoute, ...] = (events_route(app, signing_secret), *routes)

    def open(self) -> None:
        """Begin to look after Slack; raises PlatformError where it refuses us."""
        self._installations.check()
        self._report("")
        self._looking.start()

    def alive(self) -> bool:
        """Whether Slack is still looked after."""
        return self._looking.is_alive()

    def close(self) -> None:
        """Store what was heard."""
        self._ending.set()
        self._app.close()

    def _look(self) -> None:
        while not self._ending.wait(self._every):
            try:
                self._installations.check()
            except PlatformError as error:
                log.warning("%s", error, extra={"action": "slack_unreachable"})
                self._report(str(error))
            else:
                self._report("")


def events_route(app: SlackApp, signing_secret: str) -> Route:
    """Where Slack posts events, clicks and commands; what it did not sign is not even read."""
    handler, verifier = AsyncSlackRequestHandler(app.bolt), SignatureVerifier(signing_secret)

    async def handle(request: Request) -> Response:
        body = await request.body()
        if not _is_signed(verifier, body, request.headers):
            return Response("invalid request", 401)
        return await handler.handle(request)

    return Route(EVENTS_PATH, handle, methods=["POST"])


def _is_signed(verifier: SignatureVerifier, body: bytes, headers: Headers) -> bool:
    try:
        return verifier.is_valid_request(body, dict(headers))
    except ValueError:  # no text, or no moment
        return False
