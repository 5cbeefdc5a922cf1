"""ChatPlatform that keeps what it is given, and lets a test speak."""

import threading
from datetime import UTC, datetime

from bot.chat_platform import Receive
from bot.errors import PlatformError
from bot.messages import IncomingMessage, Reply, Thread

NOW = datetime(2022, 6, 15, 10, 0, tzinfo=UTC)


def a_thread(root: str = "1", platform: str = "command") -> Thread:
    """A thread by its root."""
    return Thread(platform, "channel", root)


def a_message(
    text: str, thread: Thread | None = None, *, addressed: bool = True
) -> IncomingMessage:
    """A message as a platform would hand it in."""
    return IncomingMessage(thread or a_thread(), "m1", "ada", text, NOW, addressed)


class RecordingPlatform:
    """ChatPlatform in memory; ``broken`` makes every reply fail."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.replies: list[Reply] = []
        self.notes: list[tuple[Thread, str]] = []
        self._receive: Receive | None = None
        self._changed = threading.Condition()

    def say(self, text: str, thread: Thread | None = None) -> None:
        """Hand a message in, as long as somebody listens."""
        if self._receive is not None:
            self._receive(a_message(text, thread))

    def wait_for_replies(self, count: int, seconds: float = 10) -> list[Reply]:
        """The replies, once there are ``count``."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.replies) >= count, seconds)
            return list(self.replies)

    def wait_for_note(self, note: str, seconds: float = 10) -> None:
        """Return once ``note`` was shown."""
        with self._changed:
            assert self._changed.wait_for(lambda: note in [n for _, n in self.notes], seconds)

    def listen(self, receive: Receive) -> None:
        """Remember whom to tell."""
        self._receive = receive

    def send(self, reply: Reply) -> None:
        """Keep ``reply``; raises PlatformError where broken."""
        if self.broken:
            raise PlatformError("the line is dead")
        with self._changed:
            self.replies.append(reply)
            self._changed.notify_all()

    def show_working(self, thread: Thread, note: str) -> None:
        """Keep ``note``."""
        with self._changed:
            self.notes.append((thread, note))
            self._changed.notify_all()

    def close(self) -> None:
        """Tell nobody any more."""
        self._receive = None
