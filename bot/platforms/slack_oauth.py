"""Has the app installed in further workspaces: a person there agrees, and its token is kept."""

import asyncio
from typing import Protocol

from slack_bolt.adapter.starlette.async_handler import to_async_bolt_request, to_starlette_response
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore
from slack_sdk.web.async_client import AsyncWebClient
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.platforms.slack_installations import Installed

INSTALL_PATH = "/slack/install"
REDIRECT_PATH = "/slack/oauth_redirect"
SCOPES = (
    "app_mentions:read",
    "channels:history",
    "groups:history",
    "im:history",
    "mpim:history",
    "chat:write",
    "commands",
    "files:write",
    "im:write",
    "channels:read",
    "groups:read",
    "usergroups:read",
    "users:read",
)


class KeepsInstallations(Protocol):
    """Keeps installations, and who is just installing; raises PlatformError."""

    def save(self, installed: Installed) -> None:
        """Keep it in place of an earlier one of the same workspace."""
        ...

    def issue(self) -> str:
        """A word that comes back with whoever began to install here, within minutes."""
        ...

    def consume(self, word: str) -> bool:
        """Whether ``word`` was issued, for the first time that it is asked."""
        ...


def install_routes(
    keeps: KeepsInstallations, client_id: str, client_secret: str, api_url: str
) -> tuple[Route, ...]:
    """Where a person begins to install the app, and where Slack sends them back to."""
    settings = AsyncOAuthSettings(
        client_id=client_id,
        client_secret=client_secret,
        scopes=SCOPES,
        install_path=INSTALL_PATH,
        redirect_uri_path=REDIRECT_PATH,
        authorization_url=f"{api_url.removesuffix('api/')}oauth/v2/authorize",
        installation_store=_Installations(keeps),
        state_store=_Words(keeps),
        install_page_rendering_enabled=False,
    )
    flow = AsyncOAuthFlow(settings=settings, client=AsyncWebClient(base_url=api_url))

    async def begin(request: Request) -> Response:
        return to_starlette_response(
            await flow.handle_installation(to_async_bolt_request(request, b""))
        )

    async def come_back(request: Request) -> Response:
        return to_starlette_response(
            await flow.handle_callback(to_async_bolt_request(request, b""))
        )

    return (Route(INSTALL_PATH, begin), Route(REDIRECT_PATH, come_back))


class _Installations(AsyncInstallationStore):
    """Of what Slack says of an installation, that which is needed."""

    def __init__(self, keeps: KeepsInstallations) -> None:
        self._keeps = keeps

    async def async_save(self, installation: Installation) -> None:
        everywhere = bool(installation.is_enterprise_install)
        installed = Installed(
            "" if everywhere else installation.team_id or "",
            installation.bot_token or "",
            installation.bot_user_id or "",
            installation.bot_id or "",
            installation.enterprise_id or "",
        )
        await asyncio.to_thread(self._keeps.save, installed)


class _Words(AsyncOAuthStateStore):
    def __init__(self, keeps: KeepsInstallations) -> None:
        self._keeps = keeps

    async def async_issue(self, *args: object, **kwargs: object) -> str:
        return await asyncio.to_thread(self._keeps.issue)

    async def async_consume(self, state: str) -> bool:
        return await asyncio.to_thread(self._keeps.consume, state)
