"""RunStore in memory: the state of the latest requests, as long as the process lives."""

from threading import Lock

from agent.run_store import RunState
from bot.stored_forms import RUNS

_MOST = 1000


class MemoryRuns:
    """RunStore for a single question, a console chat, and tests."""

    def __init__(self, most: int = _MOST) -> None:
        """``most``: how many requests are remembered; those saved longest ago go first."""
        self._most = most
        self._runs: dict[str, bytes] = {}
        self._guard = Lock()

    def save(self, state: RunState) -> None:
        """Keep ``state`` in place of what was kept of the same request."""
        # As bytes, so that nothing can be kept here that another store would not take.
        data = RUNS.encode(state)
        with self._guard:
            self._runs.pop(state.id, None)
            self._runs[state.id] = data
            while len(self._runs) > self._most:
                del self._runs[next(iter(self._runs))]

    def load(self, request_id: str) -> RunState | None:
        """What was kept last; None where nothing is known of the request."""
        data = self._runs.get(request_id)
        return None if data is None else RUNS.decode(data)
