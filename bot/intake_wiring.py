"""Settings to the intake: where messages are kept, who works on them, and the door they come by."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from agent import Analyst
from bot import wiring
from bot.intake.fenced_turns import FencedTurns
from bot.intake.lane_work import AnswersTurns, LaneWork
from bot.intake.posting import Posting
from bot.intake.reception import Reception
from bot.intake.stopping import Stopping
from bot.intake.watch import Watch
from bot.intake.workers import Workers
from bot.messages import Click, Incoming, IncomingMessage
from bot.settings import Settings
from bot.turn_store import TurnRecord

if TYPE_CHECKING:
    from agent.run_store import RunStore
    from bot.redis_inbox import RedisInbox
    from bot.redis_sessions import RedisSessions
    from bot.redis_stops import RedisStops
    from bot.task_queue import TaskQueue

_STAGES = timedelta(hours=1)
"""How long the stages of a question that nobody finishes are kept: they can be large."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What every process of the service shares, over one Redis server."""

    url: str
    inbox: "RedisInbox"
    turns: FencedTurns
    stops: "RedisStops"
    tasks: "TaskQueue"
    sessions: "RedisSessions"
    stages: "RunStore"
    """What questions that are worked on have come to."""


@contextmanager
def open_kept(settings: Settings) -> Iterator[Kept]:
    """What processes share, until the block is left; raises SessionStoreError."""
    from bot.redis_inbox import RedisInbox
    from bot.redis_runs import RedisRuns
    from bot.redis_sessions import RedisSessions
    from bot.redis_stops import RedisStops
    from bot.redis_turns import RedisTurns
    from bot.task_queue import TaskQueue

    lives = timedelta(days=settings.session_days)
    lease = timedelta(seconds=settings.lease_seconds)
    with (
        wiring.redis_address(settings) as url,
        closing(RedisSessions(url, lives)) as sessions,
        closing(RedisInbox(url, lives, lease=lease)) as inbox,
        closing(RedisTurns(url, lives)) as turns,
        closing(RedisStops(url)) as stops,
        closing(RedisRuns(url, _STAGES)) as stages,
        closing(TaskQueue(url, settings.workers)) as tasks,
    ):
        sessions.ping()
        yield Kept(url, inbox, FencedTurns(turns), stops, tasks, sessions, stages)


def build_reception(
    kept: Kept,
    is_for_us: Callable[[IncomingMessage], bool],
    is_admin: Callable[[Incoming], bool],
    dropped: Callable[[], None] = lambda: None,
    added: Callable[[Incoming], None] = lambda incoming: None,
) -> Reception:
    """The door by which a platform hands in what people write and click."""
    stopping = Stopping(kept.inbox, kept.turns, kept.stops, is_admin)
    return Reception(kept.inbox, stopping, kept.tasks, is_for_us, dropped, added)


def build_workers(
    settings: Settings,
    kept: Kept,
    analyst: Analyst,
    answers: AnswersTurns,
    posting: Posting,
    click: Callable[[Click], None],
    after: Callable[[TurnRecord], None] = lambda record: None,
) -> Workers:
    """Workers of this process; they stand still until they are started."""
    watch = Watch(kept.stops, analyst.stop, renew_seconds=settings.lease_seconds / 3)
    work = LaneWork(kept.inbox, kept.turns, answers, posting, click, kept.stops, watch, after)
    return Workers(work, kept.tasks, kept.inbox, watch)
