"""Messages to workers: so many at a time, one question at a time in each thread."""

import logging
import threading
import time
from collections import deque
from functools import partial

from bot.addressing import is_for_us
from bot.chat_platform import ChatPlatform
from bot.conversation import Conversation
from bot.errors import PlatformError
from bot.messages import IncomingMessage, Reply, Status, Thread

log = logging.getLogger(__name__)

_Job = tuple[IncomingMessage, ChatPlatform]

FULL = "I am busy with other questions and cannot take one more. Please ask again in a minute."
CLOSING = "The service is stopping and takes no more questions."


class Dispatcher:
    """Takes messages from platforms and gives replies back to them."""

    def __init__(self, conversation: Conversation, workers: int, waiting: int) -> None:
        self._conversation = conversation
        self._workers = workers
        self._limit = waiting
        self._waiting: deque[_Job] = deque()
        self._busy: set[Thread] = set()
        self._closing = False
        self._state = threading.Condition()

    def dispatch(self, message: IncomingMessage, platform: ChatPlatform) -> None:
        """Have ``message`` answered in its turn, or say at once why not; returns at once."""
        if not is_for_us(message):
            return
        waits = False
        with self._state:
            refusal = self._refusal()
            if not refusal:
                thread_is_free = message.thread not in self._busy
                self._waiting.append((message, platform))
                # Where the thread itself is busy, its note tells what is done for that question.
                waits = not self._start_next() and thread_is_free
        if refusal:
            _send(platform, Reply(message.thread, Status.REJECTED, refusal))
        elif waits:
            platform.show_working(message.thread, "waiting for other questions to be answered")

    def close(self, grace_seconds: float = 10.0) -> bool:
        """Take nothing more and let what runs come to its end; False where it did not in time."""
        give_up = time.monotonic() + grace_seconds
        with self._state:
            self._closing = True
            self._waiting.clear()
            while self._busy and time.monotonic() < give_up:
                self._state.wait(give_up - time.monotonic())
            return not self._busy

    def _refusal(self) -> str:
        if self._closing:
            return CLOSING
        free = max(0, self._workers - len(self._busy))
        return FULL if len(self._waiting) >= self._limit + free else ""

    def _start_next(self) -> bool:
        """Start whatever may start; whether the newest job did. Called with the state held."""
        newest = self._waiting[-1] if self._waiting else None
        started = False
        for job in list(self._waiting):
            if len(self._busy) >= self._workers:
                break
            if job[0].thread in self._busy:
                continue
            self._waiting.remove(job)
            self._busy.add(job[0].thread)
            threading.Thread(target=self._run, args=job, daemon=True).start()
            started = started or job is newest
        return started

    def _run(self, message: IncomingMessage, platform: ChatPlatform) -> None:
        try:
            note = partial(platform.show_working, message.thread)
            _send(platform, self._conversation.outcome_of(message, note).reply)
        finally:
            with self._state:
                self._busy.discard(message.thread)
                self._start_next()
                self._state.notify_all()


def _send(platform: ChatPlatform, reply: Reply) -> None:
    try:
        platform.send(reply)
    except PlatformError:
        log.exception("a reply could not be posted", extra={"action": "reply_lost"})
