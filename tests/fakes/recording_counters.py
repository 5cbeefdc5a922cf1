"""Counters that remember each call, in order."""

import threading

from agent.answer import Usage
from bot.messages import Act, Status, Way


class RecordingCounters:
    """Counters, for tests of what counts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.counted: list[tuple[object, ...]] = []

    def received(self, way: Way) -> None:
        self._add("received", way)

    def duplicate(self) -> None:
        self._add("duplicate")

    def clicked(self, act: Act) -> None:
        self._add("clicked", act)

    def ended(self, status: Status, seconds: float, usage: Usage) -> None:
        self._add("ended", status)

    def limited(self, platform: str) -> None:
        self._add("limited", platform)

    def digest(self, outcome: str) -> None:
        self._add("digest", outcome)

    def _add(self, *what: object) -> None:
        with self._lock:
            self.counted.append(what)
