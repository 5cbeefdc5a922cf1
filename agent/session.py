"""What the agent knows of a thread: its turns, and a question that waits for a choice."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agent.proposal import Proposal
from retrieval.data_scope import WHOLE, DataScope


@dataclass(frozen=True, slots=True)
class Question:
    """What a person asked, with the moment that words such as "today" refer to."""

    text: str
    asked_at: datetime
    trace_id: str
    user: str = ""
    """Who asked, as the platform calls them."""
    conversation: str = ""
    """The thread that it was asked in, by a name that stays the same."""
    settled: tuple[tuple[str, str], ...] = ()
    """Choices made in it beforehand: what would be asked back, and the id that is chosen."""
    scope: DataScope = WHOLE
    """What may be seen by whoever asked, in the place where the answer will stand."""
    part_of: str = ""
    """The trace id of the turn that asks it among others; empty where it is the turn's own."""

    @property
    def turn(self) -> str:
        """The trace id of its turn: what stops that stops it."""
        return self.part_of or self.trace_id


@dataclass(frozen=True, slots=True)
class Turn:
    """One question as it was answered in the end, with all choices made in it."""

    question: str
    asked_at: datetime
    settled: tuple[tuple[str, str], ...] = ()
    """Choices made on the way: what was asked back, and the id that was chosen."""
    answer: str = ""
    proposal: Proposal | None = None
    """A query that the model wrote for it, where rules could not read it."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A turn that stopped to ask something back."""

    turn: Turn
    about: str
    """What was asked back: the key under which the choice is settled."""
    choices: tuple[tuple[str, str], ...]
    """The id and label of each choice."""
    free: bool = False
    """Whether an answer in other words may settle it as well."""
    tasks: tuple[tuple[Literal["retrieval", "code"], str], ...] = ()
    """What is still to be done once it is settled: the sub-agent and its task, in order."""


@dataclass(frozen=True, slots=True)
class Session:
    """A thread, as far as the agent is concerned. Never changed, only replaced."""

    turns: tuple[Turn, ...] = ()
    pending: Pending | None = None
