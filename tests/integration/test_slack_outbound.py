"""What people see in Slack: the gateway over a real peer, with faults made on the way."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.embedded_redis import EmbeddedRedis
from bot.messages import Thread
from bot.outbound import Gateway
from bot.outbound.progress import ProgressBoard
from bot.platforms.slack_outlet import SlackOutlet, slack_client
from bot.redis_turns import RedisTurns
from bot.turn_store import TurnRecord
from tests.fakes.memory_outbound import KeptTurns, MemoryEngaged, OpenThrottle, WorkerDiedError
from tests.fault_proxy import UPLOAD, Broken, Dropped, FaultProxy, Limited, Slow
from tests.local_slack import BOT_TOKEN, OPS
from tests.slack_posting import CHANNEL, SlackDesk, slack_desk, whole_answer

REQUESTS = (
    "chat.postMessage",
    "files.getUploadURLExternal",
    UPLOAD,
    "files.completeUploadExternal",
)
FAULTS = (
    Limited(0),
    Broken(500),
    Broken(503, done=True),
    Dropped(),
    Dropped(done=True),
    Slow(1.5),
)


@pytest.fixture(scope="module")
def shared_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackDesk]:
    with slack_desk(tmp_path_factory.mktemp("slack")) as made:
        yield made


@pytest.fixture
def desk(shared_desk: SlackDesk) -> Iterator[SlackDesk]:
    """With nothing done yet; whatever a test sends must be as Slack takes it."""
    shared_desk.proxy.reset()
    yield shared_desk
    assert shared_desk.proxy.complaints == []


def test_an_answer_stands_in_its_thread_with_table_plot_and_csv(desk: SlackDesk) -> None:
    thread = desk.thread()
    turn = desk.turn(thread)

    record = desk.gateway().deliver(turn)

    assert desk.shown(thread.root) == whole_answer(turn)
    message, plot, csv = desk.slack.thread(thread.root)[1:]
    assert desk.blocks(thread.root)[0] == [
        *("section", "section", "table", "context", "context", "actions"),
    ]
    assert message["ts"] == record.posted[0][1]
    assert plot["files"][0]["title"] == "Power of node 3 on 1 June"
    assert csv["files"][0]["size"] == 17
    (asked, _) = desk.proxy.arguments("files.getUploadURLExternal")
    assert asked["alt_txt"] == "Power of node 3 on 1 June"


@pytest.mark.parametrize("dies_at", range(1, 8))
def test_a_worker_killed_at_any_save_is_taken_over_and_the_answer_stands_there_once(
    desk: SlackDesk, dies_at: int
) -> None:
    thread, turns = desk.thread(), KeptTurns(dies_at)
    turn = desk.turn(thread)
    with pytest.raises(WorkerDiedError):
        desk.gateway(turns).deliver(turn)

    desk.gateway().deliver(turns.records[-1] if turns.records else turn)

    assert desk.shown(thread.root) == whole_answer(turn)


@pytest.mark.parametrize("method", REQUESTS)
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_whatever_befalls_a_request_the_answer_stands_there_once(
    desk: SlackDesk, method: str, fault: Any
) -> None:
    thread = desk.thread()
    turn = desk.turn(thread)
    desk.proxy.fail(method, fault)

    desk.gateway().deliver(turn)

    assert desk.shown(thread.root) == whole_answer(turn)


def test_with_three_requests_in_ten_failing_every_answer_stands_there_once(
    desk: SlackDesk,
) -> None:
    turns = [desk.turn(desk.thread(f"question {number}")) for number in range(8)]
    desk.proxy.fail_share(0.3, seed=7)
    gateway = desk.gateway()

    with ThreadPoolExecutor(4) as workers:
        records = list(workers.map(gateway.deliver, [gateway.begin(turn) for turn in turns]))

    desk.proxy.fail_share(0)
    assert any(record.progress for record in records)
    for turn in turns:
        shown = desk.shown(turn.message.thread.root)
        assert shown[: len(shown) - 3] in ([], ["Answered below."])
        assert shown[-3:] == whole_answer(turn)


def test_an_answer_begins_a_thread_of_its_own_where_there_is_none(desk: SlackDesk) -> None:
    turn = desk.turn(Thread("slack", CHANNEL, ""))
    desk.proxy.fail("chat.postMessage", Dropped(done=True))

    record = desk.gateway().deliver(turn)

    root = record.posted[0][1]
    history = desk.slack.call("conversations.history", channel=OPS)["messages"]
    mine = [m["ts"] for m in history if m["text"].startswith("Node 3 drew") and m["ts"] >= root]
    assert mine == [root]
    assert desk.shown(root) == whole_answer(turn)[1:]
    assert desk.engaged.holds(replace(turn.message.thread, root=root))


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("turns"))
    yield server.open()
    server.close()


def _work(slack_url: str, redis_url: str, record: TurnRecord) -> None:
    """What a worker does in a process of its own."""
    throttle, turns = OpenThrottle(), RedisTurns(redis_url, timedelta(days=1))
    client = slack_client(BOT_TOKEN, f"{slack_url}/api/", seconds=30)
    outlets = {"slack": SlackOutlet(lambda team: client)}
    Gateway(outlets, turns, throttle, MemoryEngaged(), ProgressBoard(throttle)).deliver(record)


def wait_until(holds: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.01)


@pytest.mark.parametrize("method", ["chat.postMessage", "files.completeUploadExternal"])
def test_kill_9_between_a_post_and_its_mark_leaves_one_message(
    desk: SlackDesk, redis_url: str, method: str
) -> None:
    thread = desk.thread()
    turn, turns = desk.turn(thread), RedisTurns(redis_url, timedelta(days=1))
    # Slack has taken the message, and its answer is still on the way.
    desk.proxy.fail(method, Slow(20))
    worker = multiprocessing.get_context("spawn").Process(
        target=_work, args=(desk.proxy.url, redis_url, turn)
    )
    worker.start()
    wait_until(lambda: posted_by(desk.proxy, method))
    wait_until(lambda: len(desk.shown(thread.root)) == (1 if method == REQUESTS[0] else 2))
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    worker.join(30)

    taken_over = turns.load(turn.trace_id)
    turns.close()
    assert taken_over is not None
    record = desk.gateway().deliver(taken_over)

    assert dict(taken_over.posted)[f"{turn.trace_id}-{1 if method != REQUESTS[0] else 0}"] == ""
    assert all(message_id for _, message_id in record.posted)
    assert desk.shown(thread.root) == whole_answer(turn)


def posted_by(proxy: FaultProxy, method: str) -> bool:
    return bool(proxy.arguments(method))


def test_progress_is_edited_in_place_and_ends_where_the_answer_stands(desk: SlackDesk) -> None:
    thread = desk.thread()
    gateway = desk.gateway()
    record = gateway.begin(desk.words(thread, "812 W"))

    with gateway.showing(record) as note:
        note("querying")
        wait_until(lambda: desk.shown(thread.root) == ["querying …"])
    shown = desk.blocks(thread.root)
    gateway.deliver(record)

    assert shown == [["context", "actions"]]
    assert desk.shown(thread.root) == ["Answered below.", "812 W"]
    assert desk.blocks(thread.root)[0] == []


def test_what_is_whispered_stands_in_the_thread_for_one_person(desk: SlackDesk) -> None:
    thread = desk.thread()

    desk.gateway().whisper(thread, "U01ADA", "You may **not** do that.")

    (asked,) = desk.sent("chat.postEphemeral")
    assert (asked["user"], asked["thread_ts"]) == ("U01ADA", thread.root)
    assert asked["text"] == "You may not do that."


def test_a_file_that_is_gone_is_told_of_in_its_place(desk: SlackDesk, tmp_path: Path) -> None:
    thread = desk.thread()
    turn = desk.turn(thread, tables=())
    (desk.folder / "plot.png").unlink()

    desk.gateway().deliver(turn)

    assert desk.shown(thread.root)[1:] == [
        "plot.png could not be attached here: Power of node 3 on 1 June"
    ]
