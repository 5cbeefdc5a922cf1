"""What the service says to people, whatever the platform: answers, progress, notices, whispers."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

from agent import Choice
from bot.counters import Counters, Uncounted
from bot.engaged import EngagedThreads
from bot.errors import BotError, PlatformError, PostRefused
from bot.messages import Reply, Status, Thread
from bot.outbound.posting import Patience, Posting
from bot.outbound.progress import FIRST_NOTE, ProgressBoard
from bot.outbound.throttle import Pace, Throttle
from bot.outlet import Outlet, Part
from bot.turn_store import TurnRecord, TurnStage

log = logging.getLogger(__name__)

REFUSED = "refused"
"""Stands for the id of a message that the platform would take in no form."""
_ANSWERED = "Answered below."


class Keeps(Protocol):
    """Where a turn is kept while it is worked on."""

    def save(self, record: TurnRecord) -> None:
        """Keep ``record``; raises where nothing more may be posted for it from here."""
        ...


@dataclass(frozen=True, slots=True)
class Gateway:
    """The one place that posts; so it paces, marks and remembers for everybody."""

    outlets: Mapping[str, Outlet]
    """By the name of their platform."""
    turns: Keeps
    throttle: Throttle
    engaged: EngagedThreads
    progress: ProgressBoard
    counters: Counters = field(default_factory=Uncounted)
    patience: Patience = field(default_factory=Patience)
    paces: Mapping[str, Pace] = field(default_factory=dict)
    """How often one channel takes a message, by platform, where it is not the usual pace."""

    def begin(self, record: TurnRecord) -> TurnRecord:
        """Show at once that an answer is on its way; the record, saved, with that message.

        Never raises PlatformError: an answer needs no progress message. There is none where the
        answer itself is to begin its thread.
        """
        thread = record.message.thread
        if record.progress or not thread.root:
            return record
        part = self._outlet(thread).progress(FIRST_NOTE, 0, record.trace_id)
        try:
            posting = replace(self._posting(), patience=self.patience.for_progress())
            record, message_id = self._once(record, thread, part, _progress_key(record), posting)
        except PlatformError:
            log.warning("progress could not be shown", exc_info=True)
            return _with(record, _progress_key(record), "")
        if message_id == REFUSED:
            return record
        return self._kept(replace(record, progress=message_id))

    @contextmanager
    def showing(self, record: TurnRecord) -> Iterator[Callable[[str], None]]:
        """Keep the progress message up to date meanwhile, by the notes given."""
        if not record.progress:
            yield lambda note: None
            return
        self.progress.begin(self._outlet(record.message.thread), record)
        try:
            yield lambda note: self.progress.note(record.trace_id, note)
        finally:
            self.progress.end(record.trace_id)

    def deliver(self, record: TurnRecord) -> TurnRecord:
        """Post the reply of ``record``, each part once; the record, saved, that is done.

        May be called again with whatever record was saved last. Raises PlatformError where the
        platform does not answer for as long as ``patience`` says; nothing is lost by that.
        """
        reply = record.reply
        assert reply is not None, "there is nothing to deliver yet"
        thread = _thread_of(record)
        parts, posting = self._outlet(thread).parts(reply, record.trace_id), self._posting()
        for number, part in enumerate(parts):
            key = part_key(record, number)
            record, message_id = self._once(record, thread, part, key, posting)
            if message_id == REFUSED:
                self._tell_of_refusal(record)
            elif not thread.root:
                thread = replace(thread, root=message_id)
                self.engaged.add(thread)
        self._end_progress(record)
        return self._kept(replace(record, stage=TurnStage.DONE))

    def settle(self, record: TurnRecord, note: str, by: str = "") -> None:
        """Take the choices of a delivered reply away and say ``note`` there; never raises.

        ``by``: of whom that is said, put before the note as the platform names people.
        """
        if record.reply is None:
            return
        thread = _thread_of(record)
        outlet = self._outlet(thread)
        ids = dict(record.posted)
        for number, part in enumerate(outlet.parts(record.reply, record.trace_id)):
            settled = outlet.settled(part, note, by)
            message_id = ids.get(part_key(record, number), "")
            if settled is not part and message_id not in ("", REFUSED):
                self._edit(thread, message_id, settled)

    def say(self, thread: Thread, reply: Reply, key: str) -> tuple[str, ...]:
        """Post ``reply`` without buttons; the ids of its messages.

        Said again with the same ``key``, nothing is posted twice. Raises PlatformError.
        """
        outlet, posting = self._outlet(thread), self._posting()
        ids: list[str] = []
        for number, part in enumerate(outlet.parts(reply, "")):
            ids.append(posting.post(outlet, thread, part, f"{key}-{number}", unsure=True))
            thread = thread if thread.root else replace(thread, root=ids[0])
            self.engaged.add(thread)
        return tuple(ids)

    def whisper(self, thread: Thread, user: str, markdown: str) -> None:
        """Tell ``user`` alone; never raises, as whoever is told waits for nothing."""
        reply = Reply(thread, Status.COMPLETED, markdown)
        self._whisper(thread, user, self._outlet(thread).parts(reply, ""))

    def ask_why(
        self, thread: Thread, user: str, text: str, reasons: tuple[Choice, ...], turn: str
    ) -> None:
        """Ask ``user`` alone why an answer did not help, as a menu of reasons; never raises."""
        self._whisper(thread, user, (self._outlet(thread).why(text, reasons, turn),))

    def _whisper(self, thread: Thread, user: str, parts: tuple[Part, ...]) -> None:
        outlet, posting = self._outlet(thread), self._posting()
        for part in parts:
            try:
                posting.whisper(outlet, thread, user, part)
            except PlatformError:
                log.exception("a person could not be told", extra={"action": "whisper_lost"})
                return

    def _once(
        self, record: TurnRecord, thread: Thread, part: Part, key: str, posting: Posting
    ) -> tuple[TurnRecord, str]:
        """Post ``part`` unless the record or the platform has it; the record says so."""
        begun = dict(record.posted)
        if begun.get(key):
            return record, begun[key]
        if key not in begun:
            record = self._marked(record, key, "")
        outlet = self._outlet(thread)
        try:
            message_id = posting.post(outlet, thread, part, key, unsure=key in begun)
        except PostRefused:
            log.exception(
                "a message was refused in every form",
                extra={"action": "reply_refused", "trace": record.trace_id},
            )
            return self._marked(record, key, REFUSED), REFUSED
        if thread.root:
            self.engaged.add(thread)
        return self._marked(record, key, message_id), message_id

    def _marked(self, record: TurnRecord, key: str, message_id: str) -> TurnRecord:
        """``record``, kept, with that part begun or posted."""
        return self._kept(_with(record, key, message_id))

    def _kept(self, record: TurnRecord) -> TurnRecord:
        self.turns.save(record)
        return record

    def _tell_of_refusal(self, record: TurnRecord) -> None:
        told = f"A part of my answer could not be shown here. Reference: {record.trace_id}"
        self.whisper(_thread_of(record), record.message.author, told)

    def _end_progress(self, record: TurnRecord) -> None:
        thread, key = _thread_of(record), _progress_key(record)
        message_id = record.progress
        try:
            if not message_id and dict(record.posted).get(key) == "":
                # Whether it was posted was never heard.
                message_id = self._posting().find(self._outlet(thread), thread, key)
        except PlatformError:
            log.warning("a progress message may stand there for ever", exc_info=True)
        if message_id:
            self._edit(thread, message_id, Part(_ANSWERED))

    def _edit(self, thread: Thread, message_id: str, part: Part) -> None:
        try:
            self._posting().edit(self._outlet(thread), thread, message_id, part)
        except PlatformError:
            log.exception("a message could not be edited", extra={"action": "edit_lost"})

    def _posting(self) -> Posting:
        return Posting(self.throttle, self.patience, self.counters, self.paces)

    def _outlet(self, thread: Thread) -> Outlet:
        try:
            return self.outlets[thread.platform]
        except KeyError:
            raise BotError(f"nothing goes out to {thread.platform}") from None


def part_key(record: TurnRecord, number: int) -> str:
    """What marks the part of that number of a turn's reply."""
    return f"{record.trace_id}-{number}"


def _with(record: TurnRecord, key: str, message_id: str) -> TurnRecord:
    posted = {**dict(record.posted), key: message_id}
    return replace(record, posted=tuple(posted.items()))


def _progress_key(record: TurnRecord) -> str:
    return f"{record.trace_id}-progress"


def _thread_of(record: TurnRecord) -> Thread:
    """Where the reply stands: a thread of its own begins with its first message."""
    thread = record.message.thread
    first = dict(record.posted).get(part_key(record, 0), "")
    if thread.root or first in ("", REFUSED):
        return thread
    return replace(thread, root=first)
