"""Posting as the intake wants it: what one person alone should read is whispered."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from bot.command_turns import is_read_by_the_asker_alone
from bot.intake.posting import Posting
from bot.messages import Thread
from bot.turn_store import TurnRecord, TurnStage, TurnStore


@dataclass(frozen=True, slots=True)
class CommandPosting:
    """Stands before the way out, and leaves to it what everybody in the thread may read."""

    posting: Posting
    turns: TurnStore

    def begin(self, record: TurnRecord) -> TurnRecord:
        """Show that an answer is on its way."""
        return self.posting.begin(record)

    def showing(self, record: TurnRecord) -> AbstractContextManager[Callable[[str], None]]:
        """Keep the progress message up to date."""
        return self.posting.showing(record)

    def deliver(self, record: TurnRecord) -> TurnRecord:
        """Post the reply, or whisper it where it is one person's and holds words alone."""
        reply, message = record.reply, record.message
        assert reply is not None
        more_than_words = reply.tables or reply.files or reply.choices
        if more_than_words or not is_read_by_the_asker_alone(message):
            return self.posting.deliver(record)
        self.posting.whisper(message.thread, message.author, reply.markdown)
        done = replace(record, stage=TurnStage.DONE)
        self.turns.save(done)
        return done

    def whisper(self, thread: Thread, user: str, markdown: str) -> None:
        """Tell ``user`` alone; never raises."""
        self.posting.whisper(thread, user, markdown)
