"""Stops over Redis: one key for each turn that was stopped."""

from datetime import timedelta

from bot.errors import TurnStoreError
from bot.redis_client import RedisClient, key_of

_DAY = timedelta(days=1)
_ALL = "return redis.call('mget', unpack(KEYS))"


class RedisStops:
    """Which turns were stopped, below one key prefix."""

    def __init__(self, url: str) -> None:
        self._client = RedisClient(url, TurnStoreError, "the store of stopped turns")

    def stop(self, trace_id: str, by: str) -> None:
        """Have a turn stopped, wherever it is worked on."""
        self._client.set(_key(trace_id), by.encode("utf-8", "replace"), _DAY)

    def stopped(self, trace_ids: tuple[str, ...]) -> frozenset[str]:
        """Those of ``trace_ids`` that were stopped."""
        if not trace_ids:
            return frozenset()
        found = self._client.ask(_ALL, [_key(each) for each in trace_ids], [])
        return frozenset(t for t, by in zip(trace_ids, found, strict=True) if by is not None)

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()


def _key(trace_id: str) -> str:
    return key_of("stop", trace_id)
