"""Each due time once: several schedulers over a real Valkey server, some of them killed."""

import multiprocessing
import os
import random
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import redis

from agent import Analyst
from bot.conversation import Conversation
from bot.digest_wiring import build_digests, open_digests
from bot.digests.digest import Digest, DigestPart, Posting, When
from bot.digests.digest_scheduler import DigestScheduler
from bot.digests.digest_store import Limits
from bot.digests.digest_turns import DigestTurns
from bot.digests.no_places import NoPlaces
from bot.digests.redis_digests import RedisDigests
from bot.digests.schedule import Schedule
from bot.embedded_redis import EmbeddedRedis
from bot.intake.lane_work import LaneWork
from bot.intake.watch import Watch
from bot.intake.workers import Workers
from bot.messages import IncomingMessage, Thread
from bot.settings import Settings
from tests.fakes.open_access import open_guard
from tests.intake_service import Service, a_question, open_service, wait_until

START = datetime(2022, 10, 29, 22, 5, tzinfo=UTC)
"""Before the night in which Rome puts its clocks back."""
HOURS = 8
DUE_QUARTERS = [START + timedelta(minutes=10 + 15 * n) for n in range(4 * HOURS)]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("store"))
    yield server.open()
    server.close()


@pytest.fixture
def url(address: str) -> str:
    with closing(redis.Redis.from_url(address)) as operator:
        operator.flushall()
    return address


def a_digest(cron: str, number: int, zone: str = "Europe/Rome") -> Digest:
    return Digest(
        id="",
        owner="ada",
        place=Thread("test", "ops", ""),
        place_said="#ops",
        question=f"q{number}",
        parts=(DigestPart(f"q{number}"),),
        when=When(Schedule(cron, zone), cron),
        posting=Posting(),
        made_at=START,
        made_by=f"t{number}",
        since=START,
    )


def kept(url: str, *digests: Digest) -> None:
    with closing(RedisDigests(url)) as store:
        for digest in digests:
            added = store.add(digest, digest.when.schedule.after(START), Limits(99, 99))
            assert isinstance(added, Digest)


class _Fragile(RedisDigests):
    """Ends its process between what it handed in and what it would write down, at times."""

    def __init__(self, url: str, dies: bool) -> None:
        super().__init__(url)
        self._calls = 0
        self._dies = dies

    def move_on(self, digest_id: str, handled: datetime, following: datetime) -> bool:
        self._calls += 1
        if self._dies and self._calls == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().move_on(digest_id, handled, following)


def _look_for_hours(url: str, seed: int, dies: bool) -> None:
    """A replica whose clock runs through the night in steps of its own."""
    chance = random.Random(seed)
    now = START
    with open_service(url) as service, closing(_Fragile(url, dies)) as store:
        scheduler = DigestScheduler(store, service.reception().receive, lambda: now)
        while now < START + timedelta(hours=HOURS):
            # No step leaves out a quarter of an hour: what is passed over is another test.
            now += timedelta(minutes=chance.uniform(0, 9))
            scheduler.look()


def taken_in(service: Service) -> list[IncomingMessage]:
    """Every message that was taken in."""
    with closing(redis.Redis.from_url(service.url)) as operator:
        names = [os.fsdecode(key).rpartition(":")[2] for key in operator.keys("odabot:1:turn:*")]
    records = [service.turns.load(name) for name in names]
    return [record.message for record in records if record is not None]


def test_replicas_that_look_and_die_hand_in_each_due_time_once(url: str) -> None:
    kept(url, a_digest("*/15 * * * *", 1), a_digest("30 2 * * *", 2), a_digest("0 * * * *", 3))
    start = multiprocessing.get_context("spawn")
    replicas = [
        start.Process(target=_look_for_hours, args=(url, seed, seed < 2)) for seed in range(4)
    ]

    for replica in replicas:
        replica.start()
    for replica in replicas:
        replica.join(120)

    with open_service(url) as service:
        messages = taken_in(service)
    due = {
        name: sorted(m.sent_at for m in messages if m.text == name) for name in ("q1", "q2", "q3")
    }
    assert [replica.exitcode for replica in replicas[2:]] == [0, 0]
    assert -signal.SIGKILL in [replica.exitcode for replica in replicas[:2]]
    assert due["q1"] == DUE_QUARTERS
    # Two in the morning comes twice that night; a set time in it counts once.
    assert due["q2"] == [datetime(2022, 10, 30, 0, 30, tzinfo=UTC)]
    assert due["q3"] == [START + timedelta(minutes=55, hours=n) for n in range(HOURS)]
    assert len({m.message_id for m in messages}) == len(messages)


