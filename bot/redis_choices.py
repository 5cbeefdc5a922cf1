"""OpenChoices over Redis: one key for each thread, with a time to live."""

from datetime import timedelta

from bot.errors import TurnStoreError
from bot.messages import Thread
from bot.redis_client import RedisClient, key_of


class RedisChoices:
    """The turn of each thread whose buttons stand there."""

    def __init__(self, url: str, time_to_live: timedelta) -> None:
        self._client = RedisClient(url, TurnStoreError, "the record of open choices")
        self._time_to_live = time_to_live

    def put(self, thread: Thread, turn: str) -> None:
        """``turn`` is the one whose buttons stand in ``thread``."""
        self._client.set(_key(thread), turn, self._time_to_live)

    def of(self, thread: Thread) -> str:
        """The trace id of that turn; empty where there is none."""
        return (self._client.get(_key(thread)) or b"").decode()

    def forget(self, thread: Thread) -> None:
        """No buttons stand there any more."""
        self._client.delete(_key(thread))

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()


def _key(thread: Thread) -> str:
    return key_of("choices", thread.name)
