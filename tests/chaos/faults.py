"""What became of the messages that were sent while a fault was there."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table of faults."""

    fault: str
    messages: int
    lost: int
    twice: int


Tell = Callable[[Row], None]
"""Takes a row for the table; fails where a message was lost or came twice."""
