"""The port to the record of threads that we take part in, where people need not mention us."""

from typing import Protocol

from bot.messages import Thread


class EngagedThreads(Protocol):
    """Remembers threads for as long as sessions live; raises TurnStoreError.

    The gateway alone adds to it, so that no way to reply can forget to.
    """

    def add(self, thread: Thread) -> None:
        """Say that we posted to ``thread``."""
        ...

    def holds(self, thread: Thread) -> bool:
        """Whether we did."""
        ...

    def remove(self, thread: Thread) -> None:
        """Leave ``thread``; harmless where we took no part."""
        ...
