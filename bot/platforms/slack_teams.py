"""Installations over Redis: one key for each workspace where the app is installed."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from pydantic import BaseModel, ValidationError
from slack_sdk import WebClient

from bot.errors import PlatformError
from bot.platforms.slack_installations import Installed, asked
from bot.redis_client import RedisClient, key_of

log = logging.getLogger(__name__)

# An installation ends when it is taken back in Slack, and never by itself.
_LIVES = timedelta(days=36500)
_INSTALLING = timedelta(minutes=10)
_TAKE = "return redis.call('del', KEYS[1])"


class _Kept(BaseModel):
    team: str
    token: str
    bot_user: str
    bot: str
    enterprise: str
    at: float = 0.0
    """When it was installed, in seconds of Unix time."""


class RedisInstallations:
    """Installations of all workspaces; what processes share, so that any may speak anywhere."""

    def __init__(
        self, url: str, api_url: str, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._client = RedisClient(url, PlatformError, "the store of installations")
        self._clock = clock
        self._slack = WebClient(base_url=api_url, timeout=10)

    def of(self, team: str, enterprise: str = "") -> Installed | None:
        """That of a workspace, or else that of its whole organisation; raises PlatformError."""
        return self._kept(team) or self._kept(enterprise)

    def check(self) -> None:
        """Return where Slack answers; raises PlatformError."""
        asked(self._slack.api_test)

    def save(self, installed: Installed) -> None:
        """Keep it in place of an earlier one of the same workspace."""
        kept = _Kept(
            team=installed.team,
            token=installed.token,
            bot_user=installed.bot_user,
            bot=installed.bot,
            enterprise=installed.enterprise,
            at=self._clock().timestamp(),
        )
        name = installed.team or installed.enterprise
        self._client.set(key_of("slack-team", name), kept.model_dump_json(), _LIVES)

    def forget(self, team: str, enterprise: str, before: datetime) -> None:
        """Keep no installation of a workspace, or else of an organisation, from before then.

        Slack may tell of a removal after the app was installed anew.
        """
        name = team or enterprise
        kept = self._read(name)
        if kept is not None and kept.at <= before.timestamp():
            self._client.delete(key_of("slack-team", name))
            log.info("the app was removed from %s", name, extra={"action": "uninstalled"})

    def issue(self) -> str:
        """A word that is known for some minutes."""
        word = uuid4().hex
        self._client.set(key_of("slack-installing", word), "1", _INSTALLING)
        return word

    def consume(self, word: str) -> bool:
        """Whether ``word`` was issued; only once."""
        return self._client.run(_TAKE, [key_of("slack-installing", word)], [])

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()

    def _kept(self, name: str) -> Installed | None:
        kept = self._read(name)
        if kept is None:
            return None
        return Installed(kept.team, kept.token, kept.bot_user, kept.bot, kept.enterprise)

    def _read(self, name: str) -> _Kept | None:
        data = self._client.get(key_of("slack-team", name)) if name else None
        if data is None:
            return None
        try:
            return _Kept.model_validate_json(data)
        except ValidationError as error:
            raise PlatformError(f"the installation of {name} cannot be read") from error
