"""Messages as every platform has them: what a person wrote, and what the bot replies."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from agent import Choice


@dataclass(frozen=True, slots=True)
class Thread:
    """Where a conversation takes place."""

    platform: str
    channel: str
    root: str

    @property
    def name(self) -> str:
        """All three as one text, in which each can be told from the others."""
        return ":".join(
            quote(part, safe="", errors="replace")
            for part in (self.platform, self.channel, self.root)
        )


class Way(StrEnum):
    """How a text came to us."""

    MESSAGE = "message"
    COMMAND = "command"
    """A slash command: its text without the command's own name; read by the asker alone."""
    DIGEST = "digest"
    """The question of a digest that is due."""
    CHOICE = "choice"
    """The id of what somebody chose by a button; never read as anything else."""


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """Something a person wrote."""

    thread: Thread
    """Without a root where the reply is to begin a thread of its own in the channel."""
    message_id: str
    """Of no other message in the channel; the same whenever the platform sends it again."""
    author: str
    text: str
    sent_at: datetime
    """With a time zone: the moment that words such as "today" refer to."""
    addressed: bool
    """Whether it is a direct message or mentions the bot."""
    way: Way = Way.MESSAGE
    direct: bool = False
    """Whether nobody else reads along."""
    to_others: bool = False
    """Whether it begins by mentioning somebody else."""

    @property
    def trace_id(self) -> str:
        """The id of its turn: the same however often, and wherever, it is taken up."""
        name = f"{self.thread.platform}\n{self.thread.channel}\n{self.way}\n{self.message_id}"
        return sha256(name.encode("utf-8", "replace")).hexdigest()[:16]


class Act(StrEnum):
    """What a button does."""

    CHOOSE = "choose"
    STOP = "stop"
    QUERY = "query"
    WORK = "work"
    CSV = "csv"
    HELPFUL = "helpful"
    UNHELPFUL = "unhelpful"


@dataclass(frozen=True, slots=True)
class Click:
    """A button that a person pressed."""

    thread: Thread
    click_id: str
    """Of no other click; the same whenever the platform sends it again."""
    author: str
    act: Act
    turn: str
    """The trace id of the turn whose button it is."""
    at: datetime
    value: str = ""
    """The id of the choice, or the reason why an answer did not help."""


Incoming = IncomingMessage | Click


class Status(StrEnum):
    """How a turn ended."""

    COMPLETED = "completed"
    CLARIFICATION = "clarification"
    REJECTED = "rejected"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ReplyFile:
    """A file that goes with a reply; it stays on disk until a platform sends it."""

    name: str
    path: Path
    media_type: str
    title: str
    """What it holds, in words: the alternative text of a picture."""

    @property
    def is_picture(self) -> bool:
        """Whether people look at it rather than keep it."""
        return self.media_type in {"image/png", "image/jpeg", "image/webp"}


@dataclass(frozen=True, slots=True)
class ReplyTable:
    """The first rows of a table as text, and the file with all of them."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]
    """For each column, whether its cells are numbers."""
    row_count: int
    csv: ReplyFile


class FactKind(StrEnum):
    """How the lines of a fact are meant to be read."""

    TEXT = "text"
    SPARQL = "sparql"
    PYTHON = "python"


@dataclass(frozen=True, slots=True)
class Fact:
    """One piece of the evidence under a heading; each line stands for itself."""

    label: str
    lines: tuple[str, ...]
    kind: FactKind = FactKind.TEXT


@dataclass(frozen=True, slots=True)
class Reply:
    """What the bot writes, its words in plain Markdown; a platform may restyle it."""

    thread: Thread
    status: Status
    markdown: str
    tables: tuple[ReplyTable, ...] = ()
    files: tuple[ReplyFile, ...] = ()
    choices: tuple[Choice, ...] = ()
    facts: tuple[Fact, ...] = ()
