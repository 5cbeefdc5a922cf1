"""Throttle over Redis: one key for each name, by the server's own clock."""

from datetime import timedelta

from bot.errors import PlatformError
from bot.outbound.throttle import Pace
from bot.redis_client import RedisClient, key_of

# The key holds the moment from which a turn would go without any burst; a turn may be earlier by
# what the burst allows. All times are in milliseconds.
_NOW = """local now = redis.call('time')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local slack = (ARGV[2] - 1) * ARGV[1]
local free = math.max(tonumber(redis.call('get', KEYS[1]) or 0), now)
"""
_TAKE = f"""{_NOW}local wait = math.max(free - slack - now, 0)
if wait > tonumber(ARGV[3]) then return -1 end
free = math.max(free, now + wait) + ARGV[1]
redis.call('set', KEYS[1], free, 'px', math.ceil(free - now))
return math.ceil(wait)"""
_HOLD = f"""{_NOW}free = math.max(free, now + ARGV[3] + slack)
redis.call('set', KEYS[1], free, 'px', math.ceil(free - now) + 1)
return 1"""


class RedisThrottle:
    """Turns that every process on the server takes from the same row."""

    def __init__(self, url: str) -> None:
        self._client = RedisClient(url, PlatformError, "what paces posts")

    def take(self, name: str, pace: Pace, patience: float) -> float | None:
        """Take a turn; the seconds to wait, None where more than ``patience``."""
        wait = int(self._client.ask(_TAKE, [_key(name)], _values(pace, patience)))
        return None if wait < 0 else wait / 1000

    def hold(self, name: str, pace: Pace, seconds: float) -> None:
        """Let no turn be used within ``seconds``."""
        self._client.ask(_HOLD, [_key(name)], _values(pace, seconds))

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()


def _values(pace: Pace, seconds: float) -> list[int]:
    every = max(1, round(timedelta(seconds=pace.seconds) / timedelta(milliseconds=1)))
    return [every, pace.burst, round(seconds * 1000)]


def _key(name: str) -> str:
    return key_of("pace", name)
