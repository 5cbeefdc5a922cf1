"""Logins over Redis: who is logged in, below the hash of what their browser shows for it."""

import json
from datetime import timedelta
from hashlib import sha256

from bot.errors import TurnStoreError
from bot.page_logins import Login
from bot.redis_client import RedisClient, key_of


class RedisLogins:
    """One key for each log-in, which ends with its time to live."""

    def __init__(self, url: str, lives: timedelta) -> None:
        self._client = RedisClient(url, TurnStoreError, "the store of log-ins")
        self._lives = lives

    def keep(self, secret: str, login: Login) -> None:
        """Know ``login`` by ``secret`` from now on."""
        self._client.set(_key(secret), json.dumps([login.person, login.token]), self._lives)

    def of(self, secret: str) -> Login | None:
        """The log-in that is known by ``secret``; None where it has ended."""
        data = self._client.get(_key(secret))
        return None if data is None else Login(*json.loads(data))

    def end(self, secret: str) -> None:
        """Know it no more."""
        self._client.delete(_key(secret))

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()


def _key(secret: str) -> str:
    # Whoever reads the store cannot log in with what they find there.
    return key_of("page-login", sha256(secret.encode()).hexdigest())
