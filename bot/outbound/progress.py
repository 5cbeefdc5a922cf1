"""Messages that show progress, edited in place and never more often than a platform likes."""

import logging
import threading
import time
from dataclasses import dataclass, field

from bot.counters import Counters, Uncounted
from bot.errors import PlatformError, RateLimited
from bot.outbound.throttle import Pace, Throttle
from bot.outlet import Outlet
from bot.turn_store import TurnRecord

log = logging.getLogger(__name__)

FIRST_NOTE = "working on it"
SECONDS = 2.0
"""Between two edits of one message."""
EDITS = Pace(seconds=1.5, burst=8)
"""Edits of progress on a whole platform: what a workspace allows, less what answers need."""


@dataclass(slots=True)
class _Shown:
    """One message: what it is to say, and who edits it now."""

    outlet: Outlet
    record: TurnRecord
    began: float
    note: str = FIRST_NOTE
    edited: threading.Lock = field(default_factory=threading.Lock)


class ProgressBoard:
    """Keeps the progress messages of all running turns; an edit that fails is left out."""

    def __init__(
        self,
        throttle: Throttle,
        counters: Counters | None = None,
        *,
        seconds: float = SECONDS,
    ) -> None:
        self._throttle = throttle
        self._counters = counters or Uncounted()
        self._seconds = seconds
        self._shown: dict[str, _Shown] = {}
        self._state = threading.Lock()
        self._ticks: threading.Thread | None = None

    def begin(self, outlet: Outlet, record: TurnRecord) -> None:
        """Edit the progress message of ``record`` from now on."""
        with self._state:
            self._shown[record.trace_id] = _Shown(outlet, record, time.monotonic())
            if self._ticks is None:
                self._ticks = threading.Thread(target=self._tick, name="progress", daemon=True)
                self._ticks.start()

    def note(self, trace_id: str, note: str) -> None:
        """What the message of that turn is to say at its next edit."""
        with self._state:
            if shown := self._shown.get(trace_id):
                shown.note = note

    def end(self, trace_id: str) -> None:
        """Edit it no more; returns once the last edit is over."""
        with self._state:
            shown = self._shown.pop(trace_id, None)
        if shown is not None:
            with shown.edited:
                return

    def _tick(self) -> None:
        while True:
            time.sleep(self._seconds)
            with self._state:
                running = list(self._shown.items())
                if not running:
                    self._ticks = None
                    return
            for trace_id, shown in running:
                with shown.edited:
                    if trace_id in self._shown:
                        self._edit(shown)

    def _edit(self, shown: _Shown) -> None:
        thread = shown.record.message.thread
        row = f"edits:{thread.platform}"
        elapsed = time.monotonic() - shown.began
        part = shown.outlet.progress(shown.note, elapsed, shown.record.trace_id)
        try:
            if self._throttle.take(row, EDITS, 0) is None:
                return
            shown.outlet.edit(thread, shown.record.progress, part)
        except RateLimited as limit:
            log.info("no progress is shown for %.1f s", limit.seconds)
            self._counters.limited(thread.platform)
            self._rest(row, limit.seconds)
        except PlatformError as error:
            log.info("progress could not be shown: %s", error)

    def _rest(self, row: str, seconds: float) -> None:
        try:
            self._throttle.hold(row, EDITS, seconds)
        except PlatformError as error:
            log.info("what paces edits does not answer: %s", error)
