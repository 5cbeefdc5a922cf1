"""The embedded server: started once, shared, kept, and stopped by whoever leaves last."""

import multiprocessing
import os
import signal
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import redis

from agent import Session, Turn
from bot.embedded_redis import EmbeddedRedis
from bot.errors import SessionStoreError
from bot.redis_sessions import RedisSessions
from tests.fakes.recording_platform import a_thread

SESSION = Session((Turn("power?", datetime(2022, 6, 15, tzinfo=UTC)),))


def sessions_at(url: str, lease: float = 30) -> RedisSessions:
    return RedisSessions(
        url, timedelta(days=1), wait=timedelta(seconds=5), lease=timedelta(seconds=lease)
    )


def save(url: str) -> None:
    store = sessions_at(url)
    with store.hold(a_thread()):
        store.save(a_thread(), SESSION)
    store.close()


def loaded(url: str) -> Session:
    store = sessions_at(url)
    session = store.load(a_thread())
    store.close()
    return session


def is_running(folder: Path) -> bool:
    pid = folder / "server.pid"
    return pid.exists() and Path(f"/proc/{pid.read_text().strip()}").exists()


def test_sessions_outlive_the_server(tmp_path: Path) -> None:
    first = EmbeddedRedis(tmp_path)
    save(first.open())
    first.close()
    ran_on = is_running(tmp_path)

    second = EmbeddedRedis(tmp_path)
    session = loaded(second.open())
    second.close()

    assert not ran_on
    assert session == SESSION


def test_two_users_share_one_server_and_the_last_stops_it(tmp_path: Path) -> None:
    first, second = EmbeddedRedis(tmp_path), EmbeddedRedis(tmp_path)
    save(first.open())
    url = second.open()

    first.close()
    session = loaded(url)
    second.close()

    assert session == SESSION
    assert not is_running(tmp_path)


def _come_and_go(folder: Path, times: int) -> None:
    for _ in range(times):
        server = EmbeddedRedis(folder)
        store = sessions_at(server.open())
        with store.hold(a_thread()):
            before = store.load(a_thread())
            store.save(a_thread(), Session((*before.turns, *SESSION.turns)))
        store.close()
        server.close()


def test_processes_that_come_and_go_lose_nothing(tmp_path: Path) -> None:
    start = multiprocessing.get_context("spawn")
    workers = [start.Process(target=_come_and_go, args=(tmp_path, 4)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)

    server = EmbeddedRedis(tmp_path)
    session = loaded(server.open())
    server.close()

    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert len(session.turns) == 12


def test_a_killed_server_is_started_anew_with_its_sessions(tmp_path: Path) -> None:
    first = EmbeddedRedis(tmp_path)
    url = first.open()
    save(url)
    os.kill(int((tmp_path / "server.pid").read_text()), signal.SIGKILL)

    second = EmbeddedRedis(tmp_path)
    session = loaded(second.open())
    first.close()
    second.close()

    assert session == SESSION


def test_a_long_path_is_no_obstacle(tmp_path: Path) -> None:
    folder = tmp_path / ("long-" * 40) / "data"
    server = EmbeddedRedis(folder)

    save(server.open())
    server.close()

    assert not is_running(folder)


def test_a_folder_that_cannot_be_made_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(SessionStoreError, match="file"):
        EmbeddedRedis(tmp_path / "file" / "data").open()


def test_nobody_else_may_use_the_server(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path / "data")
    server.open()
    modes = [(tmp_path / "data" / name).stat().st_mode & 0o077 for name in ("", "sessions.sock")]
    server.close()

    assert modes == [0, 0]


def test_a_hold_is_renewed_for_as_long_as_it_lasts(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path)
    store = sessions_at(server.open(), lease=1)

    with store.hold(a_thread()):
        threading.Event().wait(2.2)
        store.save(a_thread(), SESSION)
    session = store.load(a_thread())
    store.close()
    server.close()

    assert session == SESSION


def test_who_lost_the_hold_can_no_longer_save(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path)
    url = server.open()
    slow, other = sessions_at(url), sessions_at(url)

    with slow.hold(a_thread()):
        with redis.Redis.from_url(url) as operator:
            operator.flushall()
        with other.hold(a_thread()), pytest.raises(SessionStoreError):
            slow.save(a_thread(), SESSION)
    session = other.load(a_thread())
    slow.close()
    other.close()
    server.close()

    assert session == Session()


def test_a_server_that_is_gone_is_an_error(tmp_path: Path) -> None:
    store = sessions_at(f"unix://{tmp_path}/nothing.sock")

    with pytest.raises(SessionStoreError, match="does not answer"):
        store.load(a_thread())
    store.close()
