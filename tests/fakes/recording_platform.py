"""What a platform hands in."""

from datetime import UTC, datetime

from bot.messages import IncomingMessage, Thread

NOW = datetime(2022, 6, 15, 10, 0, tzinfo=UTC)


def a_thread(root: str = "1", platform: str = "command") -> Thread:
    """A thread by its root."""
    return Thread(platform, "channel", root)


def a_message(
    text: str, thread: Thread | None = None, *, addressed: bool = True
) -> IncomingMessage:
    """A message as a platform would hand it in."""
    return IncomingMessage(thread or a_thread(), "m1", "ada", text, NOW, addressed)
