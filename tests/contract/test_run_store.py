"""What every store of runs promises, over the one in memory and over a real Valkey server."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from agent.errors import RunStoreError
from agent.run_store import RunState, RunStatus, RunStore, Stage
from bot.memory_runs import MemoryRuns
from bot.redis_runs import RedisRuns

MADE = RunState("one").at(
    Stage.INPUT_VALIDATION,
    RunStatus.WAITING,
    intent={"about": "metric", "confidence": 0.9},
    parts=["power of node 3", "Ω at 20 °C"],
    windows=[],
    nothing=None,
)


@pytest.fixture(params=["memory", "redis"])
def store(request: pytest.FixtureRequest) -> Iterator[RunStore]:
    if request.param == "memory":
        yield MemoryRuns()
        return
    runs = RedisRuns(request.getfixturevalue("address"), timedelta(days=1))
    yield runs
    runs.close()


def test_nothing_is_known_of_a_new_request(store: RunStore) -> None:
    assert store.load("never seen") is None


def test_a_saved_state_is_loaded_as_it_was(store: RunStore) -> None:
    store.save(MADE)

    assert store.load("one") == MADE


def test_a_later_state_takes_the_place_of_the_earlier(store: RunStore) -> None:
    store.save(MADE)
    later = MADE.at(Stage.EXECUTION, RunStatus.COMPLETED, tables=2)

    store.save(later)

    assert store.load("one") == later


def test_requests_do_not_share_states(store: RunStore) -> None:
    store.save(MADE)
    other = RunState("one:two")

    store.save(other)

    assert (store.load("one"), store.load("one:two")) == (MADE, other)


def test_what_was_loaded_can_be_changed_without_the_store(store: RunStore) -> None:
    store.save(MADE)
    loaded = store.load("one")
    assert loaded is not None

    loaded.at(Stage.EXECUTION).artefacts["parts"].append("more")  # type: ignore[attr-defined]

    assert store.load("one") == MADE


def test_another_worker_finds_the_state(address: str) -> None:
    one, other = (RedisRuns(address, timedelta(days=1)) for _ in range(2))

    one.save(MADE)
    one.close()

    assert other.load("one") == MADE
    other.close()


def test_a_state_is_forgotten_after_a_while(address: str) -> None:
    runs = RedisRuns(address, timedelta(milliseconds=1))
    runs.save(RunState("short"))

    while runs.load("short") is not None:
        pass

    runs.close()


def test_memory_keeps_the_latest_requests_alone() -> None:
    runs = MemoryRuns(most=2)

    for name in ("a", "b", "a", "c"):
        runs.save(RunState(name))

    assert [runs.load(name) is None for name in "abc"] == [False, True, False]


def test_a_server_that_does_not_answer_is_an_error_of_ours(tmp_path: Path) -> None:
    runs = RedisRuns(f"unix://{tmp_path}/nobody.sock", timedelta(days=1))

    with pytest.raises(RunStoreError, match="store of requests"):
        runs.load("one")
