"""DigestStore in memory."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from bot.digests.digest import Digest
from bot.digests.digest_store import Draft, LastRun, LimitReached, Limits
from bot.messages import Thread


class MemoryDigests:
    """Digests of this process alone."""

    def __init__(self) -> None:
        self._kept: dict[str, Digest] = {}
        self._due: dict[str, datetime] = {}
        self._runs: dict[str, LastRun] = {}
        self._drafts: dict[tuple[Thread, str], Draft] = {}
        self._number = 0

    def add(self, digest: Digest, due: datetime, limits: Limits) -> Digest | LimitReached:
        """Keep ``digest``, once for the turn that created it."""
        for kept in self._kept.values():
            if kept.made_by == digest.made_by:
                return kept
        one, other = (digest.place.platform, digest.owner), self._kept.values()
        if sum((d.place.platform, d.owner) == one for d in other) >= limits.of_one_owner:
            return LimitReached(of_one_owner=True)
        if len(self._kept) >= limits.in_all:
            return LimitReached(of_one_owner=False)
        self._number += 1
        digest = replace(digest, id=f"d{self._number}")
        self._kept[digest.id], self._due[digest.id] = digest, due
        return digest

    def get(self, digest_id: str) -> Digest | None:
        """A digest by its id."""
        return self._kept.get(digest_id)

    def all(self) -> tuple[Digest, ...]:
        """Every digest, the oldest first."""
        return tuple(self._kept.values())

    def replace(self, digest: Digest, due: datetime | None) -> bool:
        """Keep ``digest``, due then or not at all."""
        if digest.id not in self._kept:
            return False
        self._kept[digest.id] = digest
        self._due.pop(digest.id, None)
        if due is not None:
            self._due[digest.id] = due
        return True

    def remove(self, digest_id: str) -> bool:
        """Forget a digest."""
        self._due.pop(digest_id, None)
        self._runs.pop(digest_id, None)
        return self._kept.pop(digest_id, None) is not None

    def due_times(self) -> Mapping[str, datetime]:
        """When each digest is due next."""
        return dict(self._due)

    def move_on(self, digest_id: str, handled: datetime, following: datetime) -> bool:
        """Have a digest due at ``following`` where it was due at ``handled``."""
        if self._due.get(digest_id) != handled:
            return False
        self._due[digest_id] = following
        return True

    def last_run(self, digest_id: str) -> LastRun | None:
        """How far a digest has come."""
        return self._runs.get(digest_id)

    def save_run(self, digest_id: str, run: LastRun) -> None:
        """Keep how far a digest has come."""
        if digest_id in self._kept:
            self._runs[digest_id] = run

    def save_draft(self, thread: Thread, author: str, draft: Draft | None) -> None:
        """Keep what waits for a choice, or nothing."""
        self._drafts.pop((thread, author), None)
        if draft is not None:
            self._drafts[thread, author] = draft

    def draft(self, thread: Thread, author: str) -> Draft | None:
        """What waits for a choice."""
        return self._drafts.get((thread, author))
