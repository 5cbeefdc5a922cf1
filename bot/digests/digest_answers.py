"""Turns about digests, and those by which digests are put: what their reply is."""

from dataclasses import dataclass, replace

from bot.digests.asking import Note
from bot.digests.digest_desk import DigestDesk
from bot.digests.digest_runs import DigestRuns
from bot.messages import Way
from bot.turn_store import TurnRecord, TurnStage


@dataclass(frozen=True, slots=True)
class DigestAnswers:
    """Works out the reply of a turn that digests are concerned with."""

    desk: DigestDesk
    runs: DigestRuns

    def answered(self, record: TurnRecord, note: Note) -> TurnRecord | None:
        """The turn with its reply, or done with none; None where digests are not concerned.

        Raises DigestStoreError: nothing was lost then, and it may be called again.
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
            return None
        return replace(record, stage=TurnStage.ANSWERED, reply=reply, session=None)
