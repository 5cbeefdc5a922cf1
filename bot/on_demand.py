"""A code agent that is made when the first chart is wanted."""

import logging
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.code_agent import CodeAgent

_log = logging.getLogger(__name__)


class OnDemand:
    """A code agent that is made when first wanted; threads that want it at once share it."""

    def __init__(self, make: "Callable[[], CodeAgent]") -> None:
        self._make = make
        self._lock = Lock()
        self._made: CodeAgent | None = None

    def get(self) -> "CodeAgent":
        """The code agent; raises SandboxUnavailable where no code can be isolated."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

    def warm_up(self) -> None:
        """Make it, and have its sandbox ready; a host that has none is told of in the log."""
        from sandbox.errors import SandboxUnavailable

        try:
            self.get().sandbox.warm_up()
        except SandboxUnavailable as error:
            extra = {"action": "no-sandbox"}
            _log.warning("No sandbox for charts: %s", error, extra=extra)

    def close(self) -> None:
        """End its sandbox, if it was ever made."""
        with self._lock:
            if self._made is not None:
                self._made.sandbox.close()
