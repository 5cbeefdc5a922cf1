"""Access that lets everybody do everything, wherever they are."""

from bot.access import Decision, Entry, Granted, Right
from bot.guard import Guard
from retrieval.data_scope import WHOLE


class OpenAccess:
    """Grants all."""

    def decide(self, entry: Entry) -> Decision:
        return Granted(WHOLE, frozenset(Right), ("everybody",))


def open_guard() -> Guard:
    """A guard that stops nobody and writes nothing down."""
    return Guard(OpenAccess())
