"""Inbox over Redis: a sorted set for each lane, and one of the lanes by when to look at them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import uuid4

from bot.errors import TurnStoreError
from bot.intake.inbox import Added, Admission, Depth, Item
from bot.messages import Click, Incoming
from bot.redis_client import RedisClient, key_named, key_of, milliseconds
from bot.redis_lease import LANES, RedisLease, current_key, items_key, lease_key, read_item
from bot.stored_forms import CLICKS, TURNS
from bot.turn_store import TurnRecord

_NOW = """local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
"""
_ADD = (
    _NOW
    + """local ahead = redis.call('zcard', KEYS[3])
if redis.call('exists', KEYS[1]) == 1 then return {'known', ahead} end
if ahead >= tonumber(ARGV[7]) then return {'full', ahead} end
redis.call('set', KEYS[1], '1', 'px', ARGV[3])
redis.call('set', KEYS[2], ARGV[2], 'px', ARGV[4])
local order = tonumber(ARGV[5])
local last = redis.call('hmget', KEYS[5], 'sent', 'order')
if last[1] == ARGV[5] then order = last[2] + 1 end
while redis.call('zcount', KEYS[3], order, order) > 0 do order = order + 1 end
redis.call('hset', KEYS[5], 'sent', ARGV[5], 'order', string.format('%.0f', order))
redis.call('zadd', KEYS[3], string.format('%.0f', order), ARGV[1])
redis.call('zadd', KEYS[4], 'nx', now + ARGV[8], ARGV[6])
return {'added', ahead}"""
)
_TAKE = (
    _NOW
    + """local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
if redis.call('zcard', KEYS[2]) == 0 then
  redis.call('zrem', KEYS[3], ARGV[3])
  return 0
end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
redis.call('zadd', KEYS[3], now + ARGV[2], ARGV[3])
return 1"""
)
_DUE = (
    _NOW
    + """local lanes = redis.call('zrangebyscore', KEYS[1], '-inf', now, 'limit', 0, 100)
for _, lane in ipairs(lanes) do redis.call('zadd', KEYS[1], now + ARGV[1], lane) end
return lanes"""
)
_LANES = "return redis.call('zrange', KEYS[1], 0, -1)"
_DEPTH = (
    _NOW
    + """local overdue = redis.call('zcount', KEYS[1], '-inf', now - ARGV[1])
return {redis.call('zcard', KEYS[1]), overdue}"""
)
_WAITING = """local names = redis.call('zrange', KEYS[1], 0, -1)
local current = redis.call('get', KEYS[2])
local found = {}
for _, name in ipairs(names) do
  local data = redis.call('get', ARGV[1] .. name)
  if data then table.insert(found, name == current and 1 or #found + 1, {name, data}) end
end
return found"""
_LAST = key_of("lanes", "last")
"""Of what came last: when it was sent, and the place in its lane that it was given."""
_EPOCH = datetime.fromtimestamp(0, UTC)
_MICROSECOND = timedelta(microseconds=1)


class RedisInbox:
    """What waits, below one key prefix; nothing of it is forgotten before it is done."""

    def __init__(
        self,
        url: str,
        time_to_live: timedelta,
        *,
        remembers: timedelta = timedelta(hours=24),
        lease: timedelta = timedelta(seconds=15),
        again: timedelta = timedelta(seconds=5),
        most_in_lane: int = 50,
    ) -> None:
        """``remembers``: how long what was handed in is known again; ``time_to_live``: of turns.

        A lane that nobody took is due again after ``again``.
        """
        self._client = RedisClient(url, TurnStoreError, "the inbox")
        self._time_to_live = time_to_live
        self._remembers = remembers
        self._lease = lease
        self._again = again
        self._most_in_lane = most_in_lane

    def add(self, incoming: Incoming, lane: str) -> Added:
        """Keep ``incoming`` to be worked on; once this returns it is not lost."""
        name = _name_of(incoming)
        keys = [key_of("seen", name), key_named(name), items_key(lane), LANES, _LAST]
        values: list[str | bytes | int] = [
            name,
            _encoded(incoming),
            milliseconds(self._remembers),
            milliseconds(self._time_to_live),
            _order_of(incoming),
            lane,
            self._most_in_lane,
            milliseconds(self._again),
        ]
        admission, ahead = self._client.ask(_ADD, keys, values)
        return Added(Admission(bytes(admission).decode()), int(ahead))

    def has(self, incoming: Incoming) -> bool:
        """Whether it was handed in before."""
        return self._client.get(key_of("seen", _name_of(incoming))) is not None

    def remember(self, incoming: Incoming) -> None:
        """Know it from now on, though there is nothing left to do for it."""
        self._client.set(key_of("seen", _name_of(incoming)), "1", self._remembers)

    def take(self, lane: str) -> RedisLease | None:
        """The right to work on ``lane``; None where another worker has it, or nothing waits."""
        token = uuid4().hex
        keys = [lease_key(lane), items_key(lane), LANES]
        if not self._client.run(_TAKE, keys, [token, milliseconds(self._lease), lane]):
            return None
        return RedisLease(self._client, lane, token, self._lease, self._time_to_live)

    def waiting(self, lane: str) -> Sequence[Item]:
        """What lies in ``lane``, the item that is worked on first."""
        keys = [items_key(lane), current_key(lane)]
        found = self._client.ask(_WAITING, keys, [key_named("")])
        read = (read_item(bytes(name).decode(), bytes(data)) for name, data in found)
        return tuple(item for item in read if item is not None)

    def lanes(self) -> Sequence[str]:
        """Every lane with work."""
        return tuple(bytes(lane).decode() for lane in self._client.ask(_LANES, [LANES], []))

    def due(self) -> Sequence[str]:
        """Lanes with work that nobody is at; each is given to one caller, for a few seconds."""
        lanes = self._client.ask(_DUE, [LANES], [milliseconds(self._again)])
        return tuple(bytes(lane).decode() for lane in lanes)

    def depth(self) -> Depth:
        """How much there is to do."""
        lanes, overdue = self._client.ask(_DEPTH, [LANES], [milliseconds(self._again)])
        return Depth(int(lanes), int(overdue))

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()


def _name_of(incoming: Incoming) -> str:
    if isinstance(incoming, Click):
        whole = f"{incoming.thread.platform}\n{incoming.thread.channel}\n{incoming.click_id}"
        return f"click:{sha256(whole.encode('utf-8', 'replace')).hexdigest()[:32]}"
    return f"turn:{incoming.trace_id}"


def _encoded(incoming: Incoming) -> bytes:
    if isinstance(incoming, Click):
        return CLICKS.encode(incoming)
    return TURNS.encode(TurnRecord(incoming))


def _order_of(incoming: Incoming) -> int:
    """When it was sent, in µs: the order within a lane, in whichever order its items arrive.

    Nothing coarser: messages of one second may differ in their last digits only. Those of the
    same moment keep the order in which they came.
    """
    at: datetime = incoming.at if isinstance(incoming, Click) else incoming.sent_at
    return (at - _EPOCH) // _MICROSECOND
