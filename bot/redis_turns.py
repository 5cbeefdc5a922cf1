"""TurnStore over Redis: each turn as JSON, and who has what of it."""

from datetime import timedelta

from bot.errors import TurnStoreError
from bot.redis_client import RedisClient, key_of, milliseconds
from bot.stored_forms import TURNS
from bot.turn_store import TurnRecord

_CLAIM = """redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2])
return redis.call('get', KEYS[1])"""


class RedisTurns:
    """Turns below one key prefix, each with a time to live that a save begins anew."""

    def __init__(self, url: str, time_to_live: timedelta) -> None:
        self._client = RedisClient(url, TurnStoreError, "the store of turns")
        self._time_to_live = time_to_live

    def save(self, record: TurnRecord) -> None:
        """Keep ``record`` in place of what was kept of its turn."""
        self._client.set(key_of("turn", record.trace_id), TURNS.encode(record), self._time_to_live)

    def load(self, trace_id: str) -> TurnRecord | None:
        """A turn by its id; None where it is unknown, or forgotten."""
        data = self._client.get(key_of("turn", trace_id))
        return None if data is None else TURNS.decode(data)

    def claim(self, trace_id: str, what: str, by: str) -> str:
        """Who has ``what`` of a turn for ever: ``by`` where nobody had it before."""
        key = key_of("claim", f"{trace_id}:{what}")
        lives = milliseconds(self._time_to_live)
        return bytes(self._client.ask(_CLAIM, [key], [_utf8(by), lives])).decode()

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")
