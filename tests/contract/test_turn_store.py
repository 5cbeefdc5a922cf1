"""What every store of turns promises, over the one in memory and over a real Valkey server."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent import Choice, Pending, Session, Turn
from bot.errors import TurnStoreError
from bot.messages import Fact, FactKind, IncomingMessage, Reply, ReplyFile, ReplyTable, Status, Way
from bot.redis_turns import RedisTurns
from bot.turn_store import TurnRecord, TurnStage, TurnStore
from tests.fakes.memory_turns import MemoryTurns
from tests.fakes.recording_platform import NOW, a_message, a_thread

TURN = Turn("power?", datetime(2022, 6, 15, 10, tzinfo=UTC), (("about", "id"),), "812 W")
CSV = ReplyFile("power.csv", Path("/data/answers/1/power.csv"), "text/csv", "power")
WHOLE = TurnRecord(
    IncomingMessage(a_thread(), "17.5", "U1", "power? é", NOW, True, Way.DIGEST, True, True),
    TurnStage.ANSWERED,
    Reply(
        a_thread(),
        Status.COMPLETED,
        "**812 W**",
        (ReplyTable("power", ("node", "W"), (("1", "812"),), (False, True), 4000, CSV),),
        (ReplyFile("plot.png", Path("plot.png"), "image/png", "Power of node 1"),),
        (Choice("gpu", "the GPU cores"),),
        (Fact("Query", ("SELECT",), FactKind.SPARQL),),
    ),
    Session((TURN,), Pending(TURN, "temperature", (("a", "the inlet"),))),
    "17.6",
    (("one-0", "17.7"), ("one-1", "")),
)


@pytest.fixture(params=["memory", "redis"])
def store(request: pytest.FixtureRequest) -> Iterator[TurnStore]:
    if request.param == "memory":
        yield MemoryTurns()
        return
    turns = RedisTurns(request.getfixturevalue("address"), timedelta(days=1))
    yield turns
    turns.close()


def test_an_unknown_turn_is_none(store: TurnStore) -> None:
    assert store.load("never seen") is None


def test_a_saved_turn_is_loaded_as_it_was(store: TurnStore) -> None:
    store.save(WHOLE)

    assert store.load(WHOLE.trace_id) == WHOLE


def test_a_later_stage_takes_the_place_of_the_earlier(store: TurnStore) -> None:
    store.save(TurnRecord(a_message("power")))
    done = TurnRecord(a_message("power"), TurnStage.DONE)

    store.save(done)

    assert store.load(done.trace_id) == done


def test_turns_do_not_share_a_place(store: TurnStore) -> None:
    store.save(WHOLE)
    other = TurnRecord(replace(WHOLE.message, message_id="17.50"))

    store.save(other)

    assert store.load(WHOLE.trace_id) == WHOLE
    assert store.load(other.trace_id) == other


def test_whoever_comes_first_has_a_choice_for_ever(store: TurnStore, tmp_path: Path) -> None:
    turn = str(tmp_path)

    assert store.claim(turn, "choice", "ada: gpu") == "ada: gpu"
    assert store.claim(turn, "choice", "bob: cpu") == "ada: gpu"
    assert store.claim(turn, "choice", "ada: gpu") == "ada: gpu"
    assert store.claim(turn, "another", "bob é") == "bob é"


def test_of_many_at_once_one_has_it(store: TurnStore, tmp_path: Path) -> None:
    answers: list[str] = []
    start = threading.Barrier(8)

    def click(number: int) -> None:
        start.wait()
        answers.append(store.claim(str(tmp_path), "choice", str(number)))

    threads = [threading.Thread(target=click, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(answers) == 8
    assert len(set(answers)) == 1


def test_another_process_finds_the_turn(address: str) -> None:
    one, other = (RedisTurns(address, timedelta(days=1)) for _ in range(2))

    one.save(WHOLE)
    one.close()

    assert other.load(WHOLE.trace_id) == WHOLE
    other.close()


def test_a_server_that_does_not_answer_is_an_error_of_ours(tmp_path: Path) -> None:
    turns = RedisTurns(f"unix://{tmp_path}/nobody.sock", timedelta(days=1))

    with pytest.raises(TurnStoreError, match="store of turns"):
        turns.load("one")
