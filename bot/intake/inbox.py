"""The port to what was taken in and is not done: lanes of items, one worker on a lane at a time.

A lane is what must be done in order: as a rule the messages of a thread. Whoever works on a lane
has its lease, which ends by itself when its worker dies; what a worker writes under a lease that
it lost is refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.messages import Click, Incoming
from bot.turn_store import TurnRecord

Item = TurnRecord | Click
"""What lies in a lane: a message is kept as its turn."""


class Admission(StrEnum):
    """What became of something that was handed in."""

    ADDED = "added"
    KNOWN = "known"
    """It was handed in before, and is not added again."""
    FULL = "full"
    """Too much waits in its lane already."""


@dataclass(frozen=True, slots=True)
class Added:
    """How something was handed in, and how much of its lane comes before it."""

    admission: Admission
    ahead: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """The item of a lane that is to be worked on."""

    name: str
    tries: int
    """How often it was begun, this time counted."""
    seconds: float
    """Since it was begun for the first time."""
    item: Item | None
    """None where it cannot be read, or is there no more."""


@dataclass(frozen=True, slots=True)
class Depth:
    """How much there is to do."""

    lanes: int
    overdue: int
    """Lanes that nobody has looked at though it was time."""


class Lease(Protocol):
    """The right to work on one lane; every method raises LeaseLost once another worker has it."""

    @property
    def lane(self) -> str:
        """The lane's name."""
        ...

    def next(self) -> Taken | None:
        """The item to work on: the one that was begun, else the earliest; it counts as a try.

        None where there is none; the lease has ended with that.
        """
        ...

    def save(self, record: TurnRecord) -> None:
        """Keep ``record`` in place of what was kept of its turn."""
        ...

    def finish(self, taken: Taken, record: TurnRecord | None = None) -> None:
        """Take an item off the lane, and keep ``record`` of it, in one step."""
        ...

    def renew(self) -> None:
        """Hold on to the lane."""
        ...

    def leave(self, seconds: float = 0.0, taken: Taken | None = None) -> None:
        """Give the lane up, with what waits in it, to be taken again in ``seconds``.

        A try of ``taken`` is not counted: it failed for no reason of its own. Never raises
        LeaseLost.
        """
        ...


class Inbox(Protocol):
    """Every method, here and of a lease, raises TurnStoreError where it cannot work."""

    def add(self, incoming: Incoming, lane: str) -> Added:
        """Keep ``incoming`` to be worked on; once this returns it is not lost."""
        ...

    def has(self, incoming: Incoming) -> bool:
        """Whether it was handed in before."""
        ...

    def remember(self, incoming: Incoming) -> None:
        """Know it from now on, though there is nothing left to do for it."""
        ...

    def take(self, lane: str) -> Lease | None:
        """The right to work on ``lane``; None where another worker has it, or nothing waits."""
        ...

    def waiting(self, lane: str) -> Sequence[Item]:
        """What lies in ``lane``, the item that is worked on first."""
        ...

    def lanes(self) -> Sequence[str]:
        """Every lane with work."""
        ...

    def due(self) -> Sequence[str]:
        """Lanes with work that nobody is at; each is given to one caller, for a few seconds."""
        ...

    def depth(self) -> Depth:
        """How much there is to do."""
        ...
