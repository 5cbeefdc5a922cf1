"""What the parts of this process say of themselves: which work, which platforms are connected."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class State:
    """One part's state when it was last heard of."""

    name: str
    up: bool
    found: str
    """What is wrong, or a few words on what is right."""


class Connections:
    """Each platform's connection, as the platform reports it.

    A platform says so whenever it connects, whenever it fails to, and at least once in
    ``fresh_seconds`` while all is well: one that is silent for longer counts as gone. May be
    called from any thread.
    """

    def __init__(
        self, fresh_seconds: float = 180.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._fresh = fresh_seconds
        self._clock = clock
        self._heard: dict[str, tuple[State, float]] = {}
        self._lock = threading.Lock()

    def expect(self, name: str) -> None:
        """A platform of this name is about to connect; until then nothing is ready."""
        self.down(name, "not connected yet")

    def up(self, name: str, found: str = "connected") -> None:
        """It is connected, and was heard of just now."""
        self._hear(State(name, True, found))

    def down(self, name: str, why: str) -> None:
        """It is not connected."""
        self._hear(State(name, False, why))

    def reporter(self, name: str) -> Callable[[str], None]:
        """What a platform calls with what is wrong, or with nothing where all is well.

        It counts as expected from now on.
        """
        self.expect(name)

        def report(trouble: str) -> None:
            if trouble:
                self.down(name, trouble)
            else:
                self.up(name)

        return report

    def states(self) -> tuple[State, ...]:
        """Every platform's state, by name."""
        with self._lock:
            heard = sorted(self._heard.items())
        return tuple(self._aged(state, at) for _, (state, at) in heard)

    def _hear(self, state: State) -> None:
        with self._lock:
            self._heard[state.name] = (state, self._clock())

    def _aged(self, state: State, at: float) -> State:
        silent = self._clock() - at
        if not state.up or silent <= self._fresh:
            return state
        return State(state.name, False, f"not heard of for {silent:.0f} s")


class Liveness:
    """The threads and loops without which this process had better be started again."""

    def __init__(self) -> None:
        self._checks: dict[str, Callable[[], bool]] = {}

    def watch(self, name: str, alive: Callable[[], bool]) -> None:
        """Ask ``alive`` of the part ``name`` each time; it returns at once and raises nothing."""
        self._checks[name] = alive

    def watch_thread(self, thread: threading.Thread) -> None:
        """Have the process count as dead once ``thread`` has ended."""
        self.watch(thread.name, thread.is_alive)

    def states(self) -> tuple[State, ...]:
        """Every part's state, by name."""
        alive = {name: check() for name, check in sorted(self._checks.items())}
        return tuple(State(name, up, "alive" if up else "ended") for name, up in alive.items())
