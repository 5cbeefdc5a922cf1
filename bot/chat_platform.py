"""The port to a chat platform."""

from collections.abc import Callable
from typing import Protocol

from bot.messages import IncomingMessage, Reply, Thread

Receive = Callable[[IncomingMessage], None]


class ChatPlatform(Protocol):
    """Hands messages in and carries replies out.

    ``send`` and ``show_working`` are called from any thread, for several conversations at a time.
    """

    def listen(self, receive: Receive) -> None:
        """Call ``receive`` for each message until :meth:`close`; it returns at once.

        Raises PlatformError where the platform cannot be reached.
        """
        ...

    def send(self, reply: Reply) -> None:
        """Post ``reply`` to its thread; raises PlatformError."""
        ...

    def show_working(self, thread: Thread, note: str) -> None:
        """Show that an answer is on its way, and what is being done for it; never raises."""
        ...

    def close(self) -> None:
        """Stop listening; harmless where it never began or has ended."""
        ...
