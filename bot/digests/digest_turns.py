"""Works out turns: what concerns digests by them, all else by the conversation."""

from dataclasses import dataclass, replace
from typing import Protocol

from bot.digests.asking import Note
from bot.digests.digest_desk import DigestDesk
from bot.digests.digest_runs import DigestRuns
from bot.messages import Status, Way
from bot.turn_store import TurnRecord, TurnStage


class _Answers(Protocol):
    """Works out what a turn's reply is; see ``bot.intake.lane_work``."""

    def answered(self, record: TurnRecord, note: Note) -> TurnRecord: ...

    def told(self, record: TurnRecord, status: Status, text: str) -> TurnRecord: ...

    def keep_session(self, record: TurnRecord) -> None: ...


@dataclass(frozen=True, slots=True)
class DigestTurns:
    """Stands before the conversation, and leaves to it what is not about digests."""

    others: _Answers
    desk: DigestDesk
    runs: DigestRuns

    def answered(self, record: TurnRecord, note: Note) -> TurnRecord:
        """The turn with its reply; done where a digest stays silent.

        Raises DigestStoreError, or what the conversation raises: nothing was lost then, and it
        may be called again.
        """
        message = record.message
        if message.way is Way.DIGEST:
            run = self.runs.run(message, note)
            if run is None:
                return replace(record, stage=TurnStage.DONE)
            stage = TurnStage.ANSWERED
            return replace(record, stage=stage, reply=run.reply, session=run.session)
        reply = self.desk.reply_to(message, note)
        if reply is None:
            return self.others.answered(record, note)
        return replace(record, stage=TurnStage.ANSWERED, reply=reply, session=None)

    def told(self, record: TurnRecord, status: Status, text: str) -> TurnRecord:
        """The turn with a reply in these words."""
        return self.others.told(record, status, text)

    def keep_session(self, record: TurnRecord) -> None:
        """Have the thread go on from the turn's session."""
        self.others.keep_session(record)
