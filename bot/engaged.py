"""The port to the record of threads that we take part in, where people need not mention us."""

from typing import Protocol

from bot.messages import Thread


class EngagedThreads(Protocol):
    """Remembers threads for as long as sessions live; raises TurnStoreError.

    What takes messages in adds to it, and the gateway, which no way to reply can pass by.
    """

    def add(self, thread: Thread) -> None:
        """Say that we were asked in ``thread``, or posted there."""
        ...

    def holds(self, thread: Thread) -> bool:
        """Whether we take part in ``thread``."""
        ...

    def remove(self, thread: Thread) -> None:
        """Leave ``thread``; harmless where we took no part."""
        ...
