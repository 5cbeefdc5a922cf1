"""Lease over Redis: every script first looks whether the lane still carries its token."""

import logging
from datetime import timedelta
from typing import Any

from bot.errors import LeaseLost, TurnStoreError
from bot.intake.inbox import Item, Taken
from bot.redis_client import RedisClient, key_named, key_of, milliseconds
from bot.stored_forms import CLICKS, TURNS
from bot.turn_store import TurnRecord

log = logging.getLogger(__name__)

LANES = key_of("lanes", "due")
"""Every lane with work, by when somebody should look at it: as a rule when its lease ends."""
_TRIES = key_of("lanes", "tries")
_BEGUN = key_of("lanes", "begun")

_MINE = """local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function mine() return redis.call('get', KEYS[1]) == ARGV[1] end
"""
_NEXT = (
    _MINE
    + """if not mine() then return false end
local name = redis.call('get', KEYS[4])
if not name or not redis.call('zscore', KEYS[2], name) then
  name = redis.call('zrange', KEYS[2], 0, 0)[1]
  if not name then
    redis.call('del', KEYS[1], KEYS[4])
    redis.call('zrem', KEYS[3], ARGV[2])
    return {}
  end
  redis.call('set', KEYS[4], name)
end
local tries = redis.call('hincrby', KEYS[5], name, 1)
redis.call('hsetnx', KEYS[6], name, now)
local begun = now - redis.call('hget', KEYS[6], name)
return {name, tries, begun, redis.call('get', ARGV[3] .. name)}"""
)
_SAVE = (
    _MINE
    + """if not mine() then return 0 end
redis.call('set', KEYS[2], ARGV[2], 'px', ARGV[3])
redis.call('pexpire', KEYS[1], ARGV[4])
redis.call('zadd', KEYS[3], now + ARGV[4], ARGV[5])
return 1"""
)
_FINISH = (
    _MINE
    + """if not mine() then return 0 end
redis.call('zrem', KEYS[2], ARGV[2])
redis.call('del', KEYS[4])
redis.call('hdel', KEYS[5], ARGV[2])
redis.call('hdel', KEYS[6], ARGV[2])
if ARGV[3] ~= '' then redis.call('set', KEYS[7], ARGV[3], 'px', ARGV[4])
else redis.call('del', KEYS[7]) end
return 1"""
)
_RENEW = (
    _MINE
    + """if not mine() then return 0 end
redis.call('pexpire', KEYS[1], ARGV[2])
redis.call('zadd', KEYS[2], now + ARGV[2], ARGV[3])
return 1"""
)
_LEAVE = (
    _MINE
    + """if not mine() then return 0 end
redis.call('del', KEYS[1])
redis.call('zadd', KEYS[2], now + ARGV[2], ARGV[3])
if ARGV[4] ~= '' then redis.call('hincrby', KEYS[3], ARGV[4], -1) end
return 1"""
)


class RedisLease:
    """The right to work on one lane, as long as ``token`` stands in its key."""

    def __init__(
        self,
        client: RedisClient,
        lane: str,
        token: str,
        lasts: timedelta,
        time_to_live: timedelta,
    ) -> None:
        self.lane = lane
        self._client = client
        self._token = token
        self._lasts = milliseconds(lasts)
        self._time_to_live = milliseconds(time_to_live)

    def next(self) -> Taken | None:
        """The item to work on; None where there is none, and the lease has ended with that."""
        found: Any = self._client.ask(_NEXT, self._keys(), [self._token, self.lane, key_named("")])
        if found is None:
            raise self._lost()
        if not found:
            return None
        name, tries, begun, data = found
        name = bytes(name).decode()
        item = None if data is None else read_item(name, bytes(data))
        return Taken(name, int(tries), int(begun) / 1000, item)

    def save(self, record: TurnRecord) -> None:
        """Keep ``record`` in place of what was kept of its turn; the lease begins anew."""
        keys = [lease_key(self.lane), key_of("turn", record.trace_id), LANES]
        data = TURNS.encode(record)
        values: list[str | bytes | int] = [self._token, data, self._time_to_live, self._lasts]
        self._require(self._client.run(_SAVE, keys, [*values, self.lane]))

    def finish(self, taken: Taken, record: TurnRecord | None = None) -> None:
        """Take an item off the lane, and keep ``record`` of it, in one step."""
        data = b"" if record is None else TURNS.encode(record)
        values: list[str | bytes | int] = [self._token, taken.name, data, self._time_to_live]
        self._require(self._client.run(_FINISH, [*self._keys(), key_named(taken.name)], values))

    def renew(self) -> None:
        """Hold on to the lane."""
        keys = [lease_key(self.lane), LANES]
        self._require(self._client.run(_RENEW, keys, [self._token, self._lasts, self.lane]))

    def leave(self, seconds: float = 0.0, taken: Taken | None = None) -> None:
        """Give the lane up, with what waits in it, to be taken again in ``seconds``."""
        keys = [lease_key(self.lane), LANES, _TRIES]
        name = "" if taken is None else taken.name
        self._client.run(_LEAVE, keys, [self._token, int(seconds * 1000), self.lane, name])

    def _keys(self) -> list[str]:
        lane = self.lane
        return [lease_key(lane), items_key(lane), LANES, current_key(lane), _TRIES, _BEGUN]

    def _require(self, kept: bool) -> None:
        if not kept:
            raise self._lost()

    def _lost(self) -> LeaseLost:
        return LeaseLost(f"the lane {self.lane} was taken over")


def lease_key(lane: str) -> str:
    """The key of a lane's lease."""
    return key_of("lease", lane)


def items_key(lane: str) -> str:
    """The key of what waits in a lane."""
    return key_of("lane", lane)


def current_key(lane: str) -> str:
    """The key of the item of a lane that was begun."""
    return key_of("current", lane)


def read_item(name: str, data: bytes) -> Item | None:
    """What is kept under ``name``; None where this program cannot read it."""
    try:
        return CLICKS.decode(data) if name.startswith("click:") else TURNS.decode(data)
    except TurnStoreError:
        log.exception("an item of the inbox cannot be read", extra={"action": "item_unreadable"})
        return None
