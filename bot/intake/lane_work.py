"""What a worker does with a lane: one item after another, each from where it was left."""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Protocol

from bot.errors import LeaseLost, PlatformError, PostRefused, RateLimited, TurnStoreError
from bot.intake.fenced_turns import FencedTurns
from bot.intake.inbox import Inbox, Lease, Taken
from bot.intake.lanes import is_quick
from bot.intake.posting import Posting
from bot.intake.stops import Stops
from bot.intake.watch import Watch
from bot.messages import Click, Status, Way
from bot.telemetry import tracing
from bot.turn_store import TurnRecord, TurnStage

log = logging.getLogger(__name__)

MOST_TRIES = 3
"""How often an item is begun that ends its worker, or breaks in a way that nobody foresaw."""
_AFTER_A_FAILURE = 2.0
_MOST_SECONDS_BETWEEN = 60.0
_GIVEN_UP_AFTER = 24 * 3600.0
_STOPPED = "This question was stopped before I came to it."
_POISON = (
    "Sorry, this question could not be answered: each attempt broke off. Whoever runs this"
    " service finds the cause under trace id {trace_id}."
)
_DEAD_BUTTON = (
    "Sorry, that button did not do what it is for. Whoever runs this service finds the cause"
    " under trace id {trace_id}."
)
_NOT_POSTED = (
    "Sorry, the answer is there but cannot be shown here. Whoever runs this service finds the"
    " cause under trace id {trace_id}."
)


class AnswersTurns(Protocol):
    """Works out what a turn's reply is."""

    def answered(self, record: TurnRecord, note: Callable[[str], None]) -> TurnRecord:
        """The turn with its reply, and the session as the turn leaves it.

        It is done where nothing is to be read.
        """
        ...

    def told(self, record: TurnRecord, status: Status, text: str) -> TurnRecord:
        """The turn with a reply in these words, and a session that nothing was done to."""
        ...

    def keep_session(self, record: TurnRecord) -> None:
        """Have the thread go on from the turn's session; the same however often."""
        ...


@dataclass(frozen=True, slots=True)
class LaneWork:
    """Takes turns and clicks through their stages, under the lease of their lane."""

    inbox: Inbox
    turns: FencedTurns
    """Where ``posting`` saves."""
    answers: AnswersTurns
    posting: Posting
    click: Callable[[Click], None]
    """Does what a button is for; raises PlatformError where that is to be tried again."""
    stops: Stops
    watch: Watch
    after: Callable[[TurnRecord], None] = lambda record: None
    """Told of each turn whose reply is posted, perhaps more than once."""
    leaving: threading.Event = field(default_factory=threading.Event)
    """Set where no further item should be begun."""

    def advance(self, lane: str) -> None:
        """Work on ``lane`` until nothing waits there, or somebody else has it."""
        lease = self.inbox.take(lane)
        if lease is None:
            return
        taken: Taken | None = None
        waits = 0.0
        try:
            while not self.leaving.is_set():
                waits = _AFTER_A_FAILURE
                taken = lease.next()
                if taken is None:
                    return
                with self.watch.over(lease, taken):
                    self._item(lease, taken)
                taken, waits = None, 0.0
        except LeaseLost:
            log.warning("a lane was taken over", extra={"action": "lease_lost"})
        except PlatformError as error:
            log.warning("a reply waits for its platform", exc_info=True)
            assert taken is not None
            lease.leave(_pause(error, taken), taken)
        finally:
            # Where the inbox does not answer, the lease ends by itself.
            with suppress(TurnStoreError):
                lease.leave(waits)

    def _item(self, lease: Lease, taken: Taken) -> None:
        match taken.item:
            case TurnRecord() as record:
                with tracing(record.trace_id), self.turns.under(lease, record.trace_id):
                    self._turn(lease, taken, record)
            case Click() as click:
                self._click(taken, click)
                lease.finish(taken)
            case None:
                log.error("%s is lost", taken.name, extra={"action": "item_lost"})
                lease.finish(taken)

    def _click(self, taken: Taken, click: Click) -> None:
        if taken.tries <= MOST_TRIES:
            self.click(click)
            return
        log.error("a click was begun too often", extra={"action": "click_poisonous"})
        text = _DEAD_BUTTON.format(trace_id=click.turn)
        self.posting.whisper(click.thread, click.author, text)

    def _turn(self, lease: Lease, taken: Taken, record: TurnRecord) -> None:
        if record.stage is TurnStage.ACCEPTED:
            record = self._answered(lease, taken, record)
            lease.save(record)
        if record.stage is TurnStage.ANSWERED:
            record = self._posted(taken, record)
            self.after(record)
        # The session has its own place by now, and need not be kept twice.
        lease.finish(taken, replace(record, stage=TurnStage.DONE, session=None))

    def _answered(self, lease: Lease, taken: Taken, record: TurnRecord) -> TurnRecord:
        if taken.tries > MOST_TRIES:
            log.error("a turn was begun too often", extra={"action": "turn_poisonous"})
            text = _POISON.format(trace_id=record.trace_id)
            return self.answers.told(record, Status.FAILED, text)
        if self.stops.stopped((record.trace_id,)):
            return self.answers.told(record, Status.REJECTED, _STOPPED)
        if is_quick(lease.lane) or record.message.way is Way.DIGEST:
            # Nobody waits for it, or not for long; and it may be that nothing is to be read.
            return self.answers.answered(record, lambda note: None)
        begun = self.posting.begin(record)
        with self.posting.showing(begun) as note:
            return self.answers.answered(begun, note)

    def _posted(self, taken: Taken, record: TurnRecord) -> TurnRecord:
        """``record`` with all of its reply in the thread, where that can be had."""
        if taken.tries > 2 * MOST_TRIES:
            return _lost(record)
        if taken.tries > MOST_TRIES and record.reply is not None and not record.posted:
            text = _NOT_POSTED.format(trace_id=record.trace_id)
            told = self.answers.told(record, Status.FAILED, text)
            record = replace(record, reply=told.reply)
        if record.message.thread.root:
            self.answers.keep_session(record)
        try:
            record = self.posting.deliver(record)
        except PostRefused:
            log.exception("a reply was refused", extra={"action": "reply_refused"})
            return _lost(record)
        except PlatformError:
            if taken.seconds > _GIVEN_UP_AFTER:
                return _lost(record)
            raise
        if not record.message.thread.root:
            # The first message of the reply began the thread whose session this is.
            self.answers.keep_session(record)
        return record


def _lost(record: TurnRecord) -> TurnRecord:
    log.error("a reply could not be posted", extra={"action": "reply_lost"})
    return record


def _pause(error: PlatformError, taken: Taken) -> float:
    """Seconds until a reply is tried again: the longer it has been so, the more."""
    if isinstance(error, RateLimited):
        return error.seconds
    return min(_MOST_SECONDS_BETWEEN, max(_AFTER_A_FAILURE, taken.seconds / 10))
