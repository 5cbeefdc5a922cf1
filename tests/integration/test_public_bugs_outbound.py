"""What went wrong in public in other bots on the way out, each under its symptom."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from agent import Choice
from bot.messages import Fact, FactKind, Reply, Status, Thread
from bot.outbound.posting import Patience
from bot.platforms.slack_actions import read_action
from tests.fakes.memory_outbound import KeptTurns
from tests.fault_proxy import Limited, Refused
from tests.slack_posting import CHANNEL, SlackDesk, slack_desk


@pytest.fixture(scope="module")
def shared_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackDesk]:
    with slack_desk(tmp_path_factory.mktemp("slack")) as made:
        yield made


@pytest.fixture
def desk(shared_desk: SlackDesk) -> Iterator[SlackDesk]:
    shared_desk.proxy.reset()
    shared_desk.engaged.threads.clear()
    yield shared_desk
    assert shared_desk.proxy.complaints == []


def test_10_follow_ups_are_dropped_as_one_way_to_send_does_not_record_its_thread(
    desk: SlackDesk,
) -> None:
    ways = [desk.thread(f"way {number}") for number in range(3)]
    gateway = desk.gateway()

    gateway.begin(desk.words(ways[0], "one"))
    gateway.deliver(desk.words(ways[1], "two"))
    gateway.say(ways[2], Reply(ways[2], Status.COMPLETED, "three"), "way-3")

    assert all(desk.engaged.holds(way) for way in ways)


def test_12_an_answer_of_14_000_characters_is_refused_as_msg_blocks_too_long(
    desk: SlackDesk,
) -> None:
    thread, lines = desk.thread(), [f"node {number} drew {number} W" for number in range(700)]

    desk.gateway().deliver(desk.words(thread, "\n".join(lines)))

    texts = [message["text"] for message in desk.slack.thread(thread.root)[1:]]
    assert "\n".join(texts).split("\n")[: len(lines)] == lines


def test_13_a_text_of_more_than_3_000_characters_silences_the_bot(desk: SlackDesk) -> None:
    thread = desk.thread()

    desk.gateway().deliver(desk.words(thread, "word " * 700))

    (message,) = desk.slack.thread(thread.root)[1:]
    assert [block["type"] for block in message["blocks"]][:2] == ["section", "section"]


@pytest.mark.parametrize("error", ["invalid_blocks", "msg_blocks_too_long", "invalid_arguments"])
def test_13_a_message_whose_blocks_are_refused_comes_as_plain_text_and_file(
    desk: SlackDesk, error: str
) -> None:
    thread = desk.thread()
    turn = desk.turn(thread, files=())
    desk.proxy.fail("chat.postMessage", Refused(error), Refused(error))

    desk.gateway().deliver(turn)

    shown, csv = desk.slack.thread(thread.root)[1:]
    assert not shown.get("blocks")
    assert shown["text"].startswith("Node 3 drew 812 W")
    assert "812" in shown["text"].partition("power")[2]
    assert csv["files"][0]["title"] == "nodes"
    assert len(desk.sent("chat.postMessage")) == 3


def test_13_a_workspace_without_tables_gets_the_same_rows_in_another_form(desk: SlackDesk) -> None:
    thread = desk.thread()
    desk.proxy.fail("chat.postMessage", Refused("invalid_blocks"))

    desk.gateway().deliver(desk.turn(thread, files=()))

    (kinds, _) = desk.blocks(thread.root)
    assert "table" not in kinds
    assert kinds[-1] == "actions"


def test_14_a_text_of_more_than_4_000_characters_is_refused_as_msg_too_long(
    desk: SlackDesk,
) -> None:
    thread = desk.thread()
    gateway = desk.gateway()
    record = gateway.deliver(
        desk.words(thread, "& " * 6000, choices=(Choice("a", "the inlet & all of it"),))
    )

    gateway.settle(record, "Ada chose: " + "the inlet & " * 400)

    sent = desk.sent("chat.postMessage", "chat.update")
    assert len(sent) > 3
    assert max(len(asked["text"]) for asked in sent) <= 3900


def test_14_words_that_no_message_takes_come_as_a_file(desk: SlackDesk) -> None:
    thread = desk.thread()
    turn = desk.words(thread, "812 W")
    refusals = (Refused("invalid_blocks"), Refused("msg_too_long"))
    desk.proxy.fail("chat.postMessage", *refusals)

    desk.gateway().deliver(turn)

    assert desk.shown(thread.root) == [f"answer-{turn.trace_id}-0.txt"]


def test_15_a_message_that_is_refused_is_sent_five_times_and_then_nothing_comes(
    desk: SlackDesk,
) -> None:
    thread = desk.thread()
    turn = desk.words(thread, "812 W")
    desk.proxy.fail("chat.postMessage", *[Refused("is_archived")] * 9)

    record = desk.gateway().deliver(turn)

    assert len(desk.sent("chat.postMessage")) == 2
    (told,) = desk.sent("chat.postEphemeral")
    assert record.trace_id in told["text"]


def test_16_the_last_edit_is_lost_as_ok_false_is_not_looked_at(desk: SlackDesk) -> None:
    thread = desk.thread()
    gateway = desk.gateway()
    record = gateway.begin(desk.words(thread, "812 W"))
    desk.proxy.fail("chat.update", Refused("ratelimited"), Refused("internal_error"), Limited(0))

    gateway.deliver(record)

    assert desk.shown(thread.root) == ["Answered below.", "812 W"]
    assert len(desk.sent("chat.update")) == 4


def test_17_edits_of_progress_use_up_what_the_answer_needs(desk: SlackDesk) -> None:
    thread = desk.thread()
    gateway = desk.gateway()
    record = gateway.begin(desk.words(thread, "812 W"))

    with gateway.showing(record) as note:
        for number in range(500):
            note(f"step {number}")
    gateway.deliver(record)

    assert len(desk.sent("chat.update")) < 10
    assert set(desk.throttle.taken) <= {"edits:slack", f"post:slack:{CHANNEL}"}


def test_17_a_429_for_an_edit_stops_the_bot(desk: SlackDesk) -> None:
    thread = desk.thread()
    gateway = desk.gateway()
    record = gateway.begin(desk.words(thread, "812 W"))
    desk.proxy.fail("chat.update", Limited(0), Limited(0))

    with gateway.showing(record) as note:
        note("querying")
    gateway.deliver(record)

    assert desk.shown(thread.root) == ["Answered below.", "812 W"]


def test_17_a_429_is_waited_for_as_long_as_it_says(desk: SlackDesk) -> None:
    thread, pauses = desk.thread(), list[float]()
    patient = replace(desk.gateway(), patience=Patience(tries=4, sleep=pauses.append))
    desk.proxy.fail("chat.postMessage", Limited(17))

    patient.deliver(desk.words(thread, "812 W"))

    assert pauses == [17]
    assert desk.throttle.held[-1] == (f"post:slack:{CHANNEL}", 17)
    assert desk.shown(thread.root) == ["812 W"]


@pytest.mark.parametrize("begins_a_thread", [False, True])
def test_24_a_reply_lands_in_the_channel_as_it_answers_the_time_of_a_file(
    desk: SlackDesk, begins_a_thread: bool
) -> None:
    thread = Thread("slack", CHANNEL, "") if begins_a_thread else desk.thread()
    turn = desk.turn(thread, tables=(desk.table(), desk.table()))

    record = desk.gateway().deliver(turn)

    root = record.posted[0][1] if begins_a_thread else thread.root
    asked = desk.sent("chat.postMessage", "files.completeUploadExternal")
    roots = [each.get("thread_ts") for each in asked]
    assert roots == [None if begins_a_thread else root, *[root] * (len(asked) - 1)]
    assert len(asked) == 5


def test_25_an_upload_fails_with_internal_error_as_blocks_went_along(desk: SlackDesk) -> None:
    desk.gateway().deliver(desk.turn(desk.thread()))

    for asked in desk.sent("files.completeUploadExternal"):
        assert "blocks" not in asked


def test_31_a_button_does_nothing_when_it_is_pressed(desk: SlackDesk) -> None:
    thread = desk.thread()
    facts = (Fact("Query", ("SELECT",), FactKind.SPARQL),)
    choices = tuple(Choice(f"m{number}", f"metric {number}") for number in range(25))
    gateway = desk.gateway(KeptTurns())

    turn = gateway.begin(desk.turn(thread, facts=facts, choices=choices))
    gateway.deliver(turn)

    blocks: list[Any] = [b for asked in desk.sent("chat.postMessage") for b in asked["blocks"]]
    pressed = [e for block in blocks if block["type"] == "actions" for e in block["elements"]]
    read = [read_action(element) for element in pressed]
    assert len(read) == 25 + 4 + 1
    assert {action.turn for action in read if action} == {turn.trace_id}
    assert None not in read


def test_34_marks_of_markdown_and_tables_of_pipes_stand_there_as_they_were_written(
    desk: SlackDesk,
) -> None:
    thread = desk.thread()
    markdown = "# Nodes\n**Node 3** is *hot*\n\n| node | power |\n|---|---|\n| 3 | 812 |"

    desk.gateway().deliver(desk.words(thread, markdown))

    (message,) = desk.slack.thread(thread.root)[1:]
    texts = [block["text"]["text"] for block in message["blocks"] if "text" in block]
    assert texts == [
        "*Nodes*\n*Node 3* is _hot_",
        "```\n| node | power |\n|---|---|\n| 3 | 812 |\n```",
    ]
