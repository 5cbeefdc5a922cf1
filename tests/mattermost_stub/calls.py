"""What came in, the faults that are made on purpose, and the server's own limit of requests."""

import time
from collections import deque
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.fault_proxy import Broken, Dropped, Limited, Slow, any_fault

Fault = Limited | Broken | Dropped | Slow


@dataclass(frozen=True, slots=True)
class Call:
    """One request as it came in."""

    operation: str
    """Method and path as the API names them: ``POST /posts``, ``PUT /posts/{post_id}/patch``."""
    path: str
    query: dict[str, str]
    body: Any
    fault: Fault | None


@dataclass
class Faults:
    """Which requests go wrong, and how."""

    waiting: dict[str, deque[Fault]] = field(default_factory=dict)
    share: float = 0.0
    dice: Random = field(default_factory=lambda: Random(0))

    def next(self, operation: str) -> Fault | None:
        """How a request goes wrong; None where it does not."""
        for name in (operation, ""):
            if self.waiting.get(name):
                return self.waiting[name].popleft()
        if self.dice.random() >= self.share:
            return None
        return any_fault(self.dice)

    def clear(self) -> None:
        """Nothing goes wrong any more."""
        self.waiting.clear()
        self.share = 0.0


@dataclass
class Bucket:
    """The server's own limit of requests, where it is on: so many a second, and a burst."""

    level: float = 0.0
    seen: float = 0.0

    def seconds_to_wait(self, a_second: int, burst: int) -> int:
        """0: go on; else how long to wait, in whole seconds."""
        if not a_second:
            return 0
        now = time.monotonic()
        self.level = max(0.0, self.level - (now - self.seen) * a_second)
        self.seen = now
        if self.level + 1 > burst:
            return 1 + int((self.level + 1 - burst) / a_second)
        self.level += 1
        return 0
