"""Settings to digests: their desk, their runs, and what looks which are due."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from bot.digests.asking import AsksAlone, Places
from bot.digests.digest_creation import DigestCreation
from bot.digests.digest_desk import DigestDesk
from bot.digests.digest_runs import DigestRuns
from bot.digests.digest_scheduler import DigestScheduler
from bot.digests.digest_store import DigestStore, Limits
from bot.digests.drafting import Drafting
from bot.digests.guarded_rights import GuardedRights
from bot.guard import Guard
from bot.messages import IncomingMessage
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.digests.redis_digests import RedisDigests


@dataclass(frozen=True, slots=True)
class Digests:
    """What a process that works does about digests."""

    desk: DigestDesk
    runs: DigestRuns
    scheduler: DigestScheduler


def open_digests(url: str) -> "RedisDigests":
    """The store of digests on the server at ``url``."""
    from bot.digests.redis_digests import RedisDigests

    return RedisDigests(url)


def build_digests(
    settings: Settings,
    store: DigestStore,
    asks: AsksAlone,
    guard: Guard,
    places: Places,
    receive: Callable[[IncomingMessage], None],
    clock: Callable[[], datetime],
) -> Digests:
    """Digests over ``store``; ``receive`` takes the same message in once."""
    digests, rights = settings.digests, GuardedRights(guard)
    catch_up = timedelta(hours=digests.catch_up_hours)
    creation = DigestCreation(
        store,
        Drafting(asks, settings.site.zone),
        rights,
        places,
        clock,
        Limits(digests.of_one_owner, digests.in_all),
        timedelta(minutes=digests.shortest_minutes),
    )
    return Digests(
        DigestDesk(creation, receive),
        DigestRuns(store, asks, rights, clock, catch_up),
        DigestScheduler(store, receive, clock),
    )


@contextmanager
def looking(scheduler: DigestScheduler, seconds: float) -> Iterator[threading.Thread]:
    """Look every so many seconds which digests are due, until the block is left; in that thread."""
    stopping = threading.Event()
    thread = threading.Thread(
        target=scheduler.run, args=(stopping, seconds), name="digests", daemon=True
    )
    thread.start()
    try:
        yield thread
    finally:
        stopping.set()
        thread.join(seconds + 30)
