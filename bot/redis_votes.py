"""Votes over Redis: one hash for each answer, with a time to live that a vote begins anew."""

from datetime import timedelta

from bot.buttons.voting import Vote
from bot.errors import TurnStoreError
from bot.redis_client import RedisClient, key_of, milliseconds
from bot.stored_forms import VOTES

_GET = "return redis.call('hget', KEYS[1], ARGV[1])"
_SET = """redis.call('hset', KEYS[1], ARGV[1], ARGV[2])
redis.call('pexpire', KEYS[1], ARGV[3])"""


class RedisVotes:
    """The last vote of each person on each answer."""

    def __init__(self, url: str, time_to_live: timedelta) -> None:
        self._client = RedisClient(url, TurnStoreError, "the store of votes")
        self._time_to_live = time_to_live

    def of(self, trace_id: str, user: str) -> Vote | None:
        """What ``user`` voted; None where they did not."""
        data = self._client.ask(_GET, [_key(trace_id)], [_utf8(user)])
        return None if data is None else VOTES.decode(bytes(data))

    def keep(self, vote: Vote) -> None:
        """Keep ``vote`` in place of what its user voted before."""
        lives = milliseconds(self._time_to_live)
        values: list[str | bytes | int] = [_utf8(vote.user), VOTES.encode(vote), lives]
        self._client.ask(_SET, [_key(vote.trace_id)], values)

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()


def _key(trace_id: str) -> str:
    return key_of("votes", trace_id)


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")
