"""The port to what is shared between processes of how much a platform takes."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Pace:
    """How often something may be done."""

    seconds: float
    """Between one time and the next."""
    burst: int = 1
    """How many may go at once after a pause."""


class Throttle(Protocol):
    """Hands out turns, in the order in which they are asked for; raises PlatformError."""

    def take(self, name: str, pace: Pace, patience: float) -> float | None:
        """Take a turn in what ``name`` stands for: the seconds to wait before it is used.

        None, and no turn taken, where that would be more than ``patience``.
        """
        ...

    def hold(self, name: str, pace: Pace, seconds: float) -> None:
        """Let nobody take a turn that is used within ``seconds``: the platform wants a rest."""
        ...
