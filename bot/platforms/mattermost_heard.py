"""Which posts of Mattermost were heard, over Redis: so that a gap is known, also after a restart.

Up to some moment all is heard; of what came about then and later, each post is remembered.
"""

from datetime import timedelta

from bot.errors import TurnStoreError
from bot.redis_client import RedisClient, key_of, milliseconds

_LIVES = timedelta(days=30)
# Posts of one moment may come to light one after the other, by several machines of a server.
_OVERLAP = timedelta(seconds=10)
_NOTE = """redis.call('zadd', KEYS[1], ARGV[2], ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[3])
return 1"""
_COMPLETE = """local known = redis.call('get', KEYS[1])
if known and tonumber(known) > tonumber(ARGV[1]) then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[3])
redis.call('zremrangebyscore', KEYS[2], '-inf', ARGV[1] - ARGV[2])
return 1"""
_HAS = "return redis.call('zscore', KEYS[1], ARGV[1]) and 1 or 0"


class RedisHeard:
    """Shared by all processes that listen for one bot; every method raises TurnStoreError."""

    def __init__(self, url: str, server: str) -> None:
        """``server``: the address of the Mattermost server."""
        self._client = RedisClient(url, TurnStoreError, "the record of what was heard")
        self._until = key_of("mattermost-heard-until", server)
        self._posts = key_of("mattermost-heard", server)

    def since(self) -> int | None:
        """From when on there may be posts that were not heard; None where nothing ever was.

        All moments are milliseconds since 1970, by Mattermost's clock.
        """
        data = self._client.get(self._until)
        return None if data is None else int(data) - milliseconds(_OVERLAP)

    def has(self, post: str) -> bool:
        """Whether the post of this id was heard; only for posts after :meth:`since`."""
        return self._client.run(_HAS, [self._posts], [post])

    def note(self, post: str, created: int) -> None:
        """A post was heard, and is stored if it is for us."""
        self._client.run(_NOTE, [self._posts], [post, created, milliseconds(_LIVES)])

    def begin(self, now: int) -> None:
        """What was written up to ``now`` is no matter of ours."""
        self.complete(now + milliseconds(_OVERLAP))

    def complete(self, until: int) -> None:
        """All posts of before ``until`` were heard."""
        values = [until, milliseconds(_OVERLAP), milliseconds(_LIVES)]
        self._client.run(_COMPLETE, [self._until, self._posts], values)

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()
