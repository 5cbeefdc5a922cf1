"""The threads of the local page: who said what, what is being done, what may still be chosen."""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_urlsafe
from typing import Protocol

from agent import Choice
from bot.messages import Reply

_MOST_THREADS = 200
_TITLE_LENGTH = 80


@dataclass(frozen=True, slots=True)
class PageQuestion:
    """A bubble of the person's."""

    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PageReply:
    """A bubble of ours."""

    reply: Reply
    chosen: str | None = None
    """The id of the choice that was taken, once one was."""


Entry = PageQuestion | PageReply


@dataclass(slots=True)
class PageThread:
    """One thread; changed only by :class:`PageThreads`, under its lock."""

    id: str
    entries: list[Entry] = field(default_factory=list)
    working: list[str] = field(default_factory=list)
    """A note for each question that waits for its reply, oldest first."""
    version: int = 0
    """Grows with every change, so that a page can ask for what is new."""

    @property
    def title(self) -> str:
        """The first question, shortened."""
        first = next((e.text for e in self.entries if isinstance(e, PageQuestion)), "")
        line = " ".join(first.split())
        return line if len(line) <= _TITLE_LENGTH else f"{line[: _TITLE_LENGTH - 1]}…"

    @property
    def open_choices(self) -> tuple[Choice, ...]:
        """What may be chosen now: the choices of the last entry, once, while nothing is asked."""
        last = self.entries[-1] if self.entries else None
        if isinstance(last, PageReply) and last.chosen is None and not self.working:
            return last.reply.choices
        return ()


class ThreadArchive(Protocol):
    """Keeps what was said beyond the life of the process."""

    def load(self) -> Iterable[tuple[str, list[Entry]]]:
        """Every kept thread as its id and entries, the one used last at the end."""
        ...

    def save(self, thread_id: str, entries: Sequence[Entry]) -> None:
        """Replace what is kept of a thread."""
        ...

    def forget(self, thread_id: str) -> None:
        """Keep nothing more of a thread."""
        ...


class PageThreads:
    """All threads of the page, the least recently used forgotten first."""

    def __init__(self, clock: Callable[[], datetime], archive: ThreadArchive) -> None:
        self._clock = clock
        self._archive = archive
        self._lock = threading.RLock()
        self._threads = {known: PageThread(known, said) for known, said in archive.load()}

    def start(self) -> str:
        """The id of a new, empty thread."""
        with self._lock:
            thread = PageThread(token_urlsafe(9))
            self._threads[thread.id] = thread
            while len(self._threads) > _MOST_THREADS:
                oldest = next(iter(self._threads))
                del self._threads[oldest]
                self._archive.forget(oldest)
            return thread.id

    def ask(self, thread_id: str, text: str) -> bool:
        """Add a question; False where there is no such thread."""
        with self._lock:
            return self._add_question(thread_id, text)

    def choose(self, thread_id: str, choice_id: str) -> bool:
        """Take a choice of the last reply; False where it may not be taken (any more)."""
        with self._lock:
            thread = self._threads.get(thread_id)
            open_choices = thread.open_choices if thread else ()
            chosen = next((c for c in open_choices if c.id == choice_id), None)
            if thread is None or chosen is None:
                return False
            last = thread.entries[-1]
            assert isinstance(last, PageReply)
            thread.entries[-1] = PageReply(last.reply, chosen.id)
            return self._add_question(thread_id, chosen.label)

    def reply(self, thread_id: str, reply: Reply) -> bool:
        """Add a reply; False where the thread was forgotten."""
        with self._lock:
            thread = self._threads.get(thread_id)
            if thread is None:
                return False
            thread.entries.append(PageReply(reply))
            del thread.working[:1]
            thread.version += 1
            self._archive.save(thread_id, thread.entries)
            return True

    def note(self, thread_id: str, note: str) -> None:
        """Say what is being done for the oldest question that waits."""
        with self._lock:
            thread = self._threads.get(thread_id)
            if thread is not None and thread.working:
                thread.working[0] = note
                thread.version += 1

    def newest_first(self) -> list[PageThread]:
        """Copies of all threads that hold something, the one used last first."""
        with self._lock:
            used = [thread for thread in reversed(self._threads.values()) if thread.entries]
            return [_copy(thread) for thread in used]

    def get(self, thread_id: str) -> PageThread | None:
        """A copy of the thread."""
        with self._lock:
            thread = self._threads.get(thread_id)
            return None if thread is None else _copy(thread)

    def _add_question(self, thread_id: str, text: str) -> bool:
        thread = self._threads.pop(thread_id, None)
        if thread is None:
            return False
        # Put back at the end: the order of the dictionary is the order of use.
        self._threads[thread_id] = thread
        thread.entries.append(PageQuestion(text, self._clock()))
        thread.working.append("waiting for its turn")
        thread.version += 1
        self._archive.save(thread_id, thread.entries)
        return True


def _copy(thread: PageThread) -> PageThread:
    return PageThread(thread.id, list(thread.entries), list(thread.working), thread.version)