@dataclass
class Clock:
    """A clock that the test moves."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now


@contextmanager
def digests_worked_on(service: Service, clock: Clock) -> Iterator[DigestScheduler]:
    """Workers who know digests, until the block is left; gives what looks which are due."""
    guard = open_guard()
    analyst = Analyst(service.coordinator, stop=service.coordinator.stop)
    conversation = Conversation(analyst, service.sessions, "UTC", guard)
    door = service.reception().receive
    settings = Settings(data=Path("/nowhere"))
    with closing(open_digests(service.url)) as store:
        digests = build_digests(settings, store, conversation, guard, NoPlaces(), door, clock)
        turns = DigestTurns(conversation, digests.desk, digests.runs, service.sessions)
        watch = Watch(service.stops, analyst.stop, renew_seconds=0.7, look_seconds=0.05)
        work = LaneWork(
            service.inbox,
            service.turns,
            turns,
            service.posting,
            service.click,
            service.stops,
            watch,
        )
        workers = Workers(work, service.tasks, service.inbox, watch, look_seconds=0.1)
        workers.start()
        try:
            yield digests.scheduler
        finally:
            workers.stop(5.0)


def answers(service: Service) -> list[str]:
    return [post.text for post in service.board.answers()]


def test_a_digest_is_created_in_a_thread_posted_once_and_followed_up(url: str) -> None:
    clock = Clock()
    create = a_question('digest create "power" hourly', 1, root="talk")
    with open_service(url) as service, digests_worked_on(service, clock) as scheduler:
        service.reception().receive(create)
        wait_until(lambda: len(answers(service)) == 1)
        clock.now = START + timedelta(hours=1)
        for _ in range(3):
            scheduler.look()
        wait_until(lambda: len(answers(service)) == 2)
        posted = service.board.answers()[1]
        service.reception().receive(a_question("and now?", 2, root=posted.id))
        wait_until(lambda: len(answers(service)) == 3)
        texts = answers(service)
        keys = [post.key for post in service.board.posts()]

    assert "Digest **d1** is set: power, hourly at :00 UTC, here." in texts[0]
    assert "**Digest d1: power**" in posted.text
    assert "1: power" in posted.text
    assert posted.thread == Thread("test", "channel", "").name
    # The thread that it began goes on from what the digest asked.
    assert texts[2] == "2: and now?"
    assert not [key for key in keys if key.startswith(posted.key[:16]) and "progress" in key]


def test_stop_reaches_each_question_of_a_digest_that_is_being_made(url: str) -> None:
    create = a_question('digest create "power; slow queue; PUE" hourly', 1, root="talk")
    with open_service(url) as service, digests_worked_on(service, Clock()):
        service.reception().receive(create)
        wait_until(lambda: "slow queue" in service.coordinator.asked)
        service.reception().receive(a_question("stop", 2, root="talk"))
        wait_until(lambda: len(answers(service)) == 1)
        texts, asked = answers(service), service.coordinator.asked
        with closing(open_digests(url)) as store:
            kept = store.all()

    assert texts == ["stopped"]
    assert asked == ["power", "slow queue"]
    assert kept == ()


def test_a_silent_digest_leaves_nothing_behind(url: str) -> None:
    clock = Clock()
    create = a_question('digest create "power" hourly only when changed', 1, root="talk")
    with open_service(url) as service, digests_worked_on(service, clock) as scheduler:
        service.reception().receive(create)
        wait_until(lambda: len(answers(service)) == 1)
        for hour in (1, 2, 3):
            clock.now = START + timedelta(hours=hour)
            scheduler.look()
            wait_until(lambda: service.inbox.depth().lanes == 0)

        posts = service.board.posts()

    # The first time there is nothing to compare with; then nothing changed.
    assert [post.text for post in posts if "Digest d1" in post.text] == [posts[-1].text]


def test_digests_outlive_the_server(tmp_path: Path) -> None:
    first = EmbeddedRedis(tmp_path)
    kept(first.open(), a_digest("0 8 * * *", 1))
    first.close()

    second = EmbeddedRedis(tmp_path)
    with closing(RedisDigests(second.open())) as store:
        found, due = store.all(), store.due_times()
    second.close()

    assert found == (replace(a_digest("0 8 * * *", 1), id="d1"),)
    assert due == {"d1": datetime(2022, 10, 30, 7, tzinfo=UTC)}
