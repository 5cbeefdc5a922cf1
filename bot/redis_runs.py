"""RunStore over Redis: the state of each request as JSON, for a while."""

from datetime import timedelta

from agent.errors import RunStoreError
from agent.run_store import RunState
from bot.redis_client import RedisClient, key_of
from bot.stored_forms import RUNS


class RedisRuns:
    """States below one key prefix, each with a time to live that a save begins anew."""

    def __init__(self, url: str, time_to_live: timedelta) -> None:
        self._client = RedisClient(url, RunStoreError, "the store of requests")
        self._time_to_live = time_to_live

    def save(self, state: RunState) -> None:
        """Keep ``state`` in place of what was kept of the same request."""
        self._client.set(key_of("run", state.id), RUNS.encode(state), self._time_to_live)

    def load(self, request_id: str) -> RunState | None:
        """What was kept last; None where nothing is known of the request."""
        data = self._client.get(key_of("run", request_id))
        return None if data is None else RUNS.decode(data)

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()
