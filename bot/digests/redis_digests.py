"""DigestStore over Redis: a hash of digests, a sorted set of due times, a hash of last runs."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.digests.digest import Digest
from bot.digests.digest_store import Draft, LastRun, LimitReached, Limits
from bot.errors import DigestStoreError
from bot.messages import Thread
from bot.redis_client import RedisClient, key_of, milliseconds
from bot.versioned_json import VersionedJson

_KEPT, _DUE, _RUNS = (key_of("digests", name) for name in ("kept", "due", "runs"))
_NUMBER = key_of("digests", "number")
_REMEMBERED = timedelta(days=2)
"""For how long a turn that created a digest is known: longer than it may be taken up again."""
_DRAFT_LIVES = timedelta(hours=1)

_DIGESTS = VersionedJson(Digest, "digest", 1, what="a digest", error=DigestStoreError)
_LAST = VersionedJson(LastRun, "run", 1, what="the last run of a digest", error=DigestStoreError)
_DRAFTS = VersionedJson(Draft, "draft", 1, what="a digest in the making", error=DigestStoreError)

_ADD = """local known = redis.call('get', KEYS[1])
if known and redis.call('hexists', KEYS[2], known) == 1 then return known end
if redis.call('scard', KEYS[5]) >= tonumber(ARGV[3]) then return 'owner' end
if redis.call('hlen', KEYS[2]) >= tonumber(ARGV[4]) then return 'all' end
local id = 'd' .. redis.call('incr', KEYS[4])
redis.call('hset', KEYS[2], id, ARGV[1])
redis.call('zadd', KEYS[3], ARGV[2], id)
redis.call('sadd', KEYS[5], id)
redis.call('set', KEYS[1], id, 'px', ARGV[5])
return id"""
_GET = "return redis.call('hget', KEYS[1], ARGV[1])"
_ALL = "return redis.call('hgetall', KEYS[1])"
_REPLACE = """if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('hset', KEYS[1], ARGV[1], ARGV[2])
if ARGV[3] == '' then redis.call('zrem', KEYS[2], ARGV[1])
else redis.call('zadd', KEYS[2], ARGV[3], ARGV[1]) end
return 1"""
_REMOVE = """redis.call('zrem', KEYS[2], ARGV[1])
redis.call('hdel', KEYS[3], ARGV[1])
redis.call('srem', KEYS[4], ARGV[1])
return redis.call('hdel', KEYS[1], ARGV[1])"""
_TIMES = "return redis.call('zrange', KEYS[1], 0, -1, 'withscores')"
_MOVE_ON = """local due = redis.call('zscore', KEYS[1], ARGV[1])
if not due or tonumber(due) ~= tonumber(ARGV[2]) then return 0 end
redis.call('zadd', KEYS[1], ARGV[3], ARGV[1])
return 1"""
_SAVE_RUN = """if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('hset', KEYS[2], ARGV[1], ARGV[2])
return 1"""


class RedisDigests:
    """Digests as JSON, each under its id."""

    def __init__(self, url: str) -> None:
        self._client = RedisClient(url, DigestStoreError, "the store of digests")

    def add(self, digest: Digest, due: datetime, limits: Limits) -> Digest | LimitReached:
        """Keep a new digest; which one it is, is told by the turn that created it."""
        made = key_of("digest-made", digest.made_by)
        values = (
            _DIGESTS.encode(replace(digest, id="")),
            _seconds(due),
            limits.of_one_owner,
            limits.in_all,
            milliseconds(_REMEMBERED),
        )
        keys = (made, _KEPT, _DUE, _NUMBER, _of_owner(digest))
        name = bytes(self._client.ask(_ADD, keys, values)).decode()
        if name in ("owner", "all"):
            return LimitReached(of_one_owner=name == "owner")
        return self.get(name) or replace(digest, id=name)

    def get(self, digest_id: str) -> Digest | None:
        """A digest by its id."""
        data = self._client.ask(_GET, (_KEPT,), (digest_id,))
        return None if data is None else replace(_DIGESTS.decode(data), id=digest_id)

    def all(self) -> tuple[Digest, ...]:
        """Every digest, by number."""
        kept = _pairs(self._client.ask(_ALL, (_KEPT,), ()))
        found = [replace(_DIGESTS.decode(data), id=name) for name, data in kept.items()]
        return tuple(sorted(found, key=lambda digest: int(digest.id.removeprefix("d"))))

    def replace(self, digest: Digest, due: datetime | None) -> bool:
        """Keep ``digest``, due then or not at all."""
        data = _DIGESTS.encode(replace(digest, id=""))
        values = (digest.id, data, "" if due is None else _seconds(due))
        return self._client.run(_REPLACE, (_KEPT, _DUE), values)

    def remove(self, digest_id: str) -> bool:
        """Forget a digest, when it is due and what it said."""
        digest = self.get(digest_id)
        if digest is None:
            return False
        keys = (_KEPT, _DUE, _RUNS, _of_owner(digest))
        return self._client.run(_REMOVE, keys, (digest_id,))

    def due_times(self) -> Mapping[str, datetime]:
        """When each digest is due next, the earliest first."""
        times = _pairs(self._client.ask(_TIMES, (_DUE,), ()))
        return {name: datetime.fromtimestamp(float(at), UTC) for name, at in times.items()}

    def move_on(self, digest_id: str, handled: datetime, following: datetime) -> bool:
        """Have a digest due at ``following`` where it was due at ``handled``."""
        values = (digest_id, _seconds(handled), _seconds(following))
        return self._client.run(_MOVE_ON, (_DUE,), values)

    def last_run(self, digest_id: str) -> LastRun | None:
        """How far a digest has come."""
        data = self._client.ask(_GET, (_RUNS,), (digest_id,))
        return None if data is None else _LAST.decode(data)

    def save_run(self, digest_id: str, run: LastRun) -> None:
        """Keep how far a digest has come, where it is still there."""
        self._client.run(_SAVE_RUN, (_KEPT, _RUNS), (digest_id, _LAST.encode(run)))

    def save_draft(self, thread: Thread, author: str, draft: Draft | None) -> None:
        """Keep what waits for a choice; nothing is kept as an empty text."""
        data = b"" if draft is None else _DRAFTS.encode(draft)
        self._client.set(_draft(thread, author), data, _DRAFT_LIVES)

    def draft(self, thread: Thread, author: str) -> Draft | None:
        """What waits for a choice of ``author`` in ``thread``."""
        data = self._client.get(_draft(thread, author))
        return _DRAFTS.decode(data) if data else None

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()


def _of_owner(digest: Digest) -> str:
    return key_of("digests-of", Thread(digest.place.platform, digest.owner, "").name)


def _draft(thread: Thread, author: str) -> str:
    return key_of("digest-draft", f"{thread.name}:{Thread('', author, '').name}")


def _seconds(moment: datetime) -> str:
    return str(int(moment.timestamp()))


def _pairs(flat: Any) -> dict[str, bytes]:
    return {bytes(name).decode(): value for name, value in zip(flat[::2], flat[1::2], strict=True)}
