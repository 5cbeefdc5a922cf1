"""Several platforms, of which one is away."""

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from bot.chat_side import Inbound
from bot.errors import PlatformError
from bot.opening import EachInbound


async def nothing(request: Request) -> Response:
    return Response()


@dataclass
class Side:
    """One platform, which is away for so many tries."""

    name: str
    away: int = 0
    tries: int = 0
    is_open: bool = False
    closed: threading.Event = field(default_factory=threading.Event)

    @property
    def routes(self) -> tuple[BaseRoute, ...]:
        return (Route(f"/{self.name}", nothing),)

    def open(self) -> None:
        self.tries += 1
        if self.tries <= self.away:
            raise PlatformError(f"{self.name} does not answer")
        self.is_open = True

    def alive(self) -> bool:
        return self.is_open

    def close(self) -> None:
        self.closed.set()


@dataclass
class Heard:
    """What was told of the sides."""

    away: list[tuple[str, str]] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    changed: threading.Event = field(default_factory=threading.Event)

    def note_away(self, name: str, why: str) -> None:
        self.away.append((name, why))

    def note_opened(self, name: str, inbound: Inbound) -> None:
        self.opened.append(name)
        if len(self.opened) == 2:
            self.changed.set()


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def slack() -> Side:
    return Side("slack")


@pytest.fixture
def mattermost() -> Side:
    return Side("mattermost", away=3)


@pytest.fixture
def both(slack: Side, mattermost: Side, heard: Heard) -> Iterator[EachInbound]:
    sides = {"slack": slack, "mattermost": mattermost}
    with closing(EachInbound(sides, heard.note_away, heard.note_opened, every=0.01)) as inbound:
        yield inbound


def test_who_is_away_is_tried_again_while_the_other_is_heard(
    both: EachInbound, slack: Side, mattermost: Side, heard: Heard
) -> None:
    both.open()

    assert slack.is_open
    assert heard.changed.wait(10)
    assert heard.opened == ["slack", "mattermost"]
    assert heard.away == [("mattermost", "mattermost does not answer")] * 3
    assert mattermost.tries == 4


def test_a_service_that_hears_nobody_does_not_start(heard: Heard) -> None:
    sides = {"slack": Side("slack", away=9), "mattermost": Side("mattermost", away=9)}
    with (
        closing(EachInbound(sides, heard.note_away, heard.note_opened)) as inbound,
        pytest.raises(PlatformError, match="slack does not answer; mattermost does not answer"),
    ):
        inbound.open()


def test_the_routes_of_all_are_served_before_any_is_open(
    both: EachInbound, slack: Side, mattermost: Side
) -> None:
    assert [getattr(route, "path", "") for route in both.routes] == ["/slack", "/mattermost"]
    assert not slack.tries + mattermost.tries


def test_all_are_closed_and_none_is_tried_any_more(
    both: EachInbound, slack: Side, mattermost: Side
) -> None:
    mattermost.away = 1000
    both.open()
    both.close()
    tries = mattermost.tries

    assert slack.closed.is_set()
    assert mattermost.closed.is_set()
    assert mattermost.tries == tries
