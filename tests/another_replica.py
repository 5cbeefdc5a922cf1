"""A further process of a running service, whose clock shows a later time."""

from contextlib import closing
from datetime import datetime
from pathlib import Path

from bot.access_wiring import build_guard
from bot.digest_wiring import open_digests
from bot.digests.digest_scheduler import DigestScheduler
from bot.intake_wiring import build_reception, open_kept
from bot.settings import Settings


def look_for_digests(data: Path, now: datetime, times: int = 2) -> None:
    """Look which digests are due at ``now``, as the service over ``data`` does, so many times."""
    settings = Settings(data=data)
    with open_kept(settings) as kept, closing(open_digests(kept.url)) as store:
        door = build_reception(kept, lambda message: True, build_guard(settings).is_admin)
        for _ in range(times):
            DigestScheduler(store, door.receive, lambda: now).look()
