"""Settings to one process of the chat service: what it hears, works on and tells of itself."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from starlette.routing import BaseRoute

from agent import Analyst
from bot import wiring
from bot.access import Refused
from bot.access_wiring import CLOSED, build_guard
from bot.buttons.choice_turns import ChoiceTurns
from bot.buttons_wiring import open_buttons
from bot.chat_side import ChatSide, EachGroups, EachPlaces, Hearing, Inbound
from bot.command_posting import CommandPosting
from bot.command_turns import CommandTurns
from bot.digest_wiring import build_digests, looking, open_digests
from bot.digests.digest_texts import plain_lines
from bot.digests.digest_turns import DigestTurns
from bot.errors import SettingsError, TurnStoreError
from bot.follow_turns import FollowTurns
from bot.guard import Guard
from bot.home_page import HomePage
from bot.http_wiring import Watched, readiness_probes, serve_http
from bot.intake.reception import Reception
from bot.intake_wiring import Kept, build_reception, build_workers, open_kept
from bot.mattermost_wiring import open_mattermost
from bot.messages import Click, Incoming, IncomingMessage, Thread
from bot.opening import EachInbound
from bot.outbound.gateway import Gateway
from bot.outbound.progress import ProgressBoard
from bot.page_wiring import Shown, open_page
from bot.recent_threads import RecentThread
from bot.settings import Settings
from bot.slack_wiring import open_slack
from bot.turn_store import TurnRecord

if TYPE_CHECKING:
    from bot.digests.redis_digests import RedisDigests
    from bot.redis_engaged import RedisEngaged
    from bot.redis_recent import RedisRecent


log = logging.getLogger(__name__)

_HELP = (
    "Ask about the data centre in plain words: `@odabot what was the PUE yesterday?`"
    " in a channel, or without the mention in a direct message.\n"
    "`/odabot help` says what else there is; `stop` in a thread stops what is being worked on."
)


@dataclass(frozen=True, slots=True)
class Process:
    """What the parts of one process share."""

    settings: Settings
    kept: Kept
    engaged: "RedisEngaged"
    recent: "RedisRecent"
    sides: tuple[ChatSide, ...]
    """The platforms that are served."""
    digests: "RedisDigests"
    gateway: Gateway
    guard: Guard
    watched: Watched


@contextmanager
def open_process(settings: Settings, alone: Shown | None = None) -> Iterator[Process]:
    """The shared parts, until the block is left; with ``alone``, the page is the one platform.

    Raises SettingsError where no chat platform is configured, SessionStoreError where Redis fails.
    """
    from bot.redis_engaged import RedisEngaged
    from bot.redis_recent import RedisRecent
    from bot.redis_throttle import RedisThrottle

    if settings.access is None and alone is None:
        log.warning("%s", CLOSED, extra={"action": "access_closed"})
    lives = timedelta(days=settings.session_days)
    with ExitStack() as parts:
        kept = parts.enter_context(open_kept(settings))
        engaged = parts.enter_context(closing(RedisEngaged(kept.url, lives)))
        recent = parts.enter_context(closing(RedisRecent(kept.url, lives)))
        throttle = parts.enter_context(closing(RedisThrottle(kept.url)))
        digests = parts.enter_context(closing(open_digests(kept.url)))
        sides = tuple(parts.enter_context(side) for side in _sides(settings, kept.url, alone))
        outlets = {side.name: side.outlet for side in sides}
        watched = Watched.of(lambda: _depths(kept), max(side.watch_seconds for side in sides))
        progress = ProgressBoard(throttle, watched.counters)
        gateway = Gateway(
            outlets,
            kept.turns,
            throttle,
            engaged,
            progress,
            watched.counters,
            paces={side.name: side.pace for side in sides},
        )
        yield Process(
            settings,
            kept,
            engaged,
            recent,
            sides,
            digests,
            gateway,
            build_guard(settings, EachGroups({side.name: side.groups for side in sides})),
            watched,
        )


@contextmanager
def observed(process: Process, port: int, routes: Sequence[BaseRoute] = ()) -> Iterator[str]:
    """Health, metrics and ``routes`` served until the block is left; gives the address."""
    probes = readiness_probes(process.settings, process.kept.sessions.ping)
    with serve_http(process.settings, port, process.watched, probes, routes) as url:
        yield url


@contextmanager
def listening(process: Process, now: datetime | None = None) -> Iterator[EachInbound]:
    """What takes messages in until the block is left; the caller serves its routes and opens it.

    With ``now``, every message is as if written then.
    """
    watched = process.watched

    def opened(name: str, inbound: Inbound) -> None:
        watched.liveness.watch(f"{name}-inbound", inbound.alive)

    inbounds = {side.name: side.listen(_hearing(process, side, now)) for side in process.sides}
    every = min(side.watch_seconds for side in process.sides)
    with closing(EachInbound(inbounds, watched.connections.down, opened, every)) as inbound:
        yield inbound


@contextmanager
def working(process: Process, analyst: Analyst, clock: Callable[[], datetime]) -> Iterator[None]:
    """Questions worked on until the block is left; what takes longer then is handed over.

    ``clock`` tells which digests are due.
    """
    settings, kept, guard = process.settings, process.kept, process.guard
    conversation = wiring.build_conversation(settings, analyst, kept.sessions, process.guard)
    conversation = replace(conversation, counters=process.watched.counters)
    receive = _door(process, lambda message: True).receive
    digests = build_digests(
        settings,
        process.digests,
        conversation,
        guard,
        EachPlaces({side.name: side.places for side in process.sides}),
        receive,
        clock,
    )
    choices = ChoiceTurns(conversation, kept.sessions)
    count = process.watched.counters.digest
    turns = DigestTurns(choices, digests.desk, digests.runs, kept.sessions, count)
    commands = CommandTurns(turns, guard, lambda: _status(process))
    answers = FollowTurns(commands, guard, process.engaged)
    posting = CommandPosting(process.gateway, kept.turns)
    with open_buttons(settings, kept.url, kept.turns, process.gateway, guard, receive) as pressed:

        def after(record: TurnRecord) -> None:
            pressed.retiring.after(record)
            answers.after(record)

        press = pressed.buttons.act
        workers = build_workers(settings, kept, analyst, answers, posting, press, after)
        workers.start()
        liveness = process.watched.liveness
        for name, alive in workers.parts().items():
            liveness.watch(name, alive)
        try:
            with looking(digests.scheduler, settings.digests.look_seconds) as thread:
                liveness.watch_thread(thread)
                yield
        finally:
            workers.stop(settings.grace_seconds)


def _door(process: Process, is_for_us: Callable[[IncomingMessage], bool]) -> Reception:
    """Where messages are taken in."""
    return build_reception(
        process.kept,
        is_for_us,
        process.guard.is_admin,
        process.watched.counters.duplicate,
        lambda incoming: _note(process, incoming),
    )


def _sides(
    settings: Settings, redis_url: str, alone: Shown | None
) -> Iterator[AbstractContextManager[ChatSide]]:
    """The platforms of ``settings``; raises SettingsError where there is none."""
    if alone is not None:
        yield open_page(settings, redis_url, alone)
        return
    sides: list[AbstractContextManager[ChatSide]] = []
    if settings.slack.is_served:
        sides.append(open_slack(settings, redis_url))
    if settings.mattermost.is_served:
        sides.append(open_mattermost(settings, redis_url))
    if settings.page.served:
        sides.append(open_page(settings, redis_url))
    if not sides:
        raise SettingsError(
            "no chat platform is configured: set ODABOT_SLACK__BOT_TOKEN (deploy/slack/README.md),"
            " ODABOT_MATTERMOST__URL (deploy/mattermost/README.md) or ODABOT_PAGE__SERVED"
        )
    yield from sides


def _hearing(process: Process, side: ChatSide, now: datetime | None) -> Hearing:
    """What the inbound side of a platform calls."""
    reception = _door(process, side.addressing(process.engaged.holds).is_for_us)

    def receive(incoming: Incoming) -> None:
        reception.receive(incoming if now is None else _at(incoming, now))

    return Hearing(
        receive,
        lambda user: _home(process, side.name, user),
        process.watched.connections.reporter(side.name),
    )


def _at(incoming: Incoming, now: datetime) -> Incoming:
    if isinstance(incoming, Click):
        return replace(incoming, at=now)
    return replace(incoming, sent_at=now)


def _note(process: Process, incoming: Incoming) -> None:
    """Count what was taken in, and remember where a conversation goes on, and where it began."""
    if isinstance(incoming, Click):
        process.watched.counters.clicked(incoming.act)
        return
    process.watched.counters.received(incoming.way)
    try:
        if incoming.thread.root:
            # What people add before the answer stands there is for us, too.
            process.engaged.add(incoming.thread)
        if incoming.thread.root == incoming.message_id:
            recent = RecentThread(incoming.thread, incoming.text, incoming.sent_at)
            process.recent.note(incoming.author, recent)
    except TurnStoreError:
        log.warning("a conversation was not noted", exc_info=True)


def _home(process: Process, platform: str, user: str) -> HomePage:
    decision = process.guard.opens(Thread(platform, "", ""), user)
    if isinstance(decision, Refused):
        return HomePage(decision.text)
    digests = plain_lines(process.digests, platform, user)
    return HomePage(_HELP, digests, process.recent.of(user))


def _depths(kept: Kept) -> dict[str, int]:
    depth = kept.inbox.depth()
    return {"lanes": depth.lanes, "overdue": depth.overdue}


def _status(process: Process) -> str:
    depth = process.kept.inbox.depth()
    waiting = f"Threads with questions that wait or are worked on: {depth.lanes}"
    states = process.watched.connections.states()
    return "\n".join([waiting, *(f"{state.name}: {state.found}" for state in states)])
