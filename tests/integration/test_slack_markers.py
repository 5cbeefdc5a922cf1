"""How a message is found again in a Slack that keeps what is attached to it unseen."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.messages import Reply, ReplyFile, Status, Thread
from bot.outlet import Part
from bot.platforms.slack_outlet import SlackOutlet, slack_client
from tests.fault_proxy import FaultProxy, fault_proxy
from tests.slack_emulator import BOT_TOKEN, SlackEmulator, slack_emulator


@pytest.fixture(scope="module")
def slack() -> Iterator[SlackEmulator]:
    # Nobody listens there; what happens is of no interest.
    with slack_emulator("http://127.0.0.1:9/") as running:
        yield running


@pytest.fixture(scope="module")
def proxy(slack: SlackEmulator) -> Iterator[FaultProxy]:
    with fault_proxy(slack.url) as running:
        yield running
        assert running.complaints == []


@pytest.fixture
def outlet(proxy: FaultProxy) -> SlackOutlet:
    client = slack_client(BOT_TOKEN, f"{proxy.url}/api/")
    return SlackOutlet(lambda team: client)


@pytest.fixture
def thread(slack: SlackEmulator) -> Thread:
    channels = slack.call("conversations.list")["channels"]
    assert isinstance(channels, list)
    channel = str(channels[0]["id"])
    root = slack.call("chat.postMessage", channel=channel, text="power?")["ts"]
    return Thread("slack", f"T1/{channel}", str(root))


def test_a_message_without_blocks_is_found_by_what_is_attached_to_it(
    outlet: SlackOutlet, thread: Thread
) -> None:
    posted = outlet.post(thread, Part("812 W"), "0123456789abcdef-0")

    assert outlet.posted(thread, "0123456789abcdef-0") == posted
    assert outlet.posted(thread, "0123456789abcdef-1") is None


def test_it_is_found_after_its_buttons_were_taken_away(outlet: SlackOutlet, thread: Thread) -> None:
    (part,) = outlet.parts(Reply(thread, Status.COMPLETED, "812 W"), "0123456789abcdef")
    posted = outlet.post(thread, part, "0123456789abcdef-0")

    outlet.edit(thread, posted, Part("812 W"))

    assert outlet.posted(thread, "0123456789abcdef-0") == posted


def test_a_file_is_found_by_its_name(outlet: SlackOutlet, thread: Thread, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n")
    file = ReplyFile("t.csv", tmp_path / "t.csv", "text/csv", "t")

    outlet.post(thread, Part("t", files=(file,)), "0123456789abcdef-1")

    assert outlet.posted(thread, "0123456789abcdef-1")
    assert outlet.posted(thread, "0123456789abcdef-11") is None


def test_the_first_message_of_a_thread_is_found_in_its_channel(
    outlet: SlackOutlet, thread: Thread
) -> None:
    nowhere = Thread("slack", thread.channel, "")

    posted = outlet.post(nowhere, Part("812 W"), "fedcba9876543210-0")

    assert outlet.posted(nowhere, "fedcba9876543210-0") == posted
