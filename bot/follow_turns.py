"""Turns that say whether to listen in a thread without being mentioned."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.access import Refused, Right
from bot.engaged import EngagedThreads
from bot.guard import Guard
from bot.intake.lane_work import AnswersTurns
from bot.messages import IncomingMessage, Reply, Status
from bot.thread_words import Word, word_of
from bot.turn_store import TurnRecord, TurnStage

FOLLOWS = "I follow this thread: what is written here is for me, also without a mention."
UNFOLLOWS = "I keep quiet in this thread until somebody mentions me."
DIRECT = "Here I read whatever you write; there is nothing to follow."
NO_THREAD = "Please write that in the thread that you mean."


@dataclass(frozen=True, slots=True)
class FollowTurns:
    """Stands before everything that answers, and leaves to it what says something else."""

    others: AnswersTurns
    guard: Guard
    engaged: EngagedThreads

    def answered(self, record: TurnRecord, note: Callable[[str], None]) -> TurnRecord:
        """The turn with its reply; raises what the others raise."""
        message, word = record.message, word_of(record.message)
        if word is not Word.FOLLOW and word is not Word.UNFOLLOW:
            return self.others.answered(record, note)
        reply = Reply(message.thread, Status.COMPLETED, self._text(message, word))
        return replace(record, stage=TurnStage.ANSWERED, reply=reply)

    def told(self, record: TurnRecord, status: Status, text: str) -> TurnRecord:
        """The turn with a reply in these words."""
        return self.others.told(record, status, text)

    def keep_session(self, record: TurnRecord) -> None:
        """Have the thread go on from the turn's session."""
        self.others.keep_session(record)

    def after(self, record: TurnRecord) -> None:
        """Leave the thread where that was asked for, once the reply stands there.

        Not before: whatever is posted has us take part. Raises TurnStoreError.
        """
        if record.reply is not None and record.reply.markdown == UNFOLLOWS:
            self.engaged.remove(record.message.thread)

    def _text(self, message: IncomingMessage, word: Word) -> str:
        decision = self.guard.commands(message, Right.ASK)
        if isinstance(decision, Refused):
            return decision.text
        if message.direct:
            return DIRECT
        if not message.thread.root:
            return NO_THREAD
        return FOLLOWS if word is Word.FOLLOW else UNFOLLOWS
