"""What the gateway shares with other processes, in memory, for one test."""

from bot.messages import Thread
from bot.outbound.throttle import Pace
from bot.turn_store import TurnRecord


class OpenThrottle:
    """Throttle that lets everything through, and remembers what it was asked."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.held: list[tuple[str, float]] = []

    def take(self, name: str, pace: Pace, patience: float) -> float | None:
        """At once."""
        self.taken.append(name)
        return 0

    def hold(self, name: str, pace: Pace, seconds: float) -> None:
        """Remember it."""
        self.held.append((name, seconds))


class MemoryEngaged:
    """EngagedThreads as a set."""

    def __init__(self) -> None:
        self.threads: set[Thread] = set()

    def add(self, thread: Thread) -> None:
        """Say that we posted to ``thread``."""
        self.threads.add(thread)

    def holds(self, thread: Thread) -> bool:
        """Whether we did."""
        return thread in self.threads

    def remove(self, thread: Thread) -> None:
        """Leave it."""
        self.threads.discard(thread)


class KeptTurns:
    """Every record of a turn that was saved; ``dies_at`` ends the worker at so many saves."""

    def __init__(self, dies_at: int = 0) -> None:
        self.records: list[TurnRecord] = []
        self._dies_at = dies_at

    def save(self, record: TurnRecord) -> None:
        """Keep ``record``; what a dead worker saves is lost."""
        if len(self.records) + 1 == self._dies_at:
            raise WorkerDiedError
        self.records.append(record)


class WorkerDiedError(Exception):
    """Stands for kill -9."""
