"""The workers of one process: threads that do tasks, and one that looks for what was missed."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from bot.errors import TurnStoreError
from bot.intake.inbox import Inbox
from bot.intake.lane_work import LaneWork
from bot.intake.reception import TellsWorkers
from bot.intake.watch import Watch
from bot.messages import Thread

log = logging.getLogger(__name__)


class RunsTasks(TellsWorkers, Protocol):
    """Does tasks in threads of this process."""

    def start(
        self, advance: Callable[[str], None], whisper: Callable[[Thread, str, str], None]
    ) -> None:
        """Begin; returns at once."""
        ...

    def stop(self, seconds: float) -> None:
        """Begin no further task, and wait so long for those that run."""
        ...

    def alive(self) -> bool:
        """Whether every thread that was started still runs."""
        ...


@dataclass(frozen=True, slots=True)
class Workers:
    """Work from :meth:`start` to :meth:`stop`."""

    work: LaneWork
    tasks: RunsTasks
    inbox: Inbox
    watch: Watch
    look_seconds: float = 1.0
    ended: threading.Event = field(default_factory=threading.Event)
    sweepers: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Begin; returns at once."""
        self.watch.start()
        self.tasks.start(self.work.advance, self.work.posting.whisper)
        sweeper = threading.Thread(target=self._sweep, name="inbox-sweeper", daemon=True)
        sweeper.start()
        self.sweepers.append(sweeper)

    def parts(self) -> Mapping[str, Callable[[], bool]]:
        """Whether each part that has to run still does, by name, once it was started."""
        return {
            "inbox-sweeper": lambda: all(sweeper.is_alive() for sweeper in self.sweepers),
            "lease-watch": self.watch.alive,
            "tasks": self.tasks.alive,
        }

    def stop(self, grace_seconds: float) -> None:
        """Let what runs come to its end; what takes longer is handed over to other workers."""
        self.work.leaving.set()
        self.ended.set()
        for sweeper in self.sweepers:
            sweeper.join()
        self.tasks.stop(grace_seconds)
        try:
            for lane in self.watch.hand_over():
                self.tasks.advance(lane)
        except TurnStoreError:
            log.warning("what runs is taken over once its leases end", exc_info=True)
        self.watch.close()

    def _sweep(self) -> None:
        while not self.ended.wait(self.look_seconds):
            try:
                for lane in self.inbox.due():
                    self.tasks.advance(lane)
            except TurnStoreError:
                log.warning("the inbox does not answer", exc_info=True)
