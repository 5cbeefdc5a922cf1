"""Takes in what a platform hands over: kept before it returns, or stopped at once."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from bot.errors import TurnStoreError
from bot.intake.inbox import Admission, Inbox
from bot.intake.lanes import is_quick, lane_of
from bot.intake.stopping import Stopping, is_stop
from bot.messages import Incoming, IncomingMessage, Thread, Way

log = logging.getLogger(__name__)

FULL = "Too many questions wait in this thread. Please ask again once some are answered."


class TellsWorkers(Protocol):
    """Tells whichever worker is free; what gets lost on the way, workers find by themselves."""

    def advance(self, lane: str) -> None:
        """There is something to do in ``lane``; raises TurnStoreError."""
        ...

    def whisper(self, thread: Thread, user: str, text: str) -> None:
        """One person is to be told ``text``; raises TurnStoreError."""
        ...


@dataclass(frozen=True, slots=True)
class Reception:
    """The one door for what people write, click and command."""

    inbox: Inbox
    stopping: Stopping
    workers: TellsWorkers
    is_for_us: Callable[[IncomingMessage], bool]
    dropped: Callable[[], None] = lambda: None
    """Told of each duplicate."""
    added: Callable[[Incoming], None] = lambda incoming: None
    """Told of what is worked on from now; never raises."""

    def receive(self, incoming: Incoming) -> None:
        """Have ``incoming`` worked on; once this returns it may be acknowledged.

        Raises TurnStoreError where it could not be kept: then the platform should hand it in again.
        """
        if isinstance(incoming, IncomingMessage):
            if incoming.way is Way.MESSAGE and not self.is_for_us(incoming):
                return
            incoming = replace(incoming, text=_whole(incoming.text))
        lane = lane_of(incoming)
        if is_stop(incoming):
            self._stop(incoming, lane)
            return
        added = self.inbox.add(incoming, lane)
        match added.admission:
            case Admission.KNOWN:
                self.dropped()
                return
            case Admission.FULL:
                self._tell(incoming, FULL)
                return
            case Admission.ADDED:
                self._advance(lane)
                self.added(incoming)
        if added.ahead and not is_quick(lane):
            self._tell(incoming, _waits(added.ahead))

    def _stop(self, incoming: Incoming, lane: str) -> None:
        if self.inbox.has(incoming):
            self.dropped()
            return
        told = self.stopping.act(incoming, lane)
        # Only now: what breaks off before is handed in again, and stops the same turns.
        self.inbox.remember(incoming)
        if told:
            self._tell(incoming, told)

    def _advance(self, lane: str) -> None:
        try:
            self.workers.advance(lane)
        except TurnStoreError:
            log.warning("no worker could be told; one will look by itself", exc_info=True)

    def _tell(self, incoming: Incoming, text: str) -> None:
        try:
            self.workers.whisper(incoming.thread, incoming.author, text)
        except TurnStoreError:
            log.warning("nobody could be told that they wait", exc_info=True)


def _waits(ahead: int) -> str:
    before = "the question before it is" if ahead == 1 else f"the {ahead} before it are"
    return f"Noted: I take this up as soon as {before} answered."


def _whole(text: str) -> str:
    """``text`` as it can be kept: half of a character, which JSON may carry, cannot."""
    return text.encode("utf-8", "replace").decode()
