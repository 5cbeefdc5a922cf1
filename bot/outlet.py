"""The port to the side of a platform that carries messages out, one request at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from agent import Choice
from bot.messages import Reply, ReplyFile, Thread


@dataclass(frozen=True, slots=True)
class Part:
    """One message, as one platform wants it; within that platform's limits."""

    text: str
    """All of it as plain words: what notifications show, and what goes out if the rest may not."""
    body: tuple[Mapping[str, object], ...] = ()
    """The platform's own form: blocks in Slack, attachments in Mattermost."""
    files: tuple[ReplyFile, ...] = ()
    instead: "tuple[Part, ...]" = ()
    """What goes out in its place where the platform refuses it, the first that is taken."""


class Outlet(Protocol):
    """Forms replies for a platform and posts them; it neither waits nor tries again.

    What sends raises RateLimited, PostRefused where the platform will never take it, and
    PlatformError where it may have been taken or not. Called from any thread.
    """

    def parts(self, reply: Reply, turn: str) -> tuple[Part, ...]:
        """``reply`` as messages in their order; buttons carry ``turn``, its trace id."""
        ...

    def progress(self, note: str, seconds: float, turn: str) -> Part:
        """What is shown while an answer is on its way, with a button that stops it."""
        ...

    def settled(self, part: Part, note: str, by: str = "") -> Part:
        """``part`` without choices to press and ``note`` below; itself where it has none.

        The person ``by`` is named before the note, where it is said of somebody.
        """
        ...

    def why(self, text: str, reasons: tuple[Choice, ...], turn: str) -> Part:
        """``text`` and a menu of reasons why the answer of ``turn`` did not help."""
        ...

    def post(self, thread: Thread, part: Part, key: str) -> str:
        """Post ``part`` or its file, marked with ``key``; the id of the message.

        A thread without a root takes it as the first message of a thread of its own.
        """
        ...

    def posted(self, thread: Thread, key: str) -> str | None:
        """The id of the message that was posted with ``key``, where the platform has one."""
        ...

    def edit(self, thread: Thread, message_id: str, part: Part) -> None:
        """Put ``part`` in place of what a message says; its files stay as they are."""
        ...

    def whisper(self, thread: Thread, user: str, part: Part) -> None:
        """Show ``part`` to one person alone."""
        ...
