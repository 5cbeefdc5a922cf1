"""What the chat service needs of one platform, whichever it is, and several of them as one."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from starlette.routing import BaseRoute

from bot.access import Groups, NoGroups
from bot.addressing import Addressing
from bot.digests.asking import Places
from bot.digests.no_places import NoPlaces
from bot.home_page import HomePage
from bot.messages import Incoming, IncomingMessage, Thread
from bot.outbound.posting import POSTS
from bot.outbound.throttle import Pace
from bot.outlet import Outlet


class Inbound(Protocol):
    """The side of a platform by which messages, commands and clicks come in."""

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """What has to be served so that the platform can reach us."""
        ...

    def open(self) -> None:
        """Begin to listen; raises PlatformError where we are refused or it is not reached."""
        ...

    def alive(self) -> bool:
        """Whether the thread that listens, or looks after it, still runs; at once."""
        ...

    def close(self) -> None:
        """Stop listening, and store what was heard."""
        ...


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the inbound side of a platform calls."""

    receive: Callable[[Incoming], None]
    """Stores what was heard, and only then returns; raises TurnStoreError."""
    home: Callable[[str], HomePage]
    """What a person sees of their own."""
    report: Callable[[str], None] = lambda trouble: None
    """Told every so many seconds what is wrong; nothing where all is well."""
    clock: Callable[[], datetime] = _utc_now


@dataclass(frozen=True, slots=True)
class ChatSide:
    """One platform."""

    name: str
    """As in :attr:`Thread.platform`."""
    heard_by: str
    """How messages come, for people who run the service: "Slack by Socket Mode"."""
    watch_seconds: float
    """How often :attr:`Hearing.report` is called at least."""
    outlet: Outlet
    places: Places
    groups: Groups
    addressing: Callable[[Callable[[Thread], bool]], Addressing]
    """What is meant for us, by whether we take part in a thread."""
    listen: Callable[[Hearing], Inbound]
    """The inbound side; not open yet."""
    pace: Pace = POSTS
    """How often one of its channels takes a message."""


@dataclass(frozen=True, slots=True)
class EachPlaces:
    """Channels, each looked up on the platform where it is asked for."""

    by_platform: Mapping[str, Places]
    _none: NoPlaces = field(default_factory=NoPlaces)

    def find(self, said: str, near: IncomingMessage) -> Thread | str:
        """The channel of that name on the platform of ``near``, or why there is none."""
        return self.by_platform.get(near.thread.platform, self._none).find(said, near)

    def together(self, one: Thread, other: Thread) -> bool:
        """Whether the people of one are those of the other."""
        places = self.by_platform.get(one.platform, self._none)
        return one.platform == other.platform and places.together(one, other)


@dataclass(frozen=True, slots=True)
class EachGroups:
    """Groups of people, each asked of its own platform."""

    by_platform: Mapping[str, Groups]
    _none: NoGroups = field(default_factory=NoGroups)

    def of(self, platform: str, author: str, channel: str) -> Collection[str]:
        """The ids of the groups that a person is in."""
        return self.by_platform.get(platform, self._none).of(platform, author, channel)
