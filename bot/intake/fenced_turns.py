"""TurnStore in which a turn that is worked on here is saved under its lease alone."""

from collections.abc import Iterator
from contextlib import contextmanager

from bot.intake.inbox import Lease
from bot.turn_store import TurnRecord, TurnStore


class FencedTurns:
    """The turns of ``turns``; who lost the lease of one can no longer save it."""

    def __init__(self, turns: TurnStore) -> None:
        self._turns = turns
        self._leases: dict[str, Lease] = {}

    @contextmanager
    def under(self, lease: Lease, trace_id: str) -> Iterator[None]:
        """Save this turn under ``lease`` meanwhile: raises LeaseLost once another worker has it."""
        self._leases[trace_id] = lease
        try:
            yield
        finally:
            if self._leases.get(trace_id) is lease:
                del self._leases[trace_id]

    def save(self, record: TurnRecord) -> None:
        """Keep ``record`` in place of what was kept of its turn."""
        (self._leases.get(record.trace_id) or self._turns).save(record)

    def load(self, trace_id: str) -> TurnRecord | None:
        """A turn by its id; None where it is unknown, or forgotten."""
        return self._turns.load(trace_id)

    def claim(self, trace_id: str, what: str, by: str) -> str:
        """Who has ``what`` of a turn for ever: ``by`` where nobody had it before."""
        return self._turns.claim(trace_id, what, by)
