"""The groups of people that a Mattermost server has, for the roles that are given to groups."""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from urllib.parse import quote

from bot.errors import PlatformError, PostRefused
from bot.platforms.mattermost_channels import Get

log = logging.getLogger(__name__)

_PLATFORM = "mattermost"
_PEOPLE = 10_000


@dataclass(slots=True)
class MattermostGroups:
    """Asks for the groups of each person, and for some time not again.

    A server without a licence for groups has none: then those count that the access file lists.
    """

    get: Get
    fresh_seconds: float = 60.0
    kept_seconds: float = 600.0
    """For how long an answer stands in for one that cannot be had."""
    clock: Callable[[], float] = time.monotonic
    _known: OrderedDict[str, tuple[tuple[str, ...], float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, platform: str, author: str, channel: str) -> Collection[str]:
        """The ids of the groups that a person is in; none where that is not told for too long."""
        if platform != _PLATFORM or not author:
            return ()
        with self._lock:
            known, asked_at = self._known.get(author, ((), -float("inf")))
        if self.clock() - asked_at <= self.fresh_seconds:
            return known
        try:
            groups = self._asked(author)
        except PlatformError as error:
            log.warning("no groups: %s", error, extra={"action": "no_groups"})
            return known if self.clock() - asked_at <= self.kept_seconds else ()
        with self._lock:
            self._known[author] = (groups, self.clock())
            self._known.move_to_end(author)
            while len(self._known) > _PEOPLE:
                self._known.popitem(last=False)
        return groups

    def _asked(self, author: str) -> tuple[str, ...]:
        try:
            told = self.get(f"/users/{quote(author, safe='')}/groups")
        except PostRefused as error:
            # It has no groups, or none that are for us to know: that is an answer.
            log.info("no groups: %s", error)
            return ()
        return tuple(str(group["id"]) for group in told)
