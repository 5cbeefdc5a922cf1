"""The port to what stands in the threads of the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.messages import Thread

Body = Mapping[str, object]
"""What JSON can say."""


class PostKind(StrEnum):
    """What a post is; its body holds it as ``kind``."""

    QUESTION = "question"
    """What a person wrote or chose."""
    REPLY = "reply"
    NOTE = "note"
    """What a person is told in passing."""
    PROGRESS = "progress"
    """What is being done for a question."""
    GONE = "gone"
    """Nothing any more."""


@dataclass(frozen=True, slots=True)
class Post:
    """One message of a thread."""

    id: str
    order: int
    """Grows from post to post."""
    body: Body

    @property
    def kind(self) -> str:
        """One of :class:`PostKind`."""
        return str(self.body.get("kind", ""))

    @property
    def turn(self) -> str:
        """The trace id of the turn that it belongs to; empty where it belongs to none."""
        return str(self.body.get("turn", ""))


@dataclass(frozen=True, slots=True)
class PageThread:
    """A thread as it stands now."""

    id: str
    title: str
    version: int
    """Grows with every change."""
    posts: tuple[Post, ...]
    """In their order."""
    marks: Mapping[str, str] = field(default_factory=dict)
    """What its person did with a reply: see :func:`choice_mark` and :func:`vote_mark`."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A thread as the list of threads has it."""

    id: str
    title: str
    used: datetime


class PagePosts(Protocol):
    """Keeps the threads of each person, whose name is the channel of their threads.

    Every method raises TurnStoreError.
    """

    def add(self, thread: Thread, post_id: str, body: Body, title: str) -> bool:
        """Add a post unless one with that id stands there; whether it was added.

        ``title``: the thread's, where it has none yet.
        """
        ...

    def replace(self, thread: Thread, post_id: str, body: Body) -> bool:
        """Put ``body`` in place of a post's; False where there is no such post."""
        ...

    def mark(self, thread: Thread, name: str, value: str, *, once: bool = False) -> bool:
        """Keep a mark; with ``once`` only where there is none of that name, else False."""
        ...

    def read(self, thread: Thread) -> PageThread | None:
        """The thread; None where it is unknown, or forgotten."""
        ...

    def threads(self, channel: str) -> Sequence[Listed]:
        """The threads of a person, the one used last first."""
        ...


def choice_mark(turn: str) -> str:
    """The name of the mark that holds the id of what was chosen of a turn's reply."""
    return f"choice:{turn}"


def vote_mark(turn: str) -> str:
    """The name of the mark that holds whether a turn's reply helped: "yes", or "no" and why."""
    return f"vote:{turn}"
