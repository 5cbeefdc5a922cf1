"""SessionStore in memory: sessions that live as long as the process."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from agent import Session
from bot.errors import SessionStoreError, ThreadBusy
from bot.messages import Thread


class MemorySessions:
    """SessionStore for a single question, a console chat, and tests."""

    def __init__(self, wait_seconds: float = 120.0) -> None:
        self._wait_seconds = wait_seconds
        self._sessions: dict[Thread, Session] = {}
        self._locks: dict[Thread, Lock] = {}
        self._guard = Lock()

    def load(self, thread: Thread) -> Session:
        """The thread's session; a new one for a new thread."""
        return self._sessions.get(thread, Session())

    def save(self, thread: Thread, session: Session) -> None:
        """Replace the thread's session; raises SessionStoreError where it is not held."""
        if not self._lock_of(thread).locked():
            raise SessionStoreError("a session can only be saved while its thread is held")
        self._sessions[thread] = session

    @contextmanager
    def hold(self, thread: Thread) -> Iterator[None]:
        """Keep every other worker off the thread meanwhile; raises ThreadBusy."""
        lock = self._lock_of(thread)
        if not lock.acquire(timeout=self._wait_seconds):
            raise ThreadBusy("another question keeps this thread busy")
        try:
            yield
        finally:
            lock.release()

    def _lock_of(self, thread: Thread) -> Lock:
        with self._guard:
            return self._locks.setdefault(thread, Lock())
