"""What people see in Slack: the gateway over a real peer, with faults made on the way."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.messages import Fact, IncomingMessage, Reply, ReplyFile, ReplyTable, Status, Thread
from bot.outbound import Gateway, Patience
from bot.outbound.progress import ProgressBoard
from bot.platforms.slack_outlet import SlackOutlet, slack_client
from bot.turn_store import TurnRecord, TurnStage
from tests.fakes.memory_outbound import KeptTurns, MemoryEngaged, OpenThrottle, WorkerDiedError
from tests.fakes.recording_platform import NOW
from tests.fault_proxy import (
    UPLOAD,
    Broken,
    Dropped,
    FaultProxy,
    Limited,
    Slow,
    fault_proxy,
)
from tests.local_slack import ADA, BOT_TOKEN, OPS, TEAM, LocalSlack, local_slack

REQUESTS = (
    "chat.postMessage",
    "files.getUploadURLExternal",
    UPLOAD,
    "files.completeUploadExternal",
)
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 32


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSlack]:
    with local_slack(tmp_path_factory.mktemp("slack")) as running:
        yield running


@pytest.fixture(scope="module")
def shared_proxy(slack: LocalSlack) -> Iterator[FaultProxy]:
    with fault_proxy(slack.url) as running:
        yield running


@pytest.fixture
def proxy(shared_proxy: FaultProxy) -> Iterator[FaultProxy]:
    """Between us and Slack; whatever a test sends must be as Slack takes it."""
    shared_proxy.reset()
    yield shared_proxy
    assert shared_proxy.complaints == []


@pytest.fixture
def outlet(proxy: FaultProxy) -> SlackOutlet:
    return SlackOutlet(lambda team: slack_client(BOT_TOKEN, f"{proxy.url}/api/", seconds=1))


@pytest.fixture
def gateway(outlet: SlackOutlet) -> Gateway:
    return a_gateway(outlet)


def a_gateway(outlet: SlackOutlet, turns: KeptTurns | None = None) -> Gateway:
    throttle = OpenThrottle()
    patience = Patience(tries=12, sleep=lambda seconds: None)
    return Gateway(
        {"slack": outlet},
        turns or KeptTurns(),
        throttle,
        MemoryEngaged(),
        ProgressBoard(throttle, 0.02),
        patience,
    )


@pytest.fixture
def thread(slack: LocalSlack) -> Thread:
    return Thread("slack", f"{TEAM}/{OPS}", slack.mention("power of node 3?"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plot.png").write_bytes(PNG)
    (tmp_path / "nodes.csv").write_text("node,power\n3,812\n")
    return tmp_path


def a_turn(thread: Thread, folder: Path, **more: Any) -> TurnRecord:
    csv = ReplyFile("nodes.csv", folder / "nodes.csv", "text/csv", "nodes")
    table = ReplyTable("nodes", ("node", "power"), (("3", "812"),), (False, True), 400, csv)
    plot = ReplyFile("plot.png", folder / "plot.png", "image/png", "Power of node 3 on 1 June")
    reply = Reply(
        thread,
        Status.COMPLETED,
        "Node 3 drew **812 W** <!channel>.",
        tables=(table,),
        files=(plot,),
        facts=(Fact("Time", ("2022-06-01 00:00 to 02:00 UTC",)),),
    )
    message = IncomingMessage(thread, thread.root or "m1", ADA, "power of node 3?", NOW, True)
    return TurnRecord(message, TurnStage.ANSWERED, replace(reply, **more))


def shown(slack: LocalSlack, root: str) -> list[str]:
    """What the bot posted to a thread, each message in a word or two."""
    return [
        message["files"][0]["name"] if message.get("files") else message["text"].split("\n")[0]
        for message in slack.thread(root)[1:]
    ]


def expected(record: TurnRecord) -> list[str]:
    trace = record.trace_id
    answer = "Node 3 drew 812 W &lt;!channel&gt;."
    return [answer, f"plot-{trace}-1.png", f"nodes-{trace}-2.csv"]


def test_an_answer_stands_in_its_thread_with_table_plot_and_csv(
    slack: LocalSlack, gateway: Gateway, thread: Thread, folder: Path, proxy: FaultProxy
) -> None:
    turn = a_turn(thread, folder)

    record = gateway.deliver(turn)

    assert shown(slack, thread.root) == expected(turn)
    message, plot, csv = slack.thread(thread.root)[1:]
    assert [block["type"] for block in message["blocks"]] == [
        *("section", "section", "table", "context", "context", "actions"),
    ]
    assert message["ts"] == record.posted[0][1]
    assert plot["files"][0]["title"] == "Power of node 3 on 1 June"
    assert csv["files"][0]["size"] == 17
    (asked, _) = proxy.arguments("files.getUploadURLExternal")
    assert asked["alt_txt"] == "Power of node 3 on 1 June"


def test_a_worker_killed_at_any_save_is_taken_over_and_the_answer_stands_there_once(
    slack: LocalSlack, outlet: SlackOutlet, folder: Path
) -> None:
    for dies_at in range(1, 7):
        thread = Thread("slack", f"{TEAM}/{OPS}", slack.mention(f"again {dies_at}"))
        turn, turns = a_turn(thread, folder), KeptTurns(dies_at)
        with pytest.raises(WorkerDiedError):
            a_gateway(outlet, turns).deliver(turn)

        taken_over = turns.records[-1] if turns.records else turn
        a_gateway(outlet).deliver(taken_over)

        assert shown(slack, thread.root) == expected(turn)


@pytest.mark.parametrize(
    "method",
    ["chat.postMessage", "files.getUploadURLExternal", UPLOAD, "files.completeUploadExternal"],
)
@pytest.mark.parametrize(
    "fault",
    [Limited(0), Broken(500), Broken(503, done=True), Dropped(), Dropped(done=True), Slow(1.5)],
    ids=str,
)
def test_whatever_befalls_a_request_the_answer_stands_there_once(
    slack: LocalSlack,
    gateway: Gateway,
    thread: Thread,
    folder: Path,
    proxy: FaultProxy,
    method: str,
    fault: Any,
) -> None:
    proxy.fail(method, fault)
    turn = a_turn(thread, folder)

    gateway.deliver(turn)

    assert shown(slack, thread.root) == expected(turn)


def test_an_answer_begins_a_thread_of_its_own_where_there_is_none(
    slack: LocalSlack, outlet: SlackOutlet, folder: Path, proxy: FaultProxy
) -> None:
    nowhere = Thread("slack", f"{TEAM}/{OPS}", "")
    proxy.fail("chat.postMessage", Dropped(done=True))
    turn = a_turn(nowhere, folder)

    record = a_gateway(outlet).deliver(turn)

    root = record.posted[0][1]
    history = slack.call("conversations.history", channel=OPS)["messages"]
    assert [m["ts"] for m in history if m["text"].startswith("Node 3 drew")].count(root) == 1
    assert shown(slack, root) == expected(turn)[1:]
