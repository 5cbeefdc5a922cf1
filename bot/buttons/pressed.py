"""Every button below an answer: whoever may press it, and what it does."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from bot.buttons.choosing import Choosing
from bot.buttons.evidence import EvidenceDesk
from bot.buttons.places import is_of, place_of
from bot.buttons.speaking import Speaks
from bot.buttons.voting import Voting
from bot.errors import PostRefused
from bot.messages import Act, Click, IncomingMessage
from bot.turn_store import TurnRecord, TurnStore

log = logging.getLogger(__name__)

FORGOTTEN = "I do not remember that answer any more, so its buttons do nothing. Please ask again."
NOT_SHOWN = "That cannot be shown here. Reference: {turn}"
NOT_RUNNING = "There is nothing to stop here."


@dataclass(frozen=True, slots=True)
class Buttons:
    """Acts on clicks from what is kept of their turns: any process can, at any time."""

    turns: TurnStore
    speaks: Speaks
    refusal: Callable[[Click, IncomingMessage], str]
    """Why a click on the answer to that message may not be, in words; empty where it may."""
    choosing: Choosing
    evidence: EvidenceDesk
    voting: Voting

    def act(self, click: Click) -> None:
        """Do what the button is for, or tell whoever pressed it why not.

        The same click twice does nothing twice. Raises TurnStoreError, and PlatformError where
        it is to be tried again.
        """
        record = self.turns.load(click.turn)
        if record is None or not is_of(click, record):
            self.speaks.whisper(click.thread, click.author, FORGOTTEN)
            return
        if refused := self.refusal(click, record.message):
            self.speaks.whisper(place_of(click, record), click.author, refused)
            return
        try:
            self._do(click, record)
        except PostRefused:
            log.exception("what a button is for was refused", extra={"action": "click_refused"})
            text = NOT_SHOWN.format(turn=click.turn)
            self.speaks.whisper(place_of(click, record), click.author, text)

    def _do(self, click: Click, record: TurnRecord) -> None:
        match click.act:
            case Act.CHOOSE:
                self.choosing.choose(click, record)
            case Act.QUERY:
                self.evidence.show_query(click, record)
            case Act.WORK:
                self.evidence.show_work(click, record)
            case Act.CSV:
                self.evidence.send_tables(click, record)
            case Act.HELPFUL | Act.UNHELPFUL:
                self.voting.vote(click, record)
            case Act.STOP:
                # What can be stopped is stopped at the door, and never comes this far.
                self.speaks.whisper(place_of(click, record), click.author, NOT_RUNNING)
            case _:
                assert_never(click.act)
