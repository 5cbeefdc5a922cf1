"""Keeps an eye on what is worked on here: holds its leases, stops what was stopped elsewhere."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bot.errors import LeaseLost, TurnStoreError
from bot.intake.inbox import Lease, Taken
from bot.intake.stops import Stops

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Watched:
    lease: Lease
    taken: Taken
    renewed: float = field(default_factory=time.monotonic)

    @property
    def turn(self) -> str:
        return self.taken.name.partition(":")[2]


class Watch:
    """One thread for all leases of a process."""

    def __init__(
        self,
        stops: Stops,
        stop: Callable[[str], bool],
        *,
        renew_seconds: float = 5.0,
        look_seconds: float = 0.25,
    ) -> None:
        """``stop`` ends a question that is worked on in this process."""
        self._stops = stops
        self._stop = stop
        self._renew_seconds = renew_seconds
        self._look_seconds = look_seconds
        self._watched: list[_Watched] = []
        self._guard = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lease-watch", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def alive(self) -> bool:
        """Whether it still looks."""
        return self._thread.is_alive()

    def close(self) -> None:
        """End; what is still worked on loses its lease after a while."""
        self._ended.set()
        self._thread.join()

    @contextmanager
    def over(self, lease: Lease, taken: Taken) -> Iterator[None]:
        """Hold on to ``lease`` meanwhile, and stop the turn once somebody wants that."""
        watched = _Watched(lease, taken)
        with self._guard:
            self._watched.append(watched)
        try:
            yield
        finally:
            with self._guard:
                self._watched = [each for each in self._watched if each is not watched]

    def hand_over(self) -> tuple[str, ...]:
        """Give up every lease, for other workers to go on at once; the lanes that they are of."""
        with self._guard:
            left, self._watched = self._watched, []
        for each in left:
            each.lease.leave(0.0, each.taken)
        return tuple(each.lease.lane for each in left)

    def _run(self) -> None:
        while not self._ended.wait(self._look_seconds):
            with self._guard:
                watched = list(self._watched)
            try:
                self._look(watched)
            except TurnStoreError:
                log.warning("what is worked on cannot be watched now", exc_info=True)

    def _look(self, watched: list[_Watched]) -> None:
        now = time.monotonic()
        for each in watched:
            if now - each.renewed >= self._renew_seconds:
                try:
                    each.lease.renew()
                except LeaseLost:
                    log.warning("a lane was taken over", extra={"action": "lease_lost"})
                each.renewed = now
        stopped = self._stops.stopped(tuple(each.turn for each in watched))
        for turn in stopped:
            # Until it has ended: a question that is only about to begin cannot be stopped yet.
            self._stop(turn)
