from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from bot.embedded_redis import EmbeddedRedis
from bot.messages import Thread
from bot.recent_threads import RecentThread
from bot.redis_recent import RedisRecent

AT = datetime(2022, 6, 1, 8, tzinfo=UTC)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("redis"))
    yield server.open()
    server.close()


@pytest.fixture
def recent(url: str) -> Iterator[RedisRecent]:
    store = RedisRecent(url, timedelta(days=1))
    yield store
    store.close()


def begun(number: int, text: str = "what is the PUE?") -> RecentThread:
    return RecentThread(Thread("slack", "T1/C1", f"{number}.0"), text, AT)


def test_the_newest_comes_first_and_each_once(recent: RedisRecent) -> None:
    for number in (1, 2, 1):
        recent.note("U1", begun(number))

    assert recent.of("U1") == (begun(1), begun(2))


def test_nobody_sees_those_of_others(recent: RedisRecent) -> None:
    recent.note("U2", begun(1))

    assert recent.of("U3") == ()


def test_a_few_are_kept_and_little_of_each(recent: RedisRecent) -> None:
    for number in range(30):
        recent.note("U4", begun(number, "x" * 1000))

    kept = recent.of("U4")
    assert [each.thread.root for each in kept] == [f"{number}.0" for number in range(29, 19, -1)]
    assert {len(each.text) for each in kept} == {150}


def test_they_outlive_the_process(recent: RedisRecent, url: str) -> None:
    recent.note("U5", begun(1))
    other = RedisRecent(url, timedelta(days=1))

    kept = other.of("U5")
    other.close()

    assert kept == (begun(1),)
