"""A chat that several processes write to: its messages lie in the test's own Valkey server."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import redis

from bot.errors import PlatformError
from bot.messages import Thread
from bot.turn_store import TurnRecord, TurnStage, TurnStore

_POSTED = "board:posted"
_WHISPERS = "board:whispers"


@dataclass(frozen=True)
class Post:
    """A message on the board."""

    id: str
    thread: str
    key: str
    text: str


class Board:
    """What people would see."""

    def __init__(self, url: str) -> None:
        self._redis: Any = redis.Redis.from_url(url)

    def post(self, thread: Thread, key: str, text: str) -> str:
        """A new message; the platform takes whatever it is given, also twice."""
        name = str(self._redis.incr("board:count"))
        self._redis.rpush(_POSTED, json.dumps([name, thread.name, key, text]))
        return name

    def found(self, thread: Thread, key: str) -> str | None:
        """The message that was posted with ``key``."""
        mine = [p.id for p in self.posts() if (p.thread, p.key) == (thread.name, key)]
        return mine[0] if mine else None

    def whisper(self, thread: Thread, user: str, text: str) -> None:
        self._redis.rpush(_WHISPERS, json.dumps([thread.name, user, text]))

    def posts(self) -> list[Post]:
        return [Post(*json.loads(each)) for each in self._redis.lrange(_POSTED, 0, -1)]

    def answers(self) -> list[Post]:
        """The messages that are no progress."""
        return [post for post in self.posts() if not post.key.endswith("-progress")]

    def whispers(self) -> list[list[str]]:
        return [json.loads(each) for each in self._redis.lrange(_WHISPERS, 0, -1)]

    def close(self) -> None:
        self._redis.close()


class BoardPosting:
    """Posting onto a board: marked before and after, looked up where that is unsure."""

    def __init__(
        self, board: Board, turns: TurnStore, reach: Callable[[str], None] = lambda stage: None
    ) -> None:
        """``reach`` is told of each stage that is reached, and may raise or never return."""
        self.board = board
        self.notes: list[str] = []
        self.down = False
        self._turns = turns
        self._reach = reach

    def begin(self, record: TurnRecord) -> TurnRecord:
        if record.progress or not record.message.thread.root:
            return record
        record, name = self._once(record, f"{record.trace_id}-progress", "working on it")
        record = replace(record, progress=name)
        self._turns.save(record)
        return record

    @contextmanager
    def showing(self, record: TurnRecord) -> Iterator[Callable[[str], None]]:
        yield self.notes.append

    def deliver(self, record: TurnRecord) -> TurnRecord:
        assert record.reply is not None
        record, _ = self._once(record, f"{record.trace_id}-0", record.reply.markdown)
        record = replace(record, stage=TurnStage.DONE)
        self._turns.save(record)
        self._reach("done")
        return record

    def whisper(self, thread: Thread, user: str, markdown: str) -> None:
        self.board.whisper(thread, user, markdown)

    def _once(self, record: TurnRecord, key: str, text: str) -> tuple[TurnRecord, str]:
        kind = "progress" if key.endswith("-progress") else "answer"
        if self.down:
            raise PlatformError("the board is away")
        begun = dict(record.posted)
        if begun.get(key):
            return record, begun[key]
        thread = record.message.thread
        name = self.board.found(thread, key) if key in begun else None
        if name is None:
            record = self._marked(record, key, "")
            self._reach(f"{kind} to be posted")
            name = self.board.post(thread, key, text)
            self._reach(f"{kind} posted")
        return self._marked(record, key, name), name

    def _marked(self, record: TurnRecord, key: str, name: str) -> TurnRecord:
        posted = {**dict(record.posted), key: name}
        record = replace(record, posted=tuple(posted.items()))
        self._turns.save(record)
        return record
