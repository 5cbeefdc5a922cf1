"""Posts one part of a reply once, however often the platform has to be asked."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from bot.counters import Counters
from bot.errors import PlatformError, PostRefused, RateLimited
from bot.messages import Thread
from bot.outbound.throttle import Pace, Throttle
from bot.outlet import Outlet, Part

log = logging.getLogger(__name__)

_Attempt = Callable[[Part, bool], str]
"""Tries to send a form of a part; told whether an earlier try may have done so."""

POSTS = Pace(seconds=1.0, burst=4)
"""Messages to one channel."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long one request is tried again."""

    tries: int = 8
    first_seconds: float = 1.0
    """The pause after the first failure; each further one is twice as long."""
    longest_seconds: float = 30.0
    turn_seconds: float = 300.0
    """How long to wait until a channel takes more."""
    sleep: Callable[[float], None] = time.sleep

    def for_progress(self) -> "Patience":
        """The same for what is of no use later: where a channel is full, its answers go first."""
        return replace(self, tries=min(self.tries, 2), turn_seconds=min(self.turn_seconds, 2.0))

    def pauses(self) -> Iterator[float]:
        """The seconds to wait before each try but the first."""
        for number in range(self.tries - 1):
            yield min(self.first_seconds * 2**number, self.longest_seconds)


@dataclass(frozen=True, slots=True)
class Posting:
    """Asks an outlet again where it did not answer, and for another form where it refused."""

    throttle: Throttle
    patience: Patience
    counters: Counters
    paces: Mapping[str, Pace] = field(default_factory=dict)
    """How often one channel of a platform takes a message, where that is not as in POSTS."""

    def post(self, outlet: Outlet, thread: Thread, part: Part, key: str, *, unsure: bool) -> str:
        """The id of the message that carries ``key``, posted now unless it stands there.

        ``unsure``: whether an earlier try may have posted it. Raises PostRefused where no form of
        ``part`` is taken, and PlatformError where the platform did not answer for so long.
        """

        def attempt(form: Part, doubtful: bool) -> str:
            found = outlet.posted(thread, key) if doubtful else None
            if found is not None:
                return found
            self._wait_in_row(thread)
            return outlet.post(thread, form, key)

        doubt = _Doubt(unsure)
        return self._first_taken(part, lambda form: self._tried(thread, form, attempt, doubt))

    def find(self, outlet: Outlet, thread: Thread, key: str) -> str:
        """The id of the message that carries ``key``, empty where there is none."""

        def attempt(form: Part, doubtful: bool) -> str:
            return outlet.posted(thread, key) or ""

        return self._tried(thread, Part(""), attempt, _Doubt(False))

    def edit(self, outlet: Outlet, thread: Thread, message_id: str, part: Part) -> None:
        """Put ``part`` in place of a message; raises as :meth:`post` does."""

        def attempt(form: Part, doubtful: bool) -> str:
            # To say the same again changes nothing, so that doubt needs no look.
            outlet.edit(thread, message_id, form)
            return message_id

        self._first_taken(part, lambda form: self._tried(thread, form, attempt, _Doubt(False)))

    def whisper(self, outlet: Outlet, thread: Thread, user: str, part: Part) -> None:
        """Show ``part`` to one person; raises as :meth:`post` does."""

        def attempt(form: Part, doubtful: bool) -> str:
            # Nobody can look it up; to be told twice is better than not at all.
            outlet.whisper(thread, user, form)
            return ""

        self._first_taken(part, lambda form: self._tried(thread, form, attempt, _Doubt(False)))

    def _first_taken(self, part: Part, post: Callable[[Part], str]) -> str:
        *others, last = (part, *part.instead)
        for form in others:
            try:
                return post(form)
            except PostRefused as refusal:
                log.warning("a message goes out in a plainer form: %s", refusal)
        return post(last)

    def _tried(self, thread: Thread, form: Part, attempt: _Attempt, doubt: "_Doubt") -> str:
        for pause in self.patience.pauses():
            try:
                return attempt(form, doubt.there)
            except (PostRefused, _NoRoom):
                raise
            except RateLimited as limit:
                log.info("a platform wants %.1f s of rest", limit.seconds)
                self.counters.limited(thread.platform)
                self.throttle.hold(row_of(thread), self._pace(thread), limit.seconds)
                self.patience.sleep(limit.seconds)
            except PlatformError as error:
                log.info("a platform did not answer: %s", error)
                doubt.there = True
                self.patience.sleep(pause)
        return attempt(form, doubt.there)

    def _pace(self, thread: Thread) -> Pace:
        return self.paces.get(thread.platform, POSTS)

    def _wait_in_row(self, thread: Thread) -> None:
        patience = self.patience.turn_seconds
        seconds = self.throttle.take(row_of(thread), self._pace(thread), patience)
        if seconds is None:
            raise _NoRoom("the channel has no room for one more message in time")
        if seconds:
            self.patience.sleep(seconds)


class _NoRoom(PlatformError):
    """So many messages wait for the channel that it is no use to wait behind them."""


@dataclass(slots=True)
class _Doubt:
    """Whether a try that failed may have posted the message."""

    there: bool


def row_of(thread: Thread) -> str:
    """What a channel's messages are paced by."""
    return f"post:{thread.platform}:{thread.channel}"
