"""Slack, inbound: messages, commands and clicks, by Socket Mode or by signed HTTP requests."""

from slack_bolt.adapter.starlette.async_handler import AsyncSlackRequestHandler
from slack_sdk.signature import SignatureVerifier
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.platforms.slack_app import SlackApp
from bot.platforms.slack_installations import Installations
from bot.platforms.slack_socket import SlackSocket, Watch

EVENTS_PATH = "/slack/events"


class SlackOverSocket:
    """Slack by a connection that we open: no address of ours has to be reachable."""

    def __init__(
        self,
        app: SlackApp,
        app_token: str,
        api_url: str,
        installations: Installations,
        watch: Watch = Watch(),  # noqa: B008 - frozen
    ) -> None:
        self._app = app
        self._socket = SlackSocket(app, app_token, api_url, installations, watch)

    def open(self) -> None:
        """Begin to listen; raises PlatformError where Slack refuses us or is not reached."""
        self._socket.open()

    @property
    def trouble(self) -> str:
        """Why Slack may not be heard; empty where all is well."""
        return self._socket.trouble

    def close(self) -> None:
        """Stop listening, and store what was heard."""
        self._socket.close()
        self._app.close()


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
