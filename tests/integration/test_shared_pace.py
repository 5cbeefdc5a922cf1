"""What processes share of how much a platform takes, over a real Valkey server."""

import multiprocessing
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

import pytest

from bot.embedded_redis import EmbeddedRedis
from bot.errors import PlatformError, TurnStoreError
from bot.outbound.throttle import Pace
from bot.redis_engaged import RedisEngaged
from bot.redis_throttle import RedisThrottle
from tests.fakes.recording_platform import a_thread

SLOW = Pace(seconds=100, burst=3)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("pace"))
    yield server.open()
    server.close()


@pytest.fixture
def throttle(url: str) -> Iterator[RedisThrottle]:
    made = RedisThrottle(url)
    yield made
    made.close()


def test_a_burst_goes_at_once_and_the_next_ones_wait_their_turn(throttle: RedisThrottle) -> None:
    waits = [throttle.take("burst", SLOW, 1000) for _ in range(5)]

    assert [round(wait or 0, -1) for wait in waits] == [0, 0, 0, 100, 200]


def test_who_cannot_wait_that_long_takes_no_turn(throttle: RedisThrottle) -> None:
    for _ in range(3):
        throttle.take("patience", SLOW, 0)

    refused = [throttle.take("patience", SLOW, 10) for _ in range(5)]

    assert refused == [None] * 5
    assert round(throttle.take("patience", SLOW, 1000) or 0, -1) == 100


def test_rows_do_not_hinder_each_other(throttle: RedisThrottle) -> None:
    for _ in range(3):
        throttle.take("one channel", SLOW, 0)

    assert throttle.take("another channel", SLOW, 0) == 0


def test_a_rest_holds_everybody_and_leaves_no_burst_behind_it(url: str) -> None:
    first, second = RedisThrottle(url), RedisThrottle(url)

    first.hold("rest", SLOW, 30)
    waits = [second.take("rest", SLOW, 1000) for _ in range(2)]
    first.close()
    second.close()

    assert [round(wait or 0, -1) for wait in waits] == [30, 130]


def test_a_shorter_rest_does_not_end_a_longer_one(throttle: RedisThrottle) -> None:
    throttle.hold("rests", SLOW, 60)
    throttle.hold("rests", SLOW, 10)

    assert round(throttle.take("rests", SLOW, 1000) or 0, -1) == 60


def test_turns_come_back_with_time(throttle: RedisThrottle) -> None:
    quick = Pace(seconds=0.05, burst=1)
    throttle.take("time", quick, 0)
    time.sleep(0.06)

    assert throttle.take("time", quick, 0) == 0


def _take_five(url: str, waits: "multiprocessing.Queue[float]") -> None:
    throttle = RedisThrottle(url)
    for _ in range(5):
        waits.put(throttle.take("processes", SLOW, 10_000) or 0)
    throttle.close()


def test_processes_never_take_the_same_turn(url: str) -> None:
    start = multiprocessing.get_context("spawn")
    waits: multiprocessing.Queue[float] = start.Queue()
    workers = [start.Process(target=_take_five, args=(url, waits)) for _ in range(2)]
    for worker in workers:
        worker.start()
    taken = sorted(waits.get(timeout=60) for _ in range(10))
    for worker in workers:
        worker.join(60)

    assert taken[:3] == [0, 0, 0]
    assert all(later - earlier > 90 for earlier, later in pairwise(taken[2:]))


def test_a_thread_is_ours_until_it_is_left(url: str) -> None:
    engaged = RedisEngaged(url, timedelta(days=1))
    other = RedisEngaged(url, timedelta(days=1))

    engaged.add(a_thread("7"))
    ours = [other.holds(a_thread("7")), other.holds(a_thread("8"))]
    other.remove(a_thread("7"))
    left = engaged.holds(a_thread("7"))
    engaged.close()
    other.close()

    assert ours == [True, False]
    assert not left


def test_without_a_server_both_say_so() -> None:
    throttle = RedisThrottle("unix:///nowhere.sock")
    engaged = RedisEngaged("unix:///nowhere.sock", timedelta(days=1))

    with pytest.raises(PlatformError):
        throttle.take("x", SLOW, 0)
    with pytest.raises(TurnStoreError):
        engaged.add(a_thread())
    throttle.close()
    engaged.close()
