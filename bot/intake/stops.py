"""The port to what was stopped: asked for in one process, found by the one that is at work."""

from typing import Protocol


class Stops(Protocol):
    """Remembers for a day which turns were stopped; raises TurnStoreError where it cannot."""

    def stop(self, trace_id: str, by: str) -> None:
        """Have a turn stopped, wherever it is worked on."""
        ...

    def stopped(self, trace_ids: tuple[str, ...]) -> frozenset[str]:
        """Those of ``trace_ids`` that were stopped."""
        ...
