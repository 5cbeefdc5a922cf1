"""A store of runs whose worker dies: what was saved stays, and then nothing goes on."""

from agent.run_store import RunState, RunStore


class WorkerDied(Exception):
    """The process ended here."""


class CutOffRuns:
    """Saves into another store; the worker dies right after so many saves."""

    def __init__(self, store: RunStore, saves: int) -> None:
        self._store = store
        self._left = saves

    def save(self, state: RunState) -> None:
        self._store.save(state)
        self._left -= 1
        if self._left <= 0:
            raise WorkerDied

    def load(self, request_id: str) -> RunState | None:
        return self._store.load(request_id)
