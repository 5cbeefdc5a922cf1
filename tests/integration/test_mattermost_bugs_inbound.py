"""What other bots got wrong in hearing people, by the symptom, in Mattermost.

The numbers are those of the issues. What people do in the stand-in for a server comes through our
connection and routes, and through our door into a real Valkey server.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from starlette.applications import Starlette

from bot.addressing import Addressing, Follow
from bot.errors import PlatformError, TurnStoreError
from bot.intake.lanes import lane_of
from bot.intake_wiring import Kept, build_reception, open_kept
from bot.messages import Act, Click, IncomingMessage, Thread, Way
from bot.platforms.mattermost import MattermostInbound
from bot.platforms.mattermost_actions import ACTIONS_PATH, NO_MORE, Actions
from bot.platforms.mattermost_commands import COMMANDS_PATH, Commands
from bot.platforms.mattermost_heard import RedisHeard
from bot.platforms.mattermost_listener import MattermostListener
from bot.platforms.mattermost_tokens import ButtonTokens
from bot.redis_client import RedisClient
from bot.redis_lease import LANES
from bot.settings import Settings
from tests.asgi_server import serving
from tests.fault_proxy import Broken
from tests.mattermost_listening import Reports, listener_to
from tests.mattermost_stub import ADA, BEN, BOT, OPS, AppError, MattermostStub, mattermost_stub
from tests.mattermost_stub.certificates import self_signed

TURN = "0123456789abcdef"


@dataclass
class Replica:
    """One process of the service, without workers: what it takes in stays."""

    kept: Kept
    tokens: ButtonTokens
    listener: MattermostListener
    inbound: MattermostInbound
    reports: Reports
    engaged: set[Thread]
    follow: dict[str, Follow] = field(default_factory=dict)
    duplicates: int = 0
    url: str = ""

    def waiting(self, root: str, channel: str = OPS) -> list[str]:
        """The texts that wait in a thread."""
        thread = Thread("mattermost", channel, root)
        probe = IncomingMessage(thread, "m", ADA, "", datetime.now(UTC), addressed=True)
        items = self.kept.inbox.waiting(lane_of(probe))
        return [item.message.text for item in items if not isinstance(item, Click)]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(data=tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def one_stub() -> Iterator[MattermostStub]:
    with mattermost_stub() as stub:
        yield stub


def replica(
    stub: MattermostStub, settings: Settings, engaged: set[Thread], parts: ExitStack
) -> Replica:
    kept = parts.enter_context(open_kept(settings))
    tokens = parts.enter_context(closing(ButtonTokens(kept.url, timedelta(hours=1))))
    heard = parts.enter_context(closing(RedisHeard(kept.url, stub.url)))
    made: list[Replica] = []

    def follow(thread: Thread) -> Follow:
        return made[0].follow.get(thread.channel, Follow.THREAD)

    def dropped() -> None:
        made[0].duplicates += 1

    addressing = Addressing(follow, engaged.__contains__)
    reception = build_reception(kept, addressing.is_for_us, lambda _: False, dropped)
    listener, reports = listener_to(stub.url, heard, reception.receive)

    def clock() -> datetime:
        return datetime.now(UTC)

    command = stub.add_command("")
    routes = (
        Commands((command,), listener.ears, reception.receive, clock).route,
        Actions(tokens, reception.receive, clock).route,
    )
    inbound = MattermostInbound(listener, routes)
    made.append(Replica(kept, tokens, listener, inbound, reports, engaged))
    made[0].url = parts.enter_context(serving(Starlette(routes=inbound.routes)))
    stub.world.commands[command]["url"] = f"{made[0].url}{COMMANDS_PATH}"
    return made[0]


@pytest.fixture(scope="module")
def both(one_stub: MattermostStub, settings: Settings) -> Iterator[tuple[Replica, Replica]]:
    """Two processes over one store; they listen as tests would have it."""
    engaged: set[Thread] = set()
    with ExitStack() as parts:
        one = replica(one_stub, settings, engaged, parts)
        yield one, replica(one_stub, settings, engaged, parts)


@pytest.fixture
def stub(one_stub: MattermostStub) -> MattermostStub:
    one_stub.reset()
    return one_stub


@pytest.fixture
def one(stub: MattermostStub, both: tuple[Replica, Replica]) -> Iterator[Replica]:
    """A process that listens."""
    both[0].follow.clear()
    both[0].inbound.open()
    yield both[0]
    both[0].inbound.close()


@pytest.fixture
def other(stub: MattermostStub, both: tuple[Replica, Replica]) -> Iterator[Replica]:
    """Another one that listens."""
    both[1].inbound.open()
    yield both[1]
    both[1].inbound.close()


def comes(stub: MattermostStub, by: Replica, root: str, *texts: str) -> bool:
    """Whether these wait in a thread in the end, and nothing else does.

    Mattermost tells in order: once something said later has come, all before it has.
    """
    last = stub.mention("and now?")
    stub.wait_for(lambda: by.waiting(last))
    return by.waiting(root) == list(texts)


def a_button(stub: MattermostStub, by: Replica, root: str, value: str = "gpu") -> str:
    """A post of the bot in the thread of ``root`` with the button to choose; its id."""
    token = by.tokens.sealed(Act.CHOOSE, TURN, value, Thread("mattermost", OPS, root))
    integration = {"url": f"{by.url}{ACTIONS_PATH}", "context": {"token": token}}
    action = {"id": "choose1", "name": "GPU", "type": "button", "integration": integration}
    return stub.say("Which?", user=BOT, root=root, props={"attachments": [{"actions": [action]}]})


def pressed(by: Replica, thread: Thread) -> list[Click]:
    """The clicks that wait in a thread."""
    lanes = [lane for lane in _lanes(by) if lane.startswith(f"quick {thread.name} ")]
    items = [item for lane in lanes for item in by.kept.inbox.waiting(lane)]
    return [item for item in items if isinstance(item, Click)]


def _lanes(by: Replica) -> list[str]:
    with closing(RedisClient(by.kept.url, TurnStoreError, "the inbox")) as client:
        found = client.ask("return redis.call('zrange', KEYS[1], 0, -1)", [LANES], [])
    return [bytes(lane).decode() for lane in found]


def take_part(stub: MattermostStub, by: Replica, root: str) -> None:
    """Have it answer in the thread of ``root``, once all is heard that was said before."""
    last = stub.mention("and now?")
    stub.wait_for(lambda: by.waiting(last))
    by.engaged.add(Thread("mattermost", OPS, root))


def test_bolt_693_rasa_3882_errbot_slackv3_22_what_is_told_again_is_one_question(
    stub: MattermostStub, one: Replica
) -> None:
    stub.double_events(1)
    root = stub.mention("what is the PUE?")
    stub.reset_sockets()

    assert comes(stub, one, root, "what is the PUE?")


def test_bolt_448_replicas_that_hear_the_same_take_it_up_once(
    stub: MattermostStub, one: Replica, other: Replica
) -> None:
    root = stub.mention("what is the PUE?")

    assert comes(stub, one, root, "what is the PUE?")
    assert comes(stub, other, root, "what is the PUE?")


def test_slack_sdk_390_it_does_not_answer_itself(stub: MattermostStub, one: Replica) -> None:
    root = stub.say("@odabot what is the PUE?", user=BOT)

    assert comes(stub, one, root)


@pytest.mark.parametrize("mark", ["from_bot", "from_webhook", "from_plugin"])
def test_plugin_agents_101_programs_that_mention_it_are_not_answered(
    stub: MattermostStub, one: Replica, mark: str
) -> None:
    root = stub.say("@odabot node 12 is hot", user=BEN, props={mark: "true"})

    assert comes(stub, one, root)


@pytest.mark.parametrize("kind", ["system_join_channel", "system_header_change", "me"])
def test_nearform_983_what_nobody_said_asks_nothing(
    stub: MattermostStub, one: Replica, kind: str
) -> None:
    root = stub.say("@odabot joined", type=kind)

    assert comes(stub, one, root)


def test_errbot_slackv3_36_hermes_89639_an_edit_asks_nothing_again(
    stub: MattermostStub, one: Replica
) -> None:
    root = stub.mention("what is the PUE?")
    plain = stub.say("what was the power?")
    assert comes(stub, one, root, "what is the PUE?")
    stub.edit(root, "@odabot what was the power?")
    stub.edit(plain, "@odabot what was the power?")
    # Also not where the channels are read back.
    stub.reset_sockets()

    assert comes(stub, one, root, "what is the PUE?")
    assert one.waiting(plain) == []


def test_a_message_that_was_deleted_before_it_was_heard_is_not_answered(
    stub: MattermostStub, one: Replica
) -> None:
    one.inbound.close()
    stub.forget_sockets()
    root = stub.mention("what is the PUE?")
    stub.delete(root)
    one.inbound.open()

    assert comes(stub, one, root)


def test_chatgpt_in_slack_10_a_mention_in_somebodys_thread_is_heard(
    stub: MattermostStub, one: Replica
) -> None:
    root = stub.say("node 12 looks hot")
    stub.mention("how hot is node 12?", root=root)

    assert comes(stub, one, root, "how hot is node 12?")


def test_multica_5741_a_follow_up_is_not_dropped_for_want_of_a_mention(
    stub: MattermostStub, one: Replica
) -> None:
    root = stub.mention("how hot is node 12?")
    take_part(stub, one, root)
    stub.say("and node 13?", user=BEN, root=root)

    assert comes(stub, one, root, "how hot is node 12?", "and node 13?")


def test_a_word_of_before_it_took_part_is_not_answered_when_it_is_told_again(
    stub: MattermostStub, one: Replica
) -> None:
    root = stub.say("node 12 looks hot")
    stub.mention("how hot is it?", root=root)
    take_part(stub, one, root)
    stub.reset_sockets()

    assert comes(stub, one, root, "how hot is it?")


def test_yguy_42_not_every_word_in_a_thread_is_for_the_bot(
    stub: MattermostStub, one: Replica
) -> None:
    root = stub.say("node 12 looks hot")
    take_part(stub, one, root)
    stub.say("@ben can you look?", root=root)
    stub.say("@here it is the fan", root=root)
    one.follow[OPS] = Follow.MENTION
    stub.say("I think it is the fan", root=root)

    assert comes(stub, one, root)


def test_who_writes_to_all_does_not_write_to_the_bot(stub: MattermostStub, one: Replica) -> None:
    # Mattermost counts the bot among those who are mentioned then.
    root = stub.say("lunch, @all")

    assert comes(stub, one, root)


def test_driver_115_it_connects_over_tls(
    settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    certificate = self_signed(tmp_path_factory.mktemp("tls"))
    with (
        mattermost_stub(tls=certificate) as stub,
        open_kept(settings) as kept,
        closing(RedisHeard(kept.url, stub.url)) as heard,
    ):
        reception = build_reception(kept, lambda _: True, lambda _: False, lambda: None)
        listener, reports = listener_to(stub.url, heard, reception.receive, ca=stub.ca)
        listener.open()
        listening = stub.listeners()
        listener.close()

    assert (listening, reports.trouble) == (1, "")


@pytest.mark.parametrize("end", ["reset_sockets", "close_sockets"])
def test_errbot_mattermost_57_matterbot_153_it_comes_back_whoever_hangs_up(
    stub: MattermostStub, one: Replica, end: str
) -> None:
    stub.refuse_sockets(3)
    getattr(stub, end)()
    stub.wait_for(lambda: one.reports.trouble)
    root = stub.mention("are you there?")

    assert comes(stub, one, root, "are you there?")
    stub.wait_for(lambda: not one.reports.trouble)
    assert one.inbound.alive()


def test_slack_sdk_1701_a_connection_on_which_nothing_is_told_is_found_out(
    stub: MattermostStub, one: Replica
) -> None:
    stub.lose_events(1)
    root = stub.mention("are you there?")
    stub.wait_for(lambda: stub.hellos >= 2)

    assert comes(stub, one, root, "are you there?")


def test_copilot_bridge_14_claude_threads_66_what_is_said_in_a_gap_is_heard(
    stub: MattermostStub, one: Replica
) -> None:
    stub.refuse_sockets(3)
    stub.forget_sockets()
    roots = [stub.mention(f"question {number}") for number in range(5)]
    last = stub.mention("and now?")
    stub.wait_for(lambda: one.waiting(last))

    assert [one.waiting(root) for root in roots] == [[f"question {n}"] for n in range(5)]


def test_claude_threads_66_what_is_said_while_it_starts_again_is_heard_by_the_next(
    stub: MattermostStub, one: Replica, both: tuple[Replica, Replica]
) -> None:
    root = stub.mention("before")
    stub.wait_for(lambda: one.waiting(root))
    one.inbound.close()
    stub.mention("meanwhile", root=root)
    both[1].inbound.open()
    stub.wait_for(lambda: both[1].waiting(root) == ["before", "meanwhile"])
    both[1].inbound.close()


def test_a_server_that_answers_503_meanwhile_is_asked_again(
    stub: MattermostStub, one: Replica
) -> None:
    stub.forget_sockets()
    stub.fail("", Broken(503), Broken(503))
    root = stub.mention("are you there?")

    assert comes(stub, one, root, "are you there?")


def test_mattermost_25747_a_button_calls_us(stub: MattermostStub, one: Replica) -> None:
    root = stub.mention("how hot is it?")
    post = a_button(stub, one, root)

    stub.press(post, "GPU", user=BEN)

    (click,) = pressed(one, Thread("mattermost", OPS, root))
    assert (click.author, click.act, click.turn, click.value) == (BEN, Act.CHOOSE, TURN, "gpu")


def test_giphy_33_remind_93_an_error_of_ours_is_told_in_words(
    stub: MattermostStub, one: Replica
) -> None:
    root = stub.mention("how hot is it?")
    post = a_button(stub, one, root)
    stub.press(post, "GPU")

    # Its click was taken: it counts no more. Mattermost itself has nothing to complain of.
    stub.press(post, "GPU")

    (told,) = stub.whispers(ADA)
    assert told["message"] == NO_MORE
    assert len(pressed(one, Thread("mattermost", OPS, root))) == 1


def test_giphy_33_an_address_that_mattermost_may_not_call_is_mattermosts_to_refuse(
    stub: MattermostStub, one: Replica
) -> None:
    post = a_button(stub, one, stub.mention("how hot is it?"))
    stub.settings.allowed_untrusted = ""

    with pytest.raises(AppError, match="Action integration error"):
        stub.press(post, "GPU")


def test_hermes_100408_the_first_click_after_a_restart_is_taken(
    stub: MattermostStub, one: Replica, both: tuple[Replica, Replica]
) -> None:
    fresh = both[1]
    root = stub.mention("how hot is it?")
    token = one.tokens.sealed(Act.CHOOSE, TURN, "gpu", Thread("mattermost", OPS, root))
    integration = {"url": f"{fresh.url}{ACTIONS_PATH}", "context": {"token": token}}
    action = {"id": "choose1", "name": "GPU", "type": "button", "integration": integration}
    attachments = [{"actions": [action]}]
    post = stub.say("Which?", user=BOT, root=root, props={"attachments": attachments})

    stub.press(post, "GPU")

    (click,) = pressed(fresh, Thread("mattermost", OPS, root))
    assert click.value == "gpu"


def test_hermes_36848_a_click_that_bears_no_token_is_not_believed(
    stub: MattermostStub, one: Replica
) -> None:
    root = stub.mention("how hot is it?")
    context = {"token": "0" * 96, "act": "choose", "turn": TURN, "value": "gpu", "user_id": ADA}
    integration = {"url": f"{one.url}{ACTIONS_PATH}", "context": context}
    action = {"id": "choose1", "name": "GPU", "type": "button", "integration": integration}
    post = stub.say("Which?", user=BEN, root=root, props={"attachments": [{"actions": [action]}]})

    stub.press(post, "GPU", user=BEN)

    assert pressed(one, Thread("mattermost", OPS, root)) == []
    assert [each["message"] for each in stub.whispers(BEN)] == [NO_MORE]


def test_bolt_js_2188_a_command_is_taken_once_and_answered_fast(
    stub: MattermostStub, one: Replica
) -> None:
    told = stub.command("ask what is the PUE?")

    assert told == {}
    lanes = [lane for lane in _lanes(one) if lane.startswith(f"mattermost:{OPS}: ")]
    (turn,) = [item for lane in lanes for item in one.kept.inbox.waiting(lane)]
    assert not isinstance(turn, Click)
    message = turn.message
    assert (message.way, message.author, message.text) == (
        Way.COMMAND,
        ADA,
        "ask what is the PUE?",
    )


def test_where_mattermost_refuses_the_token_it_is_said_and_not_tried_for_ever(
    stub: MattermostStub, one: Replica
) -> None:
    with closing(RedisHeard(one.kept.url, "elsewhere")) as heard:
        listener, _ = listener_to(stub.url, heard, lambda _: None, token="nobody's")
        with pytest.raises(PlatformError, match="token"):
            listener.open()

    assert not listener.alive()
