"""The port to where turns are kept: each message that was taken in, and what became of it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from agent import Session
from bot.messages import IncomingMessage, Reply


class TurnStage(StrEnum):
    """How far a turn has come; who takes it over goes on from there."""

    ACCEPTED = "accepted"
    ANSWERED = "answered"
    """Its reply is kept here, and perhaps partly posted; nothing is asked again."""
    DONE = "done"
    """All of the reply stands in the thread."""


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One turn of a conversation, from the message to the posted reply."""

    message: IncomingMessage
    stage: TurnStage = TurnStage.ACCEPTED
    reply: Reply | None = None
    session: Session | None = None
    """The thread's session as this turn leaves it; saved before the reply is posted."""
    progress: str = ""
    """The id of the message that shows progress; empty where there is none."""
    posted: tuple[tuple[str, str], ...] = ()
    """For each part that was begun: its key, and the message's id or nothing as long as unsure."""

    @property
    def trace_id(self) -> str:
        """Its id, and its message's."""
        return self.message.trace_id


class TurnStore(Protocol):
    """Keeps turns for as long as their buttons live; raises TurnStoreError where it cannot."""

    def save(self, record: TurnRecord) -> None:
        """Keep ``record`` in place of what was kept of its turn."""
        ...

    def load(self, trace_id: str) -> TurnRecord | None:
        """A turn by its id; None where it is unknown, or forgotten."""
        ...

    def claim(self, trace_id: str, what: str, by: str) -> str:
        """Who has ``what`` of a turn for ever: ``by`` where nobody had it before.

        So a choice is made once, whoever clicks at the same moment.
        """
        ...
