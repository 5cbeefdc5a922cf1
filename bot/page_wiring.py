"""Settings to the page, as one of the platforms of the chat service."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.access import PAGE, NoGroups
from bot.access_wiring import build_guard
from bot.addressing import Addressing, Follow
from bot.chat_side import ChatSide, Hearing, Inbound
from bot.digests.no_places import NoPlaces
from bot.http_server import url_of
from bot.messages import Thread
from bot.outbound.throttle import Pace
from bot.settings import Settings
from bot.trace_tree import tree_json
from bot.trace_wiring import open_traces

if TYPE_CHECKING:
    from bot.platforms.page_login import PageLogin
    from bot.redis_inbox import RedisInbox
    from bot.redis_page import RedisPage

_WATCH_SECONDS = 60.0
# It is our own: nobody limits what is posted there.
_PACE = Pace(seconds=0.01, burst=100)


@dataclass(frozen=True, slots=True)
class Shown:
    """How the page presents itself."""

    now: str = ""
    """The moment at which the clock stands; empty where it runs."""
    about: str = ""
    """What the data are, in a sentence."""
    opened: Callable[[str], None] = lambda url: None
    """Told the address for a browser."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the page keeps, over one Redis server."""

    posts: "RedisPage"
    inbox: "RedisInbox"
    login: "PageLogin"


@contextmanager
def open_page(settings: Settings, redis_url: str, shown: Shown | None = None) -> Iterator[ChatSide]:
    """The page of ``settings``, until the block is left; it is not served yet."""
    from bot.platforms.page_login import PageLogin
    from bot.platforms.page_outlet import PageOutlet
    from bot.redis_inbox import RedisInbox
    from bot.redis_logins import RedisLogins
    from bot.redis_page import RedisPage

    page, lives = settings.page, timedelta(days=settings.session_days)
    tokens = {person: token.get_secret_value() for person, token in page.tokens.items()}
    with (
        closing(RedisPage(redis_url, lives)) as posts,
        closing(RedisInbox(redis_url, lives)) as inbox,
        closing(RedisLogins(redis_url, timedelta(days=page.login_days))) as logins,
    ):
        parts = _Parts(posts, inbox, PageLogin(tokens, logins))
        yield ChatSide(
            PAGE,
            f"the page at {page.url or url_of(page.host, page.port)}",
            _WATCH_SECONDS,
            PageOutlet(posts),
            NoPlaces(),
            NoGroups(),
            _addressing,
            partial(_listening, settings, parts, shown or Shown()),
            _PACE,
        )


def _addressing(engaged: Callable[[Thread], bool]) -> Addressing:
    """Everything on the page is meant for us: nobody else is spoken to there."""
    return Addressing(lambda thread: Follow.ALL, engaged)


def _listening(settings: Settings, parts: _Parts, shown: Shown, hearing: Hearing) -> Inbound:
    from bot.platforms.page import ServedPage
    from bot.platforms.page_api import PageApi
    from bot.platforms.page_app import PageApp
    from bot.platforms.page_desk import PageDesk
    from bot.platforms.page_door import PageDoor
    from bot.platforms.page_files import PageFiles
    from bot.platforms.page_site import PageSite

    page, site = settings.page, settings.site
    door = PageDoor(
        parts.login,
        build_guard(settings),
        int(timedelta(days=page.login_days).total_seconds()),
        (page.url or "").startswith("https:"),
    )
    desk = PageDesk(parts.posts, parts.inbox, hearing.receive, hearing.clock)
    told = PageSite(site.name, site.time_zone, shown.now, shown.about)
    api = PageApi(door, desk, PageFiles(settings.answers), told, _trace_of(settings))
    return ServedPage(
        PageApp(door, api),
        page.host,
        page.port,
        page.url,
        _WATCH_SECONDS,
        hearing.report,
        shown.opened,
    )


def _trace_of(settings: Settings) -> Callable[[str], dict[str, Any] | None]:
    """The steps of a turn as a tree; None where they cannot be read."""
    traces = open_traces(settings)

    def tree(turn: str) -> dict[str, Any] | None:
        try:
            steps = traces.read(turn)
        except OSError:
            return None
        return tree_json(steps) if steps else None

    return tree
