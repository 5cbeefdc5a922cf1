"""The intake over a real Valkey server with a canned analyst: for tests, and as their worker."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta

import redis

from agent import Analyst, Answer, Answered, Declined, DeclineReason, Question, Session, Turn
from bot.conversation import Conversation
from bot.errors import PlatformError
from bot.intake.fenced_turns import FencedTurns
from bot.intake.lane_work import LaneWork
from bot.intake.reception import Reception
from bot.intake.stopping import Stopping
from bot.intake.watch import Watch
from bot.intake.workers import Workers
from bot.messages import Click, Incoming, IncomingMessage, Thread
from bot.redis_inbox import RedisInbox
from bot.redis_sessions import RedisSessions
from bot.redis_stops import RedisStops
from bot.redis_turns import RedisTurns
from bot.task_queue import TaskQueue
from bot.turn_store import TurnRecord
from tests.fakes.board import Board, BoardPosting
from tests.fakes.open_access import open_guard

DAY = timedelta(days=1)
ADMIN = "root"
Reach = Callable[[str], None]


def pass_by(stage: str) -> None:
    """Nothing happens at any stage."""


@dataclass
class StagedCoordinator:
    """Answers with the question's text and number in the thread; tells of the stages it reaches."""

    reach: Reach = pass_by
    asked: list[str] = field(default_factory=list)
    stopped: set[str] = field(default_factory=set)

    def work_on(
        self, question: Question, session: Session, note: Callable[[str], None]
    ) -> tuple[Answer, Session]:
        self.asked.append(question.text)
        note("reading the question")
        self.reach("asked")
        if "kills" in question.text:
            os.kill(os.getpid(), signal.SIGKILL)
        if "broken" in question.text:
            raise RuntimeError("a wire is loose")
        if "slow" in question.text:
            while question.turn not in self.stopped:
                time.sleep(0.02)
            return Declined(DeclineReason.STOPPED, "stopped"), session
        turn = Turn(question.text, question.asked_at)
        text = f"{len(session.turns) + 1}: {question.text}"
        self.reach("worked out")
        return Answered(text), Session((*session.turns, turn))

    def stop(self, trace_id: str) -> bool:
        self.stopped.add(trace_id)
        return True


@dataclass(frozen=True)
class StagedConversation:
    """A conversation that tells of the stages it reaches."""

    conversation: Conversation
    reach: Reach

    def answered(self, record: TurnRecord, note: Callable[[str], None]) -> TurnRecord:
        return self.conversation.answered(record, note)

    def told(self, record: TurnRecord, *told: object) -> TurnRecord:
        return self.conversation.told(record, *told)  # type: ignore[arg-type]

    def keep_session(self, record: TurnRecord) -> None:
        self.reach("answer kept")
        self.conversation.keep_session(record)
        self.reach("session kept")


@dataclass
class Service:
    """One process of the service."""

    url: str
    inbox: RedisInbox
    turns: FencedTurns
    sessions: RedisSessions
    stops: RedisStops
    tasks: TaskQueue
    board: Board
    coordinator: StagedCoordinator
    posting: BoardPosting
    reach: Reach
    clicks: list[Click] = field(default_factory=list)
    broken_clicks: int = 0
    duplicates: int = 0

    def reception(self) -> Reception:
        def is_admin(incoming: Incoming) -> bool:
            return incoming.author == ADMIN

        def count() -> None:
            self.duplicates += 1

        def is_for_us(message: IncomingMessage) -> bool:
            return message.addressed

        stopping = Stopping(self.inbox, self.turns, self.stops, is_admin)
        return Reception(self.inbox, stopping, self.tasks, is_for_us, count)

    def workers(self, lease_seconds: float) -> Workers:
        analyst = Analyst(self.coordinator, stop=self.coordinator.stop)
        conversation = Conversation(analyst, self.sessions, "UTC", open_guard())
        watch = Watch(self.stops, analyst.stop, renew_seconds=lease_seconds / 3, look_seconds=0.05)
        answers = StagedConversation(conversation, self.reach)
        work = LaneWork(
            self.inbox, self.turns, answers, self.posting, self.click, self.stops, watch
        )
        return Workers(work, self.tasks, self.inbox, watch, look_seconds=0.1)

    def click(self, click: Click) -> None:
        if self.broken_clicks:
            self.broken_clicks -= 1
            raise PlatformError("the board is away")
        self.clicks.append(click)


@contextmanager
def open_service(
    url: str, reach: Reach = pass_by, lease_seconds: float = 2.0, threads: int = 2
) -> Iterator[Service]:
    """One process of the service over the server at ``url``."""
    lease, again = timedelta(seconds=lease_seconds), timedelta(seconds=0.5)
    with ExitStack() as parts:
        inbox = parts.enter_context(closing(RedisInbox(url, DAY, lease=lease, again=again)))
        turns = FencedTurns(parts.enter_context(closing(RedisTurns(url, DAY))))
        sessions = RedisSessions(url, DAY, lease=lease)
        parts.enter_context(closing(sessions))
        stops = parts.enter_context(closing(RedisStops(url)))
        tasks = parts.enter_context(closing(TaskQueue(url, threads)))
        board = parts.enter_context(closing(Board(url)))
        coordinator = StagedCoordinator(reach)
        posting = BoardPosting(board, turns, reach)
        yield Service(url, inbox, turns, sessions, stops, tasks, board, coordinator, posting, reach)


@contextmanager
def working(service: Service, lease_seconds: float = 2.0, grace: float = 5.0) -> Iterator[Workers]:
    """Workers in this process, until the block is left."""
    workers = service.workers(lease_seconds)
    workers.start()
    try:
        yield workers
    finally:
        workers.stop(grace)


def a_question(
    text: str, number: int, root: str = "1", author: str = "ada", *, addressed: bool = True
) -> IncomingMessage:
    """The question of that number in a thread."""
    from tests.fakes.recording_platform import NOW

    thread = Thread("test", "channel", root)
    message = IncomingMessage(thread, f"{root}.{number}", author, text, NOW, addressed)
    return replace(message, sent_at=NOW + timedelta(seconds=number))


def wait_until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Return once ``holds``; fails after so long."""
    give_up = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < give_up, "it never came to that"
        time.sleep(0.02)


def work_until_told(url: str, stop_at: str, lease_seconds: float, grace: float) -> None:
    """A worker that stands still at a stage, the first time that anybody gets there.

    It goes on where ``let go`` says so.
    """
    told = redis.Redis.from_url(url)

    def reach(stage: str) -> None:
        if stage == stop_at and told.set(f"held:{stage}", os.getpid(), nx=True):
            while not told.exists(f"let go:{stage}"):
                time.sleep(0.05)

    leaving = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: leaving.set())
    with (
        open_service(url, reach, lease_seconds) as service,
        working(service, lease_seconds, grace),
    ):
        # In slices: a signal may reach another thread than the one that has to hear of it.
        while not leaving.wait(0.2):
            pass
