"""What is said in Mattermost is heard once: over gaps, restarts, and connections gone bad."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.embedded_redis import EmbeddedRedis
from bot.errors import PlatformError
from bot.messages import IncomingMessage
from bot.platforms.mattermost_heard import RedisHeard
from bot.platforms.mattermost_socket import MattermostSocket, Patience
from tests.fakes.recording_intake import RecordingIntake
from tests.fault_proxy import Broken, Dropped
from tests.mattermost_listening import BRISK, heard_at, listener_to, listening_to
from tests.mattermost_stub import (
    ADA,
    BEN,
    BOT,
    BOT_TOKEN,
    OPS,
    QUIET,
    MattermostStub,
    mattermost_stub,
)
from tests.mattermost_stub.certificates import self_signed


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("store"))
    yield server.open()
    server.close()


@pytest.fixture(scope="module")
def one_stub() -> Iterator[MattermostStub]:
    with mattermost_stub() as stub:
        yield stub


@pytest.fixture
def stub(one_stub: MattermostStub) -> MattermostStub:
    one_stub.reset()
    return one_stub


@pytest.fixture
def heard(redis_url: str, tmp_path: Path) -> Iterator[RedisHeard]:
    """A record of this test's own."""
    with heard_at(redis_url, str(tmp_path)) as record:
        yield record


@pytest.fixture
def intake() -> RecordingIntake:
    return RecordingIntake()


def texts(intake: RecordingIntake) -> list[str]:
    return [taken.text for taken in intake.taken if isinstance(taken, IncomingMessage)]


def hears_only(intake: RecordingIntake, stub: MattermostStub, *said: str) -> bool:
    """Whether that is all, once something that is said now has come."""
    stub.mention("and that is all")
    intake.wait_until(lambda _: "and that is all" in texts(intake))
    return texts(intake) == [*said, "and that is all"]


