"""Whether this process can do its work now: its probes, tried out within bounds."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait

from bot.health import Probe, health_of
from bot.liveness import Connections, State


class Readiness:
    """Tries the probes out, at most so often, and waits so long for those that hang."""

    def __init__(
        self,
        probes: Sequence[Probe],
        connections: Connections,
        *,
        wait_seconds: float = 5.0,
        kept_seconds: float = 5.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._probes = tuple(probes)
        self._connections = connections
        self._wait = wait_seconds
        self._kept = kept_seconds
        self._clock = clock
        self._found: tuple[State, ...] = ()
        self._found_at = -float("inf")
        self._running: dict[str, Future[State]] = {}
        self._lock = threading.Lock()

    def states(self) -> tuple[State, ...]:
        """Every probe's state, not older than the bound, then every platform's."""
        with self._lock:
            if self._clock() - self._found_at > self._kept:
                self._found = self._tried()
                self._found_at = self._clock()
            found = self._found
        return (*found, *self._connections.states())

    def _tried(self) -> tuple[State, ...]:
        for probe in self._probes:
            # One that hangs, on a dead network file system say, is not tried a second time.
            if probe.name not in self._running:
                self._running[probe.name] = _started(probe)
        done, _ = wait(self._running.values(), self._wait)
        states = []
        for probe in self._probes:
            trial = self._running[probe.name]
            if trial in done:
                del self._running[probe.name]
                states.append(trial.result())
            else:
                states.append(State(probe.name, False, "does not answer"))
        return tuple(states)


def _started(probe: Probe) -> Future[State]:
    trial: Future[State] = Future()

    def try_out() -> None:
        state = State(probe.name, False, "its probe broke; the log has the cause")
        try:
            health = health_of(probe)
            state = State(health.name, health.ok, health.found)
        finally:
            trial.set_result(state)

    threading.Thread(target=try_out, name=f"probe of the {probe.name}", daemon=True).start()
    return trial
