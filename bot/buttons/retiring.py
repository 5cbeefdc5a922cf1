"""Takes the buttons of a question back away once its thread has gone on without them."""

from dataclasses import dataclass, replace

from agent import Turn
from bot.buttons.claims import Claim, claimed
from bot.buttons.open_choices import OpenChoices
from bot.buttons.speaking import Speaks
from bot.messages import Thread
from bot.turn_store import TurnRecord, TurnStore

ASKED_ON = "wrote something else instead."


@dataclass(frozen=True, slots=True)
class Retiring:
    """Is told of every turn once its reply is posted; told twice, it does the same."""

    turns: TurnStore
    speaks: Speaks
    open_choices: OpenChoices

    def after(self, record: TurnRecord) -> None:
        """Remember the choices that ``record`` leaves open, and end those it has settled."""
        reply, session = record.reply, record.session
        offers = reply is not None and bool(reply.choices)
        settles = session is not None and session.pending is None
        if not offers and not settles:
            return
        thread = _thread_of(record)
        earlier = self.open_choices.of(thread)
        if earlier and earlier != record.trace_id:
            self._retire(earlier, record)
        if offers:
            self.open_choices.put(thread, record.trace_id)
        elif earlier:
            self.open_choices.forget(thread)

    def _retire(self, turn: str, by: TurnRecord) -> None:
        claim = Claim(by.trace_id, by.message.author)
        if claimed(self.turns, turn, claim) != claim:
            return
        record = self.turns.load(turn)
        if record is not None:
            self.speaks.settle(record, _note(record, by), by.message.author)


def _note(record: TurnRecord, by: TurnRecord) -> str:
    """Which of the choices was made in words; or that none was."""
    made = _last_settled(by)
    choices = record.reply.choices if record.reply else ()
    label = next((choice.label for choice in choices if choice.id == made), None)
    return ASKED_ON if label is None else f"chose in words: {label}"


def _last_settled(record: TurnRecord) -> str:
    """The id of the choice that the turn made last; empty where it made none."""
    session = record.session
    if session is None:
        return ""
    turn: Turn | None = session.turns[-1] if session.turns else None
    if session.pending is not None:
        turn = session.pending.turn
    return turn.settled[-1][1] if turn is not None and turn.settled else ""


def _thread_of(record: TurnRecord) -> Thread:
    thread = record.message.thread
    if thread.root:
        return thread
    return replace(thread, root=dict(record.posted).get(f"{record.trace_id}-0", ""))
