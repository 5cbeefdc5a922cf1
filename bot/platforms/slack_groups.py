"""The user groups of a workspace, for the roles that are given to groups."""

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from slack_sdk.errors import SlackClientError

from bot.errors import PlatformError
from bot.platforms.slack_outlet import ClientOf

log = logging.getLogger(__name__)

_Members = Mapping[str, frozenset[str]]
_PLATFORM = "slack"


@dataclass(slots=True)
class SlackGroups:
    """Asks for all groups of a workspace at once, and for some time not again."""

    client_of: ClientOf
    fresh_seconds: float = 60.0
    kept_seconds: float = 600.0
    """For how long an answer stands in for one that cannot be had."""
    clock: Callable[[], float] = time.monotonic
    _known: dict[str, tuple[_Members, float]] = field(default_factory=dict)
    _asking: threading.Lock = field(default_factory=threading.Lock)

    def of(self, platform: str, author: str, channel: str) -> Collection[str]:
        """The ids of the groups that a person is in; none where Slack has not told for too long."""
        if platform != _PLATFORM:
            return ()
        members = self._members(channel.partition("/")[0])
        return tuple(group for group, people in members.items() if author in people)

    def _members(self, team: str) -> _Members:
        with self._asking:
            known, asked_at = self._known.get(team, ({}, -float("inf")))
            if self.clock() - asked_at <= self.fresh_seconds:
                return known
            try:
                known = self._asked(team)
            except (SlackClientError, OSError, PlatformError) as error:
                log.warning("no user groups: %s", error, extra={"action": "no_groups"})
                return known if self.clock() - asked_at <= self.kept_seconds else {}
            self._known[team] = (known, self.clock())
            return known

    def _asked(self, team: str) -> _Members:
        told: Any = self.client_of(team).usergroups_list(include_users=True)
        return {
            str(group["id"]): frozenset(group.get("users") or ()) for group in told["usergroups"]
        }
