"""A digest: a question that is put again whenever it is due, for whoever reads a channel."""

from dataclasses import dataclass
from datetime import datetime

from bot.digests.schedule import Schedule
from bot.messages import Thread


@dataclass(frozen=True, slots=True)
class DigestPart:
    """One question, with the choices that were made when it was first asked."""

    question: str
    settled: tuple[tuple[str, str], ...] = ()
    """What was asked back, and the id that was chosen."""


@dataclass(frozen=True, slots=True)
class Posting:
    """When a digest that is due stays silent."""

    only_when_changed: bool = False
    by_percent: float | None = None
    """From which change of a number on it counts as changed; None: see ``changes.py``."""
    quiet_without_data: bool = False


@dataclass(frozen=True, slots=True)
class When:
    """When a digest is due, and how that was said: "daily at 08:00"."""

    schedule: Schedule
    said: str


@dataclass(frozen=True, slots=True)
class Digest:
    """One digest as it is kept."""

    id: str
    owner: str
    """Whose rights apply whenever it runs."""
    place: Thread
    """Where it is posted: a channel, as a thread without a root."""
    place_said: str
    """The channel as its owner wrote it; empty where it is the one it was created in."""
    question: str
    """As its owner wrote it."""
    parts: tuple[DigestPart, ...]
    """The same as questions that can each be answered."""
    when: When
    posting: Posting
    made_at: datetime
    made_by: str
    """The trace id of the turn that created it: taken up again, it creates no second one."""
    since: datetime
    """From when on its due times count: when it was created, or resumed."""
    direct: bool = False
    """Whether nobody but its owner reads what it posts."""
    paused: bool = False
