"""Who may stop what: a person their own questions, an administrator everybody's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.intake.inbox import Inbox
from bot.intake.lanes import is_beside
from bot.intake.stops import Stops
from bot.messages import Act, Click, Incoming, IncomingMessage, Thread, Way
from bot.turn_store import TurnRecord, TurnStage, TurnStore

NOTHING_RUNS = "There is nothing to stop here."
NOT_YOURS = "Only whoever asked, or an administrator, can stop that."
TOO_LATE = "That question is answered already."


def is_stop(incoming: Incoming) -> bool:
    """Whether it is the word stop alone, or the button."""
    if isinstance(incoming, Click):
        return incoming.act is Act.STOP
    written = incoming.way in (Way.MESSAGE, Way.COMMAND)
    return written and incoming.text.strip(" \t\n.!").lower() == "stop"


@dataclass(frozen=True, slots=True)
class Stopping:
    """Stops turns wherever they are worked on."""

    inbox: Inbox
    turns: TurnStore
    stops: Stops
    is_admin: Callable[[Incoming], bool]

    def act(self, incoming: Incoming, lane: str) -> str:
        """Stop what ``incoming`` means; what to tell whoever wrote or clicked where it cannot be.

        The word in a thread means all that its author has asked there and that is not answered;
        as a command, what is to begin threads of its own beside it.
        """
        if isinstance(incoming, Click):
            return self._one(incoming)
        lanes = (lane,) if incoming.thread.root else self._beside(incoming.thread)
        items = [item for each in lanes for item in self.inbox.waiting(each)]
        open_turns = [i for i in items if isinstance(i, TurnRecord) and _is_open(i)]
        return self._stop(open_turns, incoming) if open_turns else NOTHING_RUNS

    def _beside(self, place: Thread) -> Sequence[str]:
        return [lane for lane in self.inbox.lanes() if is_beside(lane, place)]

    def _one(self, click: Click) -> str:
        record = self.turns.load(click.turn)
        if record is None or not _is_open(record):
            return TOO_LATE
        return self._stop((record,), click)

    def _stop(self, records: Sequence[TurnRecord], incoming: Incoming) -> str:
        everybody = self.is_admin(incoming)
        mine = [r for r in records if everybody or _is_of(incoming, r.message)]
        for record in mine:
            self.stops.stop(record.trace_id, incoming.author)
        return "" if mine else NOT_YOURS


def _is_open(record: TurnRecord) -> bool:
    return record.stage is TurnStage.ACCEPTED


def _is_of(incoming: Incoming, message: IncomingMessage) -> bool:
    return message.author == incoming.author and message.way is not Way.DIGEST
