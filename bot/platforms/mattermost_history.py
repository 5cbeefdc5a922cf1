"""What was written in Mattermost while nobody of us listened, read from the channels."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from bot.errors import PlatformError, PostRefused, RateLimited
from bot.platforms.mattermost_channels import Get
from bot.platforms.mattermost_events import Post, read_post

log = logging.getLogger(__name__)

_PAGE = 200
_PAGES = 50
_LONGEST_REST = 10.0
_RESTS = 60
# A post may be dated later than now, where it was imported; nothing is known of that time yet.
_AHEAD = timedelta(minutes=1)


class Heard(Protocol):
    """Remembers which posts were heard; raises TurnStoreError. See ``RedisHeard``."""

    def since(self) -> int | None:
        """From when on there may be posts that were not heard; None where nothing ever was."""
        ...

    def has(self, post: str) -> bool:
        """Whether the post of this id was heard."""
        ...

    def note(self, post: str, created: int) -> None:
        """A post was heard, and is stored if it is for us."""
        ...

    def begin(self, now: int) -> None:
        """What was written up to ``now`` is no matter of ours."""
        ...

    def complete(self, until: int) -> None:
        """All posts of before ``until`` were heard."""
        ...


@dataclass(frozen=True, slots=True)
class Unheard:
    """The posts that were not heard, the oldest first, and up to when these are all."""

    posts: tuple[Post, ...]
    until: int
    """0 where nothing was ever written in a channel of ours."""


@dataclass(frozen=True, slots=True)
class _Channel:
    id: str
    kind: str
    newest: int
    """When something was posted last."""


@contextmanager
def understood() -> Iterator[None]:
    """Raise PlatformError where an answer of Mattermost has not the form that it should have."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise PlatformError(f"what Mattermost answers cannot be read: {error!r}") from error


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class MattermostHistory:
    """Finds what was not heard in the bot's channels.

    What is older than ``oldest`` is left alone: nobody waits for an answer to it any more.
    """

    get: Get
    heard: Heard
    oldest: timedelta = timedelta(hours=1)
    clock: Callable[[], datetime] = field(default=_utc_now)
    rest: Callable[[float], object] = time.sleep
    """Waits for so many seconds, where Mattermost wants to be asked later."""

    def unheard(self) -> Unheard:
        """What is there; where nothing was ever heard, we begin now, and it is nothing.

        Raises PlatformError and TurnStoreError.
        """
        since, channels = self.heard.since(), self._channels()
        now = self.clock()
        newest = max((channel.newest for channel in channels), default=0)
        until = min(newest, _milliseconds(now + _AHEAD))
        if since is None:
            if channels:
                self.heard.begin(until)
            return Unheard((), until)
        floor = max(since, _milliseconds(now - self.oldest))
        found = [
            post
            for channel in channels
            if channel.newest > floor
            for post in self._after(floor, channel)
            if not self.heard.has(post.id)
        ]
        return Unheard(tuple(sorted(found, key=lambda post: post.created)), until)

    def _channels(self) -> tuple["_Channel", ...]:
        """The channels that the bot is in; those of two people come with each team."""
        with understood():
            # Nothing at all is null there, rather than an empty list.
            teams = [str(team["id"]) for team in self._asked("/users/me/teams") or ()]
            rows = [
                row
                for team in teams
                for row in self._asked(f"/users/me/teams/{team}/channels") or ()
            ]
            channels = [
                _Channel(str(row["id"]), str(row["type"]), int(row["last_post_at"])) for row in rows
            ]
        return tuple({channel.id: channel for channel in channels}.values())

    def _after(self, floor: int, channel: "_Channel") -> Iterator[Post]:
        # Backwards from the newest: what comes meanwhile pushes posts to later pages only.
        for page in range(_PAGES):
            path = f"/channels/{channel.id}/posts?page={page}&per_page={_PAGE}"
            try:
                told = self._asked(path)
            except PostRefused as error:
                log.warning("a channel is not read: %s", error, extra={"action": "not_read"})
                return
            with understood():
                posts = [
                    read_post(told["posts"].get(name), channel.kind) for name in told["order"] or ()
                ]
            newer = [post for post in posts if post is not None and post.created > floor]
            yield from newer
            if len(newer) < _PAGE:
                return
        log.warning("more was written than is read back", extra={"action": "history_cut"})

    def _asked(self, path: str) -> Any:
        # Given up at a limit, many channels would be begun with again and again, and never ended.
        for _ in range(_RESTS):
            try:
                return self.get(path)
            except RateLimited as limited:
                self.rest(min(limited.seconds, _LONGEST_REST))
        return self.get(path)


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
