"""Posting over the gateway: what the intake wants to be read, by the one way out."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from bot.messages import Thread
from bot.outbound.gateway import Gateway
from bot.turn_store import TurnRecord, TurnStore


@dataclass(frozen=True, slots=True)
class GatewayPosting:
    """Posts by ``gateway``, and saves in ``turns`` under the lease of whoever works."""

    gateway: Gateway
    turns: TurnStore

    def begin(self, record: TurnRecord) -> TurnRecord:
        """Show at once that an answer is on its way."""
        return self.gateway.begin(record, self.turns)

    @contextmanager
    def showing(self, record: TurnRecord) -> Iterator[Callable[[str], None]]:
        """Keep the progress message up to date; left alone where the work breaks off."""
        finished = False
        try:
            yield partial(self.gateway.note, record)
            finished = True
        finally:
            if not finished:
                self.gateway.abandon(record)

    def deliver(self, record: TurnRecord) -> TurnRecord:
        """Post the reply, each part once; the record, saved, that is done."""
        record = self.gateway.deliver(record, self.turns)
        self.turns.save(record)
        return record

    def whisper(self, thread: Thread, user: str, markdown: str) -> None:
        """Tell ``user`` alone; never raises."""
        self.gateway.whisper(thread, user, markdown)
