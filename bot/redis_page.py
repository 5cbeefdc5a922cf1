"""PagePosts over Redis: a hash for each thread, and a sorted set of each person's threads."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from bot.errors import TurnStoreError
from bot.messages import Thread
from bot.page_posts import Body, Listed, PageThread, Post
from bot.redis_client import RedisClient, key_of, milliseconds

_POST, _MARK = "post:", "mark:"
_ADD = """if redis.call('hexists', KEYS[1], ARGV[1]) == 1 then return 0 end
local order = redis.call('hincrby', KEYS[1], 'version', 1)
redis.call('hset', KEYS[1], ARGV[1], order .. ' ' .. ARGV[2])
redis.call('hsetnx', KEYS[1], 'title', ARGV[3])
redis.call('pexpire', KEYS[1], ARGV[4])
local time = redis.call('time')
redis.call('zadd', KEYS[2], time[1] * 1000000 + time[2], ARGV[5])
redis.call('pexpire', KEYS[2], ARGV[4])
local over = redis.call('zcard', KEYS[2]) - ARGV[6]
if over > 0 then
  for _, root in ipairs(redis.call('zpopmin', KEYS[2], over)) do
    redis.call('del', ARGV[7] .. root)
  end
end
return 1"""
_REPLACE = """local post = redis.call('hget', KEYS[1], ARGV[1])
if not post then return 0 end
redis.call('hset', KEYS[1], ARGV[1], string.match(post, '^%d+ ') .. ARGV[2])
redis.call('hincrby', KEYS[1], 'version', 1)
return 1"""
_MARKED = """if redis.call('exists', KEYS[1]) == 0 then return 0 end
if ARGV[3] == '1' and redis.call('hexists', KEYS[1], ARGV[1]) == 1 then return 0 end
redis.call('hset', KEYS[1], ARGV[1], ARGV[2])
redis.call('hincrby', KEYS[1], 'version', 1)
return 1"""
_READ = "return redis.call('hgetall', KEYS[1])"
_THREADS = """local found = {}
local known = redis.call('zrevrange', KEYS[1], 0, -1, 'withscores')
for i = 1, #known, 2 do
  local title = redis.call('hget', ARGV[1] .. known[i], 'title')
  if title then table.insert(found, {known[i], title, known[i + 1]}) end
end
return found"""


class RedisPage:
    """Threads below one key prefix, each with a time to live that a post begins anew."""

    def __init__(self, url: str, lives: timedelta, *, most_threads: int = 200) -> None:
        """``most_threads``: of one person; the least recently used is forgotten first."""
        self._client = RedisClient(url, TurnStoreError, "the store of the page")
        self._lives = lives
        self._most_threads = most_threads

    def add(self, thread: Thread, post_id: str, body: Body, title: str) -> bool:
        """Add a post unless one with that id stands there; whether it was added."""
        values: list[str | bytes | int] = [
            f"{_POST}{post_id}",
            _encoded(body),
            _utf8(title),
            milliseconds(self._lives),
            thread.root,
            self._most_threads,
            _prefix(thread.channel),
        ]
        return self._client.run(_ADD, [_key(thread), _threads_key(thread.channel)], values)

    def replace(self, thread: Thread, post_id: str, body: Body) -> bool:
        """Put ``body`` in place of a post's; False where there is no such post."""
        values: list[str | bytes | int] = [f"{_POST}{post_id}", _encoded(body)]
        return self._client.run(_REPLACE, [_key(thread)], values)

    def mark(self, thread: Thread, name: str, value: str, *, once: bool = False) -> bool:
        """Keep a mark; with ``once`` only where there is none of that name, else False."""
        values: list[str | bytes | int] = [f"{_MARK}{name}", _utf8(value), int(once)]
        return self._client.run(_MARKED, [_key(thread)], values)

    def read(self, thread: Thread) -> PageThread | None:
        """The thread; None where it is unknown, or forgotten."""
        flat = [bytes(each).decode() for each in self._client.ask(_READ, [_key(thread)], [])]
        fields = dict(zip(flat[::2], flat[1::2], strict=True))
        if not fields:
            return None
        posts = [
            _post(name.removeprefix(_POST), value)
            for name, value in fields.items()
            if name.startswith(_POST)
        ]
        marks = {n.removeprefix(_MARK): v for n, v in fields.items() if n.startswith(_MARK)}
        ordered = tuple(sorted(posts, key=lambda post: post.order))
        return PageThread(thread.root, fields["title"], int(fields["version"]), ordered, marks)

    def threads(self, channel: str) -> Sequence[Listed]:
        """The threads of a person, the one used last first."""
        found = self._client.ask(_THREADS, [_threads_key(channel)], [_prefix(channel)])
        return tuple(
            Listed(
                bytes(root).decode(),
                bytes(title).decode(),
                datetime.fromtimestamp(float(used) / 1_000_000, UTC),
            )
            for root, title, used in found
        )

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()


def _post(post_id: str, value: str) -> Post:
    order, _, body = value.partition(" ")
    return Post(post_id, int(order), json.loads(body))


def _encoded(body: Body) -> bytes:
    return _utf8(json.dumps(body, ensure_ascii=False))


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _prefix(channel: str) -> str:
    """What the key of each thread of ``channel`` begins with; no other channel's does."""
    return key_of("page", Thread("web", channel, "").name)


def _key(thread: Thread) -> str:
    return f"{_prefix(thread.channel)}{thread.root}"


def _threads_key(channel: str) -> str:
    return key_of("page-threads", Thread("web", channel, "").name)
