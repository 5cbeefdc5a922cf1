"""Messages as every platform has them: what a person wrote, and what the bot replies."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
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


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """Something a person wrote."""

    thread: Thread
    message_id: str
    author: str
    text: str
    sent_at: datetime
    """With a time zone: the moment that words such as "today" refer to."""
    addressed: bool
    """Whether it is a direct message or mentions the bot."""


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
