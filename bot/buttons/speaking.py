"""The port to the way out, as buttons need it."""

from typing import Protocol

from agent import Choice
from bot.messages import Reply, Thread
from bot.turn_store import TurnRecord


class Speaks(Protocol):
    """Carries out what a click leads to."""

    def say(self, thread: Thread, reply: Reply, key: str) -> tuple[str, ...]:
        """Post ``reply`` without buttons, once for each ``key``; the ids of its messages.

        Raises PlatformError.
        """
        ...

    def whisper(self, thread: Thread, user: str, markdown: str) -> None:
        """Tell ``user`` alone; never raises."""
        ...

    def settle(self, record: TurnRecord, note: str, by: str = "") -> None:
        """Take the choices of a delivered reply away and say ``note`` there; never raises.

        ``by``: of whom that is said, put before the note as the platform names people.
        """
        ...

    def ask_why(
        self, thread: Thread, user: str, text: str, reasons: tuple[Choice, ...], turn: str
    ) -> None:
        """Ask ``user`` alone why an answer did not help, as a menu of reasons; never raises."""
        ...
