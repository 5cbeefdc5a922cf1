"""The port to where digests are kept: what they are, when each is due, and what it said last."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from agent import Session
from bot.digests.digest import Digest, DigestPart
from bot.digests.snapshot import PartSnapshot
from bot.messages import Thread


@dataclass(frozen=True, slots=True)
class Limits:
    """How many digests there may be."""

    of_one_owner: int
    in_all: int


@dataclass(frozen=True, slots=True)
class LimitReached:
    """No further digest is taken; ``of_one_owner``, or where that is False, of anybody."""

    of_one_owner: bool


@dataclass(frozen=True, slots=True)
class Said:
    """What a digest said when it was posted, to compare with later."""

    due: datetime
    parts: tuple[PartSnapshot, ...]


@dataclass(frozen=True, slots=True)
class LastRun:
    """How far a digest has come."""

    due: datetime
    """The due time that was worked on last."""
    ended: str
    """How that ended, in a word or two: "posted", "nothing changed"."""
    said: tuple[Said, ...] = ()
    """What was posted last, and the time before that; the newest first."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A digest whose creation waits for a choice."""

    digest: Digest
    """Without an id, and without parts."""
    done: tuple[DigestPart, ...]
    """The questions before the one that waits."""
    waiting: DigestPart
    rest: tuple[DigestPart, ...]
    session: Session
    """That of the waiting question alone."""


class DigestStore(Protocol):
    """Shared by all replicas; every method raises DigestStoreError where it cannot work."""

    def add(self, digest: Digest, due: datetime, limits: Limits) -> Digest | LimitReached:
        """Keep ``digest`` under an id of its own; the one that its turn created before, if any."""
        ...

    def get(self, digest_id: str) -> Digest | None:
        """A digest by its id."""
        ...

    def all(self) -> tuple[Digest, ...]:
        """Every digest, the oldest first."""
        ...

    def replace(self, digest: Digest, due: datetime | None) -> bool:
        """Keep ``digest`` in place of what was kept, due then or not at all; False: it is gone."""
        ...

    def remove(self, digest_id: str) -> bool:
        """Forget a digest and all about it; False where there was none."""
        ...

    def due_times(self) -> Mapping[str, datetime]:
        """When each digest that is not paused is due next, by its id."""
        ...

    def move_on(self, digest_id: str, handled: datetime, following: datetime) -> bool:
        """Have a digest due at ``following`` instead; False where it was not due at ``handled``."""
        ...

    def last_run(self, digest_id: str) -> LastRun | None:
        """How far a digest has come; None before its first run."""
        ...

    def save_run(self, digest_id: str, run: LastRun) -> None:
        """Keep ``run`` of a digest that is still there."""
        ...

    def save_draft(self, thread: Thread, author: str, draft: Draft | None) -> None:
        """Keep what waits for a choice of ``author`` in ``thread``, for an hour; None: nothing."""
        ...

    def draft(self, thread: Thread, author: str) -> Draft | None:
        """What waits for a choice of ``author`` in ``thread``."""
        ...
