"""RecentThreads over Redis: one list a person, which ends with the sessions."""

from datetime import datetime, timedelta

from pydantic import BaseModel, ValidationError

from bot.errors import TurnStoreError
from bot.messages import Thread
from bot.recent_threads import RecentThread
from bot.redis_client import RedisClient, key_of

_KEPT = 10
_LONGEST_TEXT = 150


class _Entry(BaseModel):
    platform: str
    channel: str
    root: str
    text: str
    at: datetime


class _Entries(BaseModel):
    entries: list[_Entry] = []


class RedisRecent:
    """The latest conversations as JSON; what two processes note at once, one may lose."""

    def __init__(self, url: str, lives: timedelta) -> None:
        self._client = RedisClient(url, TurnStoreError, "the store of recent conversations")
        self._lives = lives

    def note(self, author: str, recent: RecentThread) -> None:
        """Put it first; raises TurnStoreError."""
        thread = recent.thread
        entry = _Entry(
            platform=thread.platform,
            channel=thread.channel,
            root=thread.root,
            text=recent.text[:_LONGEST_TEXT],
            at=recent.at,
        )
        others = [each for each in self._entries(author) if _thread(each) != thread]
        kept = _Entries(entries=[entry, *others][:_KEPT])
        self._client.set(key_of("recent", author), kept.model_dump_json(), self._lives)

    def of(self, author: str) -> tuple[RecentThread, ...]:
        """The newest first; raises TurnStoreError."""
        return tuple(
            RecentThread(_thread(each), each.text, each.at) for each in self._entries(author)
        )

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()

    def _entries(self, author: str) -> list[_Entry]:
        data = self._client.get(key_of("recent", author))
        try:
            return _Entries.model_validate_json(data).entries if data else []
        except ValidationError:  # of another version: a list to find things again, no more
            return []


def _thread(entry: _Entry) -> Thread:
    return Thread(entry.platform, entry.channel, entry.root)
