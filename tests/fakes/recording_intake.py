"""Keeps what a platform hands in; can be broken, as a store that does not answer."""

import threading
from collections.abc import Callable

from bot.errors import TurnStoreError
from bot.messages import Incoming


class RecordingIntake:
    """What ``receive`` is to a platform."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.taken: list[Incoming] = []
        self._changed = threading.Condition()

    def receive(self, incoming: Incoming) -> None:
        """Keep ``incoming``; raises TurnStoreError where broken."""
        if self.broken:
            raise TurnStoreError("the store does not answer")
        with self._changed:
            self.taken.append(incoming)
            self._changed.notify_all()

    def wait_until(
        self, enough: Callable[[list[Incoming]], bool], seconds: float = 20
    ) -> list[Incoming]:
        """What was taken, once it is ``enough``."""
        with self._changed:
            assert self._changed.wait_for(lambda: enough(self.taken), seconds), self.taken
            return list(self.taken)

    def wait_for(self, count: int, seconds: float = 20) -> list[Incoming]:
        """What was taken, once there are ``count``."""
        return self.wait_until(lambda taken: len(taken) >= count, seconds)
