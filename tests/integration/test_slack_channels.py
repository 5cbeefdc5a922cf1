"""The channel that a digest is for, found as people name it."""

from collections.abc import Iterator

import pytest

from bot.errors import PlatformError
from bot.messages import IncomingMessage, Thread
from bot.platforms.slack_channels import SlackChannels
from bot.platforms.slack_outlet import slack_client
from tests.fakes.recording_platform import NOW
from tests.free_port import free_port
from tests.local_slack import ADA, BOT_TOKEN, OPS, TEAM, local_slack

HERE = Thread("slack", f"{TEAM}/D1", "1.1")


@pytest.fixture(scope="module")
def channels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackChannels]:
    with local_slack(tmp_path_factory.mktemp("slack")) as slack:
        yield SlackChannels(lambda team: slack_client(BOT_TOKEN, slack.api_url))


def near(author: str = ADA) -> IncomingMessage:
    return IncomingMessage(HERE, "1.2", author, "", NOW, addressed=True)


@pytest.mark.parametrize("said", [f"<#{OPS}|ops>", f"<#{OPS}>", "#ops", "ops"])
def test_a_channel_is_found_by_its_id_or_name(channels: SlackChannels, said: str) -> None:
    assert channels.find(said, near()) == Thread("slack", f"{TEAM}/{OPS}", "")


@pytest.mark.parametrize("said", ["#nowhere", "<#C9NOWHERE|nowhere>"])
def test_a_channel_that_there_is_none_of_is_said(channels: SlackChannels, said: str) -> None:
    found = channels.find(said, near())

    assert isinstance(found, str)
    assert said in found


def test_who_is_not_in_a_channel_learns_as_little(channels: SlackChannels) -> None:
    stranger, nowhere = channels.find("#ops", near("U9")), channels.find("#nowhere", near("U9"))

    assert stranger == str(nowhere).replace("nowhere", "ops")


def test_a_workspace_holds_together(channels: SlackChannels) -> None:
    assert channels.together(HERE, Thread("slack", f"{TEAM}/{OPS}", ""))
    assert not channels.together(HERE, Thread("slack", f"T2/{OPS}", ""))
    assert not channels.together(HERE, Thread("web", f"{TEAM}/{OPS}", ""))


def test_a_slack_that_is_away_is_no_missing_channel() -> None:
    nowhere = f"http://127.0.0.1:{free_port()}/api/"
    channels = SlackChannels(lambda team: slack_client(BOT_TOKEN, nowhere))

    with pytest.raises(PlatformError, match="does not tell"):
        channels.find("#ops", near())
