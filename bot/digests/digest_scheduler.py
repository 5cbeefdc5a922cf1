"""Hands in the question of each digest that is due; every replica has one and none is the first.

A due time is handed in by name, and what takes messages in knows a name it has seen. Only then
the digest moves on to its next due time. So whichever process ends between the two, the due time
is handed in, and however many processes see it, it is taken once.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.digests.digest_runs import due_message
from bot.digests.digest_store import DigestStore
from bot.errors import DigestStoreError, TurnStoreError
from bot.messages import IncomingMessage

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DigestScheduler:
    """Looks which digests are due."""

    store: DigestStore
    receive: Callable[[IncomingMessage], None]
    """Takes a message in, the same one once; raises TurnStoreError where it cannot."""
    clock: Callable[[], datetime]

    def run(self, stopping: threading.Event, seconds: float = 10.0) -> None:
        """Look every so often until ``stopping`` is set."""
        while not stopping.is_set():
            self.look()
            stopping.wait(seconds)

    def look(self) -> None:
        """Hand in what is due; what fails is left for the next time."""
        now = self.clock()
        try:
            due = {name: at for name, at in self.store.due_times().items() if at <= now}
        except DigestStoreError:
            log.warning("nobody can tell which digests are due", exc_info=True)
            return
        for name, at in due.items():
            try:
                self._put(name, at, now)
            except (DigestStoreError, TurnStoreError):
                log.warning("digest %s could not be put", name, exc_info=True)

    def _put(self, name: str, at: datetime, now: datetime) -> None:
        digest = self.store.get(name)
        if digest is None:
            return
        schedule = digest.when.schedule
        # Of several that passed unseen, the last one stands for all.
        latest = schedule.latest(now)
        if latest >= at and not digest.paused:
            self.receive(due_message(digest, latest))
        self.store.move_on(name, at, schedule.after(now))
