"""The port to which question back of a thread still has its buttons."""

from typing import Protocol

from bot.messages import Thread


class OpenChoices(Protocol):
    """One turn for each thread, for as long as turns are kept; raises TurnStoreError."""

    def put(self, thread: Thread, turn: str) -> None:
        """``turn`` is the one whose buttons stand in ``thread``."""
        ...

    def of(self, thread: Thread) -> str:
        """The trace id of that turn; empty where there is none."""
        ...

    def forget(self, thread: Thread) -> None:
        """No buttons stand there any more."""
        ...