def test_a_mention_a_reply_and_a_direct_message_are_heard(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    with listening_to(stub.url, heard, intake.receive) as reports:
        root = stub.mention("what is the PUE?")
        stub.say("and yesterday?", user=BEN, root=root)
        stub.say("what is the PUE?", channel=stub.direct_channel(BEN), user=BEN)
        mention, reply, direct = intake.wait_for(3)

    assert isinstance(mention, IncomingMessage)
    assert (mention.thread.channel, mention.thread.root, mention.message_id) == (OPS, root, root)
    assert (mention.author, mention.text, mention.addressed) == (ADA, "what is the PUE?", True)
    assert isinstance(reply, IncomingMessage)
    assert (reply.thread.root, reply.author, reply.addressed) == (root, BEN, False)
    assert isinstance(direct, IncomingMessage)
    assert direct.direct
    assert direct.addressed
    assert reports.trouble == ""


def test_in_a_message_to_a_few_people_one_has_to_mention_it(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    group = stub.group_channel(ADA, BEN)
    with listening_to(stub.url, heard, intake.receive):
        stub.say("shall we ask it?", channel=group)
        stub.mention("what is the PUE?", channel=group)
        first, second = intake.wait_for(2)

    assert isinstance(first, IncomingMessage)
    assert isinstance(second, IncomingMessage)
    assert (first.addressed, first.direct) == (False, False)
    assert (second.addressed, second.direct) == (True, False)


@pytest.mark.parametrize("breaks", ["reset_sockets", "close_sockets", "forget_sockets"])
@pytest.mark.parametrize("resumes", [True, False])
def test_what_is_written_while_a_connection_is_gone_is_heard_once(
    stub: MattermostStub,
    heard: RedisHeard,
    intake: RecordingIntake,
    breaks: str,
    resumes: bool,
) -> None:
    stub.settings.reliable_websockets = resumes
    with listening_to(stub.url, heard, intake.receive):
        stub.mention("before")
        intake.wait_for(1)
        stub.refuse_sockets(2)
        getattr(stub, breaks)()
        stub.mention("meanwhile")
        stub.mention("elsewhere", channel=QUIET)
        intake.wait_for(3)
        stub.wait_for_listener()

        assert hears_only(intake, stub, "before", "meanwhile", "elsewhere")


def test_a_connection_goes_on_where_it_broke(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    with listening_to(stub.url, heard, intake.receive, patience=Patience()):
        stub.mention("before")
        intake.wait_for(1)
        stub.reset_sockets()
        stub.wait_for(lambda: stub.resumed)

        assert stub.hellos == 1


def test_what_is_written_while_nobody_runs_is_heard_after_the_start(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    stub.mention("long before it came")
    with listening_to(stub.url, heard, intake.receive):
        stub.mention("before")
        intake.wait_for(1)
    stub.mention("meanwhile")
    cleo = stub.add_person("cleo")
    stub.say("to it alone", user=cleo, channel=stub.direct_channel(cleo))
    with listening_to(stub.url, heard, intake.receive):
        assert texts(intake)[:1] == ["before"]
        intake.wait_for(3)

        assert hears_only(intake, stub, "before", "meanwhile", "to it alone")


def test_what_is_older_than_anybody_waits_for_is_left_alone(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    with listening_to(stub.url, heard, intake.receive):
        pass
    old = stub.mention("too old")
    # No two things there are of one moment, so that its clock may be ahead of ours.
    stub.wait_for(lambda: time.time() * 1000 > stub.world.posts[old]["create_at"])
    with listening_to(stub.url, heard, intake.receive, oldest=timedelta(0)):
        assert hears_only(intake, stub)


def test_more_than_a_page_is_read_back(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    with listening_to(stub.url, heard, intake.receive):
        stub.mention("before")
        intake.wait_for(1)
    said = [f"number {number}" for number in range(405)]
    for text in said:
        stub.mention(text)
    with listening_to(stub.url, heard, intake.receive):
        intake.wait_for(406)

    assert texts(intake) == ["before", *said]


def test_events_that_are_lost_on_a_connection_are_noticed_by_the_next(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    with listening_to(stub.url, heard, intake.receive):
        stub.lose_events(2)
        stub.mention("first")
        stub.mention("second")
        stub.mention("third")
        intake.wait_for(3)

    assert texts(intake) == ["first", "second", "third"]


def test_events_that_come_twice_or_in_another_order_are_heard_once(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    with listening_to(stub.url, heard, intake.receive):
        stub.double_events(2)
        stub.mention("first")
        stub.mention("second")
        intake.wait_for(2)
        stub.hold_events()
        stub.mention("third")
        stub.mention("fourth")
        stub.let_events_go()
        intake.wait_for(4)
        stub.mention("fifth")
        intake.wait_for(5)

    assert sorted(texts(intake)) == sorted(["first", "second", "third", "fourth", "fifth"])


def test_a_connection_that_tells_nothing_is_found_out_and_made_anew(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    with listening_to(stub.url, heard, intake.receive):
        stub.mention("before")
        intake.wait_for(1)
        # The server answers pings, and forgets to tell.
        stub.lose_events(1)
        stub.mention("not told")
        intake.wait_for(2)
        stub.wait_for(lambda: stub.hellos >= 2)

        assert hears_only(intake, stub, "before", "not told")


def test_a_connection_that_is_only_slower_than_a_look_is_kept(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    slow = replace(BRISK, every=0.6)
    with listening_to(stub.url, heard, intake.receive, watch=slow, patience=Patience()):
        stub.hold_events()
        stub.mention("read back")
        intake.wait_for(1)
        stub.let_events_go()
        looks = len(stub.calls("GET /users/{user_id}"))
        stub.wait_for(lambda: len(stub.calls("GET /users/{user_id}")) >= looks + 3)

        assert hears_only(intake, stub, "read back")
        assert stub.hellos == 1


def test_an_end_that_no_longer_answers_is_given_up(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    with listening_to(stub.url, heard, intake.receive, patience=Patience(20.0, ping=0.3)):
        stub.hush()
        stub.wait_for(lambda: stub.listeners() == 0)
        stub.hush(False)
        stub.wait_for_listener()

        assert hears_only(intake, stub)


def test_a_store_that_is_away_loses_nothing(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    with listening_to(stub.url, heard, intake.receive) as reports:
        intake.broken = True
        stub.mention("first")
        stub.wait_for(lambda: reports.trouble)
        stub.mention("second")
        intake.broken = False
        intake.wait_for(2)
        stub.wait_for(lambda: not reports.trouble)

        assert hears_only(intake, stub, "first", "second")


def test_a_server_that_does_not_answer_for_a_while_loses_nothing(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    with listening_to(stub.url, heard, intake.receive) as reports:
        stub.fail("", Broken(502), Dropped(), Broken(502), Dropped(), Broken(502))
        stub.wait_for(lambda: any("Mattermost failed" in told for told in reports.told))
        stub.reset_sockets()
        stub.mention("meanwhile")
        intake.wait_for(1)
        stub.wait_for(lambda: not reports.trouble)

        assert hears_only(intake, stub, "meanwhile")


def test_two_that_listen_take_each_message_up_at_least_once(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    other = RecordingIntake()
    with (
        listening_to(stub.url, heard, intake.receive),
        listening_to(stub.url, heard, other.receive),
    ):
        for number in range(10):
            stub.mention(f"number {number}")

        def is_all(_: object) -> bool:
            return {*texts(intake), *texts(other)} == {f"number {n}" for n in range(10)}

        stub.wait_for(lambda: is_all(None))

    assert is_all(None)


def test_a_token_that_is_none_is_said_at_once(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    listener, _ = listener_to(stub.url, heard, intake.receive, token="nobody's")

    with pytest.raises(PlatformError):
        listener.open()

    assert not listener.alive()


def test_where_it_could_not_be_opened_it_can_be_later(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    listener, reports = listener_to(stub.url, heard, intake.receive)
    stub.refuse_sockets(1)

    with pytest.raises(PlatformError, match="503"):
        listener.open()
    assert not listener.alive()
    listener.open()

    assert listener.alive()
    assert reports.trouble == ""
    listener.close()
    assert not listener.alive()


def test_posts_are_remembered_for_a_while_after_all_is_known_to_be_heard(
    heard: RedisHeard,
) -> None:
    assert heard.since() is None
    heard.note("early", 1_000_000)
    heard.note("late", 1_004_000)
    heard.complete(1_011_000)
    heard.complete(1_005_000)

    # Of the last ten seconds there may be some that come to light yet.
    assert heard.since() == 1_001_000
    assert not heard.has("early")
    assert heard.has("late")
    assert not heard.has("other")


@pytest.fixture(scope="module")
def over_tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MattermostStub]:
    certificate = self_signed(tmp_path_factory.mktemp("tls"))
    with mattermost_stub(tls=certificate) as stub:
        yield stub


def test_a_connection_over_tls_trusts_the_named_authority(
    over_tls: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    with listening_to(over_tls.url, heard, intake.receive, ca=over_tls.ca):
        over_tls.mention("what is the PUE?")
        intake.wait_for(1)

    assert over_tls.url.startswith("https:")
    assert texts(intake) == ["what is the PUE?"]


def test_a_certificate_that_nobody_named_is_not_trusted(
    over_tls: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    socket = MattermostSocket(over_tls.url, BOT_TOKEN)

    with (
        pytest.raises(PlatformError, match="certificate of Mattermost is not trusted"),
        socket.connected(),
    ):
        pass


def test_what_the_bot_writes_itself_is_not_heard(
    stub: MattermostStub, heard: RedisHeard, intake: RecordingIntake
) -> None:
    with listening_to(stub.url, heard, intake.receive):
        stub.say("@odabot is that me?", user=BOT)

        assert hears_only(intake, stub)
