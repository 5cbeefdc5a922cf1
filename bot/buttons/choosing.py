"""A choice made by a button: once for each question back, and seen by everybody in the thread."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from agent import Choice
from bot.buttons.claims import Claim, claimed
from bot.buttons.places import place_of
from bot.buttons.speaking import Speaks
from bot.errors import PlatformError
from bot.messages import Click, IncomingMessage, Way
from bot.turn_store import TurnRecord, TurnStage, TurnStore

log = logging.getLogger(__name__)

EXPIRED = "That question is too old to be answered by a button. Please ask again."
ENDED = "These choices have expired."
ANSWERED_IN_WORDS = "That question was answered in words already."
OF_THE_AUTHOR = "Only whoever wrote that can choose here."


@dataclass(frozen=True, slots=True)
class Choosing:
    """Has a choice put as if it had been written, by whoever pressed the button."""

    turns: TurnStore
    speaks: Speaks
    receive: Callable[[IncomingMessage], None]
    """Takes the choice in; the same one twice is taken in once."""
    lives: timedelta
    """How long after its question a button still counts."""

    def choose(self, click: Click, record: TurnRecord) -> None:
        """Make the choice of ``click``, or tell its author why not.

        Raises PlatformError where the question back is not all posted yet.
        """
        if record.stage is not TurnStage.DONE:
            raise PlatformError("the choices are still being posted")
        choice = _choice(record, click.value)
        if choice is None or click.at - record.message.sent_at > self.lives:
            self._expire(click, record)
            return
        if _is_personal(record) and click.author != record.message.author:
            self.speaks.whisper(place_of(click, record), click.author, OF_THE_AUTHOR)
            return
        claim = Claim(click.click_id, click.author, choice.id)
        stands = claimed(self.turns, click.turn, claim)
        if stands != claim:
            self._too_late(click, record, stands)
            return
        # Before anything else, so that nobody presses what does nothing any more.
        self.speaks.settle(record, f"chose: {choice.label}", click.author)
        self.receive(_message(click, record))
        extra = {"action": "choice_made", "trace": click.turn, "choice": choice.id}
        log.info("a choice was made", extra=extra)

    def _expire(self, click: Click, record: TurnRecord) -> None:
        stands = claimed(self.turns, click.turn, Claim(click.click_id))
        if stands.author:
            self._too_late(click, record, stands)
            return
        self.speaks.settle(record, ENDED)
        self.speaks.whisper(place_of(click, record), click.author, EXPIRED)

    def _too_late(self, click: Click, record: TurnRecord, stands: Claim) -> None:
        """Somebody was first; who presses again what they chose themselves is told nothing."""
        if stands.author == click.author and stands.choice == click.value:
            return
        made = _choice(record, stands.choice)
        if not stands.author:
            text = EXPIRED
        elif made is None:
            text = ANSWERED_IN_WORDS
        else:
            text = f"“{made.label}” was chosen already."
        self.speaks.whisper(place_of(click, record), click.author, text)


def _choice(record: TurnRecord, choice_id: str) -> Choice | None:
    choices = record.reply.choices if record.reply else ()
    return next((choice for choice in choices if choice.id == choice_id), None)


def _is_personal(record: TurnRecord) -> bool:
    """Whether what was begun is kept for its author: what is said about a digest."""
    return record.message.text.split()[:1] == ["digest"]


def _message(click: Click, record: TurnRecord) -> IncomingMessage:
    """The choice as what its author wrote; the same however often it is made."""
    return IncomingMessage(
        place_of(click, record),
        f"choice:{click.turn}",
        click.author,
        click.value,
        click.at,
        addressed=True,
        way=Way.CHOICE,
        direct=record.message.direct,
    )
