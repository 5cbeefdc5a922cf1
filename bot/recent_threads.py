"""The port to what a person asked lately: where they find their conversations again."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.messages import Thread


@dataclass(frozen=True, slots=True)
class RecentThread:
    """A conversation by its first question."""

    thread: Thread
    text: str
    at: datetime


class RecentThreads(Protocol):
    """Remembers the latest conversations of each person; raises TurnStoreError."""

    def note(self, author: str, recent: RecentThread) -> None:
        """``author`` began this conversation; told twice, it counts once."""
        ...

    def of(self, author: str) -> tuple[RecentThread, ...]:
        """The latest conversations of ``author``, the newest first."""
        ...
