"""The port to the way out, as the intake needs it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from bot.messages import Thread
from bot.turn_store import TurnRecord


class Posting(Protocol):
    """Carries out what is to be read, and keeps in the turn's record what it has posted."""

    def begin(self, record: TurnRecord) -> TurnRecord:
        """Show at once that an answer is on its way; the record, saved, with that message.

        Never raises PlatformError: an answer needs no progress message.
        """
        ...

    def showing(self, record: TurnRecord) -> AbstractContextManager[Callable[[str], None]]:
        """Keep the progress message up to date meanwhile, by the notes given."""
        ...

    def deliver(self, record: TurnRecord) -> TurnRecord:
        """Post the reply of ``record``, each part once; the record, saved, that is done.

        May be called again with whatever record was saved last. Raises PlatformError where the
        platform does not answer; nothing is lost by that.
        """
        ...

    def whisper(self, thread: Thread, user: str, markdown: str) -> None:
        """Tell ``user`` alone; never raises."""
        ...
