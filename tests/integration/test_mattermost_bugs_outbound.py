"""What went wrong in public in other bots on the way out, on Mattermost; see also for Slack."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from agent import Choice
from bot.embedded_redis import EmbeddedRedis
from bot.messages import Act, Click, Reply, Status, Thread
from bot.outbound import Patience
from bot.platforms.mattermost_actions import ACTIONS_PATH, Actions
from tests.fakes.recording_intake import RecordingIntake
from tests.fakes.recording_platform import NOW
from tests.fault_proxy import Broken, Dropped, Limited
from tests.mattermost_posting import PLATFORM, MattermostDesk, mattermost_desk
from tests.mattermost_stub import BEN, OPS

TURN = "0123456789abcdef"
REFUSED = Broken(400)
PATCH = "PUT /posts/{post_id}/patch"
PICK = tuple(Choice(f"m{number}", f"metric {number}") for number in range(25))


@pytest.fixture(scope="module")
def shared_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MattermostDesk]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("redis"))
    folder = tmp_path_factory.mktemp("answers")
    with mattermost_desk(folder, server.open()) as made:
        yield made
    server.close()


@pytest.fixture
def desk(shared_desk: MattermostDesk) -> Iterator[MattermostDesk]:
    """With nothing done yet; whatever a test sends must be as the server wants it."""
    shared_desk.stub.reset()
    shared_desk.engaged.threads.clear()
    shared_desk.throttle.taken.clear()
    yield shared_desk
    assert shared_desk.stub.complaints == []


def test_10_follow_ups_are_dropped_as_one_way_to_send_does_not_record_its_thread(
    desk: MattermostDesk,
) -> None:
    ways = [desk.thread(f"way {number}") for number in range(3)]
    gateway = desk.gateway()

    gateway.begin(desk.words(ways[0], "one"))
    gateway.deliver(desk.words(ways[1], "two"))
    gateway.say(ways[2], Reply(ways[2], Status.COMPLETED, "three"), "way-3")

    assert all(desk.engaged.holds(way) for way in ways)


def test_12_an_answer_that_is_too_long_for_one_message_is_refused(desk: MattermostDesk) -> None:
    thread, lines = desk.thread(), [f"node {number} drew {number} W" for number in range(2000)]

    desk.gateway().deliver(desk.words(thread, "\n".join(lines)))

    posts = desk.stub.replies(thread.root)
    said = "\n".join(post["message"] for post in posts)
    assert len(posts) > 2
    assert said.split("\n")[: len(lines)] == lines
    assert [bool(desk.stub.actions(post["id"])) for post in posts[-2:]] == [False, True]


def test_13_a_message_whose_buttons_are_refused_comes_as_plain_text_and_file(
    desk: MattermostDesk,
) -> None:
    thread = desk.thread()
    desk.stub.fail("POST /posts", REFUSED)

    desk.gateway().deliver(desk.turn(thread))

    words, files = desk.stub.replies(thread.root)
    assert words["message"].startswith("Node 3 drew")
    assert desk.stub.actions(words["id"]) == []
    assert len(files["file_ids"]) == 2


def test_13_a_file_that_the_server_does_not_take_leaves_the_picture_and_says_so(
    desk: MattermostDesk,
) -> None:
    thread, turn = desk.thread(), None
    desk.stub.settings.max_file_size = 100
    turn = desk.turn(thread)
    (desk.folder / "nodes.csv").write_bytes(b"3,812\n" * 50)

    desk.gateway().deliver(turn)

    words, files = desk.stub.replies(thread.root)
    assert words["message"].startswith("Node 3 drew")
    assert [desk.stub.file(each)[0] for each in files["file_ids"]] == ["plot.png"]
    assert "nodes.csv could not be attached here." in files["message"]


def test_14_words_that_the_server_does_not_take_come_as_a_file(desk: MattermostDesk) -> None:
    thread, words = desk.thread(), "812 W " * 1000
    desk.stub.fail("POST /posts", REFUSED, REFUSED)

    desk.gateway().deliver(desk.words(thread, words))

    (post,) = desk.stub.replies(thread.root)
    name, data = desk.stub.file(post["file_ids"][0])
    assert name == "answer.txt"
    assert words.strip() in data.decode()


def test_15_a_message_that_is_refused_is_sent_five_times_and_then_nothing_comes(
    desk: MattermostDesk,
) -> None:
    thread = desk.thread()
    desk.stub.fail("POST /posts", *[REFUSED] * 9)

    record = desk.gateway().deliver(desk.words(thread, "812 W"))

    assert len(desk.stub.calls("POST /posts")) == 2
    (told,) = desk.stub.whispers()
    assert record.trace_id in told["message"]


def test_16_the_last_edit_is_lost_as_its_failure_is_not_looked_at(desk: MattermostDesk) -> None:
    thread, gateway = desk.thread(), desk.gateway()
    record = gateway.begin(desk.words(thread, "812 W"))
    desk.stub.fail(PATCH, Broken(500), Limited(0), Dropped())

    gateway.deliver(record)

    assert [said[0] for said in desk.shown(thread.root)] == ["Answered below.", "812 W"]
    assert len(desk.stub.calls(PATCH)) == 4


def test_17_edits_of_progress_use_up_what_the_answer_needs(desk: MattermostDesk) -> None:
    thread, gateway = desk.thread(), desk.gateway()
    record = gateway.begin(desk.words(thread, "812 W"))

    with gateway.showing(record) as note:
        for number in range(500):
            note(f"step {number}")
    gateway.deliver(record)

    assert len(desk.stub.calls(PATCH)) < 10
    assert set(desk.throttle.taken) <= {f"edits:{PLATFORM}", f"post:{PLATFORM}:{OPS}"}


def test_17_a_429_for_an_edit_stops_the_bot(desk: MattermostDesk) -> None:
    thread, gateway = desk.thread(), desk.gateway()
    record = gateway.begin(desk.words(thread, "812 W"))
    desk.stub.fail(PATCH, Limited(0), Limited(0))

    with gateway.showing(record) as note:
        note("querying")
    gateway.deliver(record)

    assert [said[0] for said in desk.shown(thread.root)] == ["Answered below.", "812 W"]


def test_17_a_429_is_waited_for_as_long_as_it_says(desk: MattermostDesk) -> None:
    thread, pauses = desk.thread(), list[float]()
    patient = replace(desk.gateway(), patience=Patience(tries=4, sleep=pauses.append))
    desk.stub.fail("POST /posts", Limited(17))

    patient.deliver(desk.words(thread, "812 W"))

    assert pauses == [17]
    assert desk.throttle.held[-1] == (f"post:{PLATFORM}:{OPS}", 17)
    assert [said[0] for said in desk.shown(thread.root)] == ["812 W"]


def test_22_buttons_stay_there_though_the_choice_was_made(desk: MattermostDesk) -> None:
    thread, gateway = desk.thread(), desk.gateway()
    asked = desk.words(thread, "Which?", status=Status.CLARIFICATION, choices=PICK)
    record = gateway.deliver(asked)
    desk.stub.fail(PATCH, Dropped(), Limited(0), Broken(503))

    gateway.settle(record, "chose: metric 1", BEN)

    (post,) = desk.stub.replies(thread.root)
    assert desk.stub.actions(post["id"]) == []
    assert post["message"].endswith("*@ben chose: metric 1*")


@pytest.mark.parametrize("begins_a_thread", [False, True])
def test_24_a_reply_lands_in_the_channel_as_it_answers_a_file(
    desk: MattermostDesk, begins_a_thread: bool
) -> None:
    thread = Thread(PLATFORM, OPS, "") if begins_a_thread else desk.thread()
    desk.stub.fail("POST /posts", REFUSED)
    turn = desk.turn(thread, markdown="long line\n" * 4000)

    record = desk.gateway().deliver(turn)

    root = record.posted[0][1] if begins_a_thread else thread.root
    posts = [post for post in desk.stub.posts() if post["id"] in dict(record.posted).values()]
    assert [post["root_id"] for post in posts] == [
        "" if begins_a_thread else root,
        *[root] * (len(posts) - 1),
    ]
    assert len(posts) > 3
    assert len(posts[-1]["file_ids"]) == 2


def test_29_a_button_never_calls_as_its_id_has_a_dash(desk: MattermostDesk) -> None:
    thread, gateway = desk.thread(), desk.gateway()

    record = gateway.begin(desk.turn(thread, choices=PICK))
    (progress,) = desk.stub.replies(thread.root)
    ids = [action["id"] for action in desk.stub.actions(progress["id"])]
    gateway.deliver(record)

    ids += [
        a["id"] for post in desk.stub.replies(thread.root) for a in desk.stub.actions(post["id"])
    ]
    assert len(ids) == 1 + 25 + 4
    assert all(re.fullmatch("[A-Za-z0-9]+", each) for each in ids)


@pytest.mark.parametrize("may_whisper", [True, False])
def test_31_a_menu_does_nothing_when_something_is_chosen_in_it(
    desk: MattermostDesk, may_whisper: bool
) -> None:
    """Also where it stands in a message to the person, not in the thread that it is of."""
    thread, intake = desk.thread(), RecordingIntake()
    desk.stub.settings.may_whisper = may_whisper
    desk.gateway().ask_why(thread, BEN, "Why?", PICK[:2], TURN)
    direct = desk.stub.direct_channel(BEN)
    (post,) = desk.stub.whispers(BEN) if may_whisper else desk.stub.posts(direct)
    (menu,) = desk.stub.actions(post["id"])
    pressed = {
        "user_id": BEN,
        "channel_id": OPS if may_whisper else direct,
        "post_id": post["id"],
        "trigger_id": "t1",
        "context": {**menu["integration"]["context"], "selected_option": PICK[1].id},
    }
    route = Actions(desk.tokens, intake.receive, lambda: NOW).route

    with TestClient(Starlette(routes=[route])) as client:
        told = client.post(ACTIONS_PATH, json=pressed)
        elsewhere = client.post(ACTIONS_PATH, json={**pressed, "channel_id": "x" * 26})

    assert told.json() == {}
    assert elsewhere.json() != {}
    (click,) = intake.taken
    assert isinstance(click, Click)
    assert (click.thread, click.author, click.turn) == (thread, BEN, TURN)
    assert (click.act, click.value) == (Act.UNHELPFUL, PICK[1].id)


def test_34_a_table_stands_there_as_pipes_and_a_name_in_it_is_set_in_italics(
    desk: MattermostDesk,
) -> None:
    thread = desk.thread()
    table = replace(desk.table(), rows=(("*r205* | n01", "812"),))

    desk.gateway().deliver(desk.turn(thread, tables=(table,), files=()))

    words, _ = desk.stub.replies(thread.root)
    assert (
        "**nodes**\n\n|node|power|\n|:---|---:|\n|\\*r205\\* \\| n01|812|\n\n" in words["message"]
    )
