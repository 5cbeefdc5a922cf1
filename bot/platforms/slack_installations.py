"""Where the app is installed: for each workspace the token that speaks there, and who we are."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from slack_sdk import WebClient
from slack_sdk.errors import SlackClientError

from bot.errors import PlatformError, PostRefused

log = logging.getLogger(__name__)

_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Installed:
    """The app in one workspace, or in all those of one organisation."""

    team: str
    token: str
    bot_user: str
    bot: str
    enterprise: str = ""


class Installations(Protocol):
    """Finds where the app is installed; raises PlatformError where it cannot look."""

    def of(self, team: str, enterprise: str = "") -> Installed | None:
        """The installation that serves a workspace; None where there is none."""
        ...

    def check(self) -> None:
        """Return where Slack answers, and knows us."""
        ...

    def forget(self, team: str, enterprise: str, before: datetime) -> None:
        """Keep no token that a workspace, or else an organisation, gave us before then."""
        ...


class SingleInstallation:
    """One workspace, whose token the operator names; who we are there is asked of Slack once."""

    def __init__(self, token: str, api_url: str) -> None:
        self._client = WebClient(token, base_url=api_url, timeout=_SECONDS)
        self._token = token
        self._known: Installed | None = None

    def of(self, team: str, enterprise: str = "") -> Installed | None:
        """The one installation; None for another workspace than the token's."""
        known = self._known or self._ask()
        return known if team in {"", known.team} or known.enterprise == enterprise != "" else None

    def check(self) -> None:
        """Ask Slack who we are; raises PlatformError."""
        self._ask()

    def forget(self, team: str, enterprise: str, before: datetime) -> None:
        """Nothing: the token is the operator's to take out of the settings."""
        log.warning("Slack took the bot's token away", extra={"action": "uninstalled"})

    def _ask(self) -> Installed:
        told = asked(self._client.auth_test)
        self._known = Installed(
            str(told["team_id"]),
            self._token,
            str(told["user_id"]),
            str(told.get("bot_id") or ""),
            str(told.get("enterprise_id") or ""),
        )
        return self._known


def token_of(installations: Installations, team: str) -> str:
    """The token that speaks in a workspace; raises PostRefused where there is none."""
    installed = installations.of(team) or installations.of("", team)
    if installed is None:
        raise PostRefused(f"the app is not installed in {team}")
    return installed.token


def asked(call: Callable[[], object]) -> dict[str, object]:
    """What Slack says to ``call``; raises PlatformError where it refuses or does not answer."""
    try:
        response = call()
    except (SlackClientError, OSError) as error:
        raise PlatformError(f"Slack does not answer as it should: {error}") from error
    data = getattr(response, "data", None)
    if not isinstance(data, dict) or not data.get("ok"):
        raise PlatformError(f"Slack gave no answer that counts: {data!r}")
    return data
