"""The port to where sessions are kept."""

from contextlib import AbstractContextManager
from typing import Protocol

from agent import Session
from bot.messages import Thread


class SessionStore(Protocol):
    """One session for each thread. Every method raises SessionStoreError where it cannot work."""

    def load(self, thread: Thread) -> Session:
        """The thread's session; a new one for a new thread."""
        ...

    def save(self, thread: Thread, session: Session) -> None:
        """Replace the thread's session.

        Only inside :meth:`hold`: where the thread is not held, or no longer, it raises
        SessionStoreError and the session stays as it was.
        """
        ...

    def hold(self, thread: Thread) -> AbstractContextManager[None]:
        """Keep every other worker off the thread meanwhile; raises ThreadBusy after a long wait."""
        ...
