"""EngagedThreads over Redis: one key for each thread, with a time to live."""

from datetime import timedelta

from bot.errors import TurnStoreError
from bot.messages import Thread
from bot.redis_client import RedisClient, key_of


class RedisEngaged:
    """Threads as keys; the time to live begins anew with each question and each post."""

    def __init__(self, url: str, time_to_live: timedelta) -> None:
        self._client = RedisClient(url, TurnStoreError, "the record of threads")
        self._time_to_live = time_to_live

    def add(self, thread: Thread) -> None:
        """Say that we were asked in ``thread``, or posted there."""
        self._client.set(_key(thread), "1", self._time_to_live)

    def holds(self, thread: Thread) -> bool:
        """Whether we take part in ``thread``."""
        return self._client.get(_key(thread)) is not None

    def remove(self, thread: Thread) -> None:
        """Leave ``thread``."""
        self._client.delete(_key(thread))

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()


def _key(thread: Thread) -> str:
    return key_of("engaged", thread.name)
