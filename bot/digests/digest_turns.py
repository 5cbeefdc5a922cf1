"""Works out turns: what concerns digests by them, all else by the conversation."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from agent import Pending, Session
from bot.digests.asking import Note
from bot.digests.digest_desk import DigestDesk
from bot.digests.digest_runs import DigestRuns
from bot.messages import IncomingMessage, Status, Way
from bot.session_store import SessionStore
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
    sessions: SessionStore
    counted: Callable[[str], None] = lambda outcome: None
    """Told what came of each digest that was due: "silent", or how its reply ended."""

    def answered(self, record: TurnRecord, note: Note) -> TurnRecord:
        """The turn with its reply; done where a digest stays silent.

        Raises DigestStoreError or SessionStoreError, or what the conversation raises: nothing was
        lost then, and it may be called again.
        """
        message = record.message
        if message.way is Way.DIGEST:
            run = self.runs.run(message, note)
            self.counted("silent" if run is None else run.reply.status.value)
            if run is None:
                return replace(record, stage=TurnStage.DONE)
            stage = TurnStage.ANSWERED
            return replace(record, stage=stage, reply=run.reply, session=run.session)
        waited = self.desk.waits_for(message)
        reply = self.desk.reply_to(message, note)
        if reply is None:
            return self.others.answered(record, note)
        session = self._session(message, waited) if message.thread.root else None
        return replace(record, stage=TurnStage.ANSWERED, reply=reply, session=session)

    def told(self, record: TurnRecord, status: Status, text: str) -> TurnRecord:
        """The turn with a reply in these words."""
        return self.others.told(record, status, text)

    def keep_session(self, record: TurnRecord) -> None:
        """Have the thread go on from the turn's session."""
        self.others.keep_session(record)

    def _session(self, message: IncomingMessage, waited: Pending | None) -> Session | None:
        """The thread's session, waiting for the same choice as a digest; None where it stays.

        ``waited``: the choice that a digest waited for until now.
        """
        before, waits = self.sessions.load(message.thread), self.desk.waits_for(message)
        if waits is None and (waited is None or before.pending != waited):
            return None
        return replace(before, pending=waits)
