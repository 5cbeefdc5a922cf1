"""TurnStore in memory: turns that live as long as the test."""

from threading import Lock

from bot.stored_forms import TURNS
from bot.turn_store import TurnRecord


class MemoryTurns:
    """Keeps turns as bytes, so that nothing can be kept here that another store would not take."""

    def __init__(self) -> None:
        self._turns: dict[str, bytes] = {}
        self._claims: dict[tuple[str, str], str] = {}
        self._guard = Lock()

    def save(self, record: TurnRecord) -> None:
        self._turns[record.trace_id] = TURNS.encode(record)

    def load(self, trace_id: str) -> TurnRecord | None:
        data = self._turns.get(trace_id)
        return None if data is None else TURNS.decode(data)

    def claim(self, trace_id: str, what: str, by: str) -> str:
        with self._guard:
            return self._claims.setdefault((trace_id, what), by)
