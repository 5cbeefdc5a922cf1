"""Turns that are choices made by a button: worked on while their thread waits for them alone."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.intake.lane_work import AnswersTurns
from bot.messages import Status, Way
from bot.session_store import SessionStore
from bot.turn_store import TurnRecord

GONE_ON = "That question no longer waits for a choice: this thread has gone on. Please ask again."


@dataclass(frozen=True, slots=True)
class ChoiceTurns:
    """Stands before what answers questions, so that no id of a choice is taken for one."""

    others: AnswersTurns
    sessions: SessionStore

    def answered(self, record: TurnRecord, note: Callable[[str], None]) -> TurnRecord:
        """The turn with its reply; raises SessionStoreError, and what the others raise."""
        if record.message.way is Way.CHOICE and not self._is_awaited(record):
            return self.others.told(record, Status.REJECTED, GONE_ON)
        return self.others.answered(record, note)

    def told(self, record: TurnRecord, status: Status, text: str) -> TurnRecord:
        """The turn with a reply in these words."""
        return self.others.told(record, status, text)

    def keep_session(self, record: TurnRecord) -> None:
        """Have the thread go on from the turn's session."""
        self.others.keep_session(record)

    def _is_awaited(self, record: TurnRecord) -> bool:
        pending = self.sessions.load(record.message.thread).pending
        return pending is not None and record.message.text in dict(pending.choices)
