"""What people see in Mattermost: the gateway over our stand-in, with faults made on the way."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from agent import Choice
from bot.counters import Uncounted
from bot.embedded_redis import EmbeddedRedis
from bot.errors import PostRefused
from bot.messages import Act, Reply, Status, Thread
from bot.outbound import Gateway, Patience
from bot.outbound.posting import Posting
from bot.outbound.progress import ProgressBoard
from bot.outlet import Part
from bot.platforms.mattermost_outlet import MattermostOutlet
from bot.platforms.mattermost_rest import MattermostRest
from bot.platforms.mattermost_tokens import ButtonTokens
from bot.redis_turns import RedisTurns
from bot.turn_store import TurnRecord
from tests.fakes.memory_outbound import KeptTurns, MemoryEngaged, OpenThrottle, WorkerDiedError
from tests.fault_proxy import Broken, Dropped, Limited, Slow
from tests.mattermost_posting import (
    ACTIONS_URL,
    PLATFORM,
    WHOLE_ANSWER,
    MattermostDesk,
    mattermost_desk,
)
from tests.mattermost_stub import ADA, BEN, BOT_TOKEN, OPS, QUIET

REQUESTS = ("POST /posts", "POST /files")
FAULTS = (
    Limited(1),
    Broken(500),
    Broken(503, done=True),
    Dropped(),
    Dropped(done=True),
    Slow(1.5),
)
PICK = (Choice("1", "the GPU cores"), Choice("2", "the GPU memory"))


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("redis"))
    yield server.open()
    server.close()


@pytest.fixture(scope="module")
def shared_desk(
    tmp_path_factory: pytest.TempPathFactory, redis_url: str
) -> Iterator[MattermostDesk]:
    with mattermost_desk(tmp_path_factory.mktemp("answers"), redis_url) as made:
        yield made


@pytest.fixture
def desk(shared_desk: MattermostDesk) -> Iterator[MattermostDesk]:
    """With nothing done yet; whatever a test sends must be as the server wants it."""
    shared_desk.stub.reset()
    yield shared_desk
    assert shared_desk.stub.complaints == []


def test_an_answer_stands_in_its_thread_with_table_plot_and_csv(desk: MattermostDesk) -> None:
    thread = desk.thread()

    record = desk.gateway().deliver(desk.turn(thread))

    assert desk.shown(thread.root) == WHOLE_ANSWER
    words, files = desk.stub.replies(thread.root)
    assert "|node|power|\n|:---|---:|\n|3|812|" in words["message"]
    assert [name["name"] for name in desk.stub.actions(words["id"])] == [
        *("Show query", "Show work", "Helpful", "Not helpful"),
    ]
    assert dict(record.posted).popitem()[1] == files["id"]
    assert desk.stub.file(files["file_ids"][1]) == ("nodes.csv", b"node,power\n3,812\n")


@pytest.mark.parametrize("dies_at", range(1, 6))
def test_a_worker_killed_at_any_save_is_taken_over_and_the_answer_stands_there_once(
    desk: MattermostDesk, dies_at: int
) -> None:
    thread, turns = desk.thread(), KeptTurns(dies_at)
    turn = desk.turn(thread)
    with pytest.raises(WorkerDiedError):
        desk.gateway(turns).deliver(turn)

    desk.gateway().deliver(turns.records[-1] if turns.records else turn)

    assert desk.shown(thread.root) == WHOLE_ANSWER


@pytest.mark.parametrize("operation", REQUESTS)
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_whatever_befalls_a_request_the_answer_stands_there_once(
    desk: MattermostDesk, operation: str, fault: Any
) -> None:
    thread = desk.thread()
    desk.stub.fail(operation, fault)

    desk.gateway().deliver(desk.turn(thread))

    assert desk.shown(thread.root) == WHOLE_ANSWER


def _work(url: str, redis_url: str, record: TurnRecord) -> None:
    """What a worker does in a process of its own."""
    throttle, turns = OpenThrottle(), RedisTurns(redis_url, timedelta(days=1))
    tokens = ButtonTokens(redis_url, timedelta(hours=1))
    outlet = MattermostOutlet(MattermostRest(url, BOT_TOKEN, seconds=30), tokens, ACTIONS_URL)
    board = ProgressBoard(throttle)
    Gateway({PLATFORM: outlet}, turns, throttle, MemoryEngaged(), board).deliver(record)


def test_kill_9_between_a_post_and_its_mark_leaves_one_message(
    desk: MattermostDesk, redis_url: str
) -> None:
    thread = desk.thread()
    turn, turns = desk.turn(thread), RedisTurns(redis_url, timedelta(days=1))
    # The server has taken the message, and its answer is still on the way.
    desk.stub.fail("POST /posts", Slow(20))
    worker = multiprocessing.get_context("spawn").Process(
        target=_work, args=(desk.stub.url, redis_url, turn)
    )
    worker.start()
    desk.stub.wait_for_replies(thread.root, 1, 60)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    worker.join(30)
    # So long after, the server has forgotten under which id it was sent.
    desk.stub.world.pending.clear()

    taken_over = turns.load(turn.trace_id)
    turns.close()
    assert taken_over is not None
    record = desk.gateway().deliver(taken_over)

    assert dict(taken_over.posted)[f"{turn.trace_id}-0"] == ""
    assert all(message_id for _, message_id in record.posted)
    assert desk.shown(thread.root) == WHOLE_ANSWER


def test_with_three_requests_in_ten_failing_every_answer_stands_there_once(
    desk: MattermostDesk,
) -> None:
    turns = [desk.turn(desk.thread(f"question {number}")) for number in range(8)]
    desk.stub.fail_share(0.3, seed=7)
    gateway = desk.gateway()

    with ThreadPoolExecutor(4) as workers:
        records = list(workers.map(gateway.deliver, [gateway.begin(turn) for turn in turns]))

    desk.stub.fail_share(0)
    assert any(record.progress for record in records)
    for turn in turns:
        shown = desk.shown(turn.message.thread.root)
        assert shown[: len(shown) - 2] in ([], [["Answered below."]])
        assert shown[-2:] == WHOLE_ANSWER


def test_a_post_whose_answer_was_lost_is_found_by_its_key(desk: MattermostDesk) -> None:
    thread, outlet = desk.thread(), desk.outlet()
    other = replace(thread, root="")

    post = outlet.post(thread, Part("said"), "turn-0")
    alone = outlet.post(other, Part("said in a thread of its own"), "turn-1")

    assert outlet.posted(thread, "turn-0") == post
    assert outlet.posted(other, "turn-1") == alone
    assert outlet.posted(thread, "turn-2") is None


def test_what_the_server_was_sent_twice_it_posts_once(desk: MattermostDesk) -> None:
    thread, outlet = desk.thread(), desk.outlet()

    posts = {outlet.post(thread, Part("said"), "turn-0") for _ in range(2)}

    assert len(posts) == len(desk.stub.replies(thread.root)) == 1


def test_an_answer_begins_a_thread_of_its_own_where_there_is_none(desk: MattermostDesk) -> None:
    turn = desk.turn(Thread(PLATFORM, OPS, ""))
    desk.stub.fail("POST /posts", Dropped(done=True))

    record = desk.gateway().deliver(turn)

    root = record.posted[0][1]
    assert desk.shown(root) == WHOLE_ANSWER
    assert desk.engaged.holds(replace(turn.message.thread, root=root))


def asked(desk: MattermostDesk, thread: Thread) -> Any:
    question = Reply(thread, Status.CLARIFICATION, "Which do you mean?", choices=PICK)
    return desk.turn(thread, status=Status.CLARIFICATION, choices=PICK, markdown=question.markdown)


def test_what_buttons_do_is_sealed_and_no_client_sees_it(desk: MattermostDesk) -> None:
    thread = desk.thread()

    record = desk.gateway().deliver(asked(desk, thread))

    (post, *_) = desk.stub.replies(thread.root)
    button = next(a for a in desk.stub.actions(post["id"]) if a["name"] == "the GPU memory")
    assert set(button["integration"]["context"]) == {"token"}
    opened = desk.tokens.opened(button["integration"]["context"]["token"], OPS, ADA)
    assert opened is not None
    assert (opened.act, opened.turn, opened.value) == (Act.CHOOSE, record.trace_id, "2")
    assert opened.root == thread.root
    assert desk.tokens.opened(button["integration"]["context"]["token"], QUIET, ADA) is None


def test_a_choice_that_was_made_leaves_no_button_and_says_who_made_it(
    desk: MattermostDesk,
) -> None:
    thread, gateway = desk.thread(), desk.gateway()
    record = gateway.deliver(asked(desk, thread))

    gateway.settle(record, "chose: the GPU cores", ADA)

    (post, *_) = desk.stub.replies(thread.root)
    assert post["message"].endswith("*@ada chose: the GPU cores*")
    assert "the GPU memory" not in [action["name"] for action in desk.stub.actions(post["id"])]
    assert post["props"]["from_bot"] == "true"


def test_progress_is_edited_in_place_and_its_button_goes(desk: MattermostDesk) -> None:
    thread, gateway = desk.thread(), desk.gateway()

    begun = gateway.begin(desk.turn(thread))
    (post,) = desk.stub.replies(thread.root)
    stops = [action["name"] for action in desk.stub.actions(post["id"])]
    gateway.deliver(begun)

    assert stops == ["Stop"]
    assert desk.shown(thread.root) == [["Answered below."], *WHOLE_ANSWER]
    assert desk.stub.actions(post["id"]) == []


def test_one_person_alone_is_told(desk: MattermostDesk) -> None:
    thread = desk.thread()

    desk.gateway().whisper(thread, BEN, "That is **not** yours.")

    (told,) = desk.stub.whispers(BEN)
    assert (told["message"], told["root_id"]) == ("That is **not** yours.", thread.root)
    assert desk.stub.replies(thread.root) == []


def test_where_whispers_are_forbidden_a_person_is_told_directly(desk: MattermostDesk) -> None:
    thread = desk.thread()
    desk.stub.settings.may_whisper = False

    desk.gateway().ask_why(thread, BEN, "Why?", PICK, "0123456789abcdef")

    (told,) = desk.stub.posts(desk.stub.direct_channel(BEN))
    assert told["message"] == "Why?"
    (menu,) = desk.stub.actions(told["id"])
    token = menu["integration"]["context"]["token"]
    assert desk.tokens.opened(token, desk.stub.direct_channel(BEN), BEN) is not None
    assert desk.stub.replies(thread.root) == []


def test_where_whispers_are_forbidden_a_direct_thread_goes_on(desk: MattermostDesk) -> None:
    direct = desk.stub.direct_channel(BEN)
    thread = Thread(PLATFORM, direct, desk.stub.say("stop", user=BEN, channel=direct))
    desk.stub.settings.may_whisper = False

    desk.gateway().whisper(thread, BEN, "There is nothing to stop.")

    (told,) = desk.stub.replies(thread.root)
    assert told["root_id"] == thread.root


def test_a_file_that_is_gone_is_said_and_the_rest_stands(desk: MattermostDesk) -> None:
    thread = desk.thread()
    turn = desk.turn(thread)
    (desk.folder / "plot.png").unlink()

    desk.gateway().deliver(turn)

    words, files = desk.stub.replies(thread.root)
    assert words["message"].startswith("Node 3 drew")
    assert "plot.png could not be attached here." in files["message"]


def test_a_post_that_is_refused_goes_out_without_its_buttons(desk: MattermostDesk) -> None:
    thread = desk.thread()
    context = {"act": str(Act.QUERY), "turn": "0123456789abcdef", "value": ""}
    # More than the properties of a post may hold.
    button = {"id": "query", "name": "<" * 2000, "integration": {"context": context}}
    part = Part("words", ({"actions": [button]},), instead=(Part("words"),))

    with pytest.raises(PostRefused):
        desk.outlet().post(thread, part, "turn-0")
    posting = Posting(desk.throttle, Patience(), Uncounted())
    post = posting.post(desk.outlet(), thread, part, "turn-0", unsure=False)

    assert desk.stub.post(post)["message"] == "words"
    assert desk.stub.actions(post) == []
