"""How one turn ended: the answer or our failure, and the reply that people read."""

from dataclasses import dataclass, field

from agent import Answer, Cost
from bot.messages import Reply


@dataclass(frozen=True, slots=True)
class Failed:
    """Something broke on our side; ``text`` is all that a person is told."""

    text: str
    cause: str = ""
    """The error in a line, for an operator at a terminal; never posted to a chat."""
    cost: Cost = field(default_factory=Cost)
    """What was spent until then."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One turn, once it is over."""

    answer: Answer | Failed
    reply: Reply
    trace_id: str
    seconds: float
