"""What every session store promises, over the one in memory and over a real Valkey server."""

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent import Pending, Session, Turn
from bot.errors import SessionStoreError, ThreadBusy
from bot.memory_sessions import MemorySessions
from bot.messages import Thread
from bot.redis_sessions import RedisSessions
from bot.session_store import SessionStore
from tests.fakes.recording_platform import a_thread

Make = Callable[[float], SessionStore]
"""Makes a store that waits so many seconds for a held thread."""

TURN = Turn("power?", datetime(2022, 6, 15, 10, tzinfo=UTC), (("about", "id"),), "812 W")
SESSION = Session((TURN,), Pending(TURN, "temperature", (("a", "the inlet"),)))


@pytest.fixture(params=["memory", "redis"])
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    opened: list[RedisSessions] = []

    def over_redis(wait_seconds: float) -> SessionStore:
        url = request.getfixturevalue("address")
        wait = timedelta(seconds=wait_seconds)
        opened.append(RedisSessions(url, timedelta(days=1), wait=wait))
        return opened[-1]

    yield over_redis if request.param == "redis" else MemorySessions
    for store in opened:
        store.close()


@pytest.fixture
def thread(tmp_path: Path) -> Thread:
    return a_thread(str(tmp_path))


def test_a_new_thread_has_an_empty_session(make: Make, thread: Thread) -> None:
    assert make(1).load(thread) == Session()


def test_a_saved_session_is_loaded_again(make: Make, thread: Thread) -> None:
    store = make(1)

    with store.hold(thread):
        store.save(thread, SESSION)

    assert store.load(thread) == SESSION


@pytest.mark.parametrize(
    "other",
    [
        Thread("test", "channel", "other"),
        Thread("test", "channel:x", ""),
        Thread("", "", "é\ud800 %"),
    ],
)
def test_threads_do_not_share_sessions(make: Make, thread: Thread, other: Thread) -> None:
    store = make(1)

    with store.hold(thread):
        store.save(thread, SESSION)

    assert store.load(other) == Session()


def test_saving_takes_a_hold(make: Make, thread: Thread) -> None:
    store = make(1)

    with pytest.raises(SessionStoreError):
        store.save(thread, SESSION)

    assert store.load(thread) == Session()


def test_a_held_thread_is_busy_for_others(make: Make, thread: Thread) -> None:
    store = make(0.01)

    with store.hold(thread), pytest.raises(ThreadBusy), store.hold(thread):
        pass


def test_a_thread_that_was_let_go_can_be_held_again(make: Make, thread: Thread) -> None:
    store = make(1)

    with pytest.raises(KeyError), store.hold(thread):
        raise KeyError("the turn failed")
    with store.hold(thread):
        store.save(thread, SESSION)

    assert store.load(thread) == SESSION


def test_other_threads_can_be_held_meanwhile(make: Make, thread: Thread) -> None:
    store = make(0.01)

    with store.hold(thread), store.hold(a_thread("another")):
        store.save(thread, SESSION)

    assert store.load(thread) == SESSION


def test_turns_of_one_thread_never_overlap(make: Make, thread: Thread) -> None:
    store = make(30)

    def add_turns() -> None:
        for _ in range(5):
            with store.hold(thread):
                before = store.load(thread)
                store.save(thread, Session((*before.turns, TURN)))

    workers = [threading.Thread(target=add_turns) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert len(store.load(thread).turns) == 20
