"""A Slack that sends the bot's own posts back to it, as the real one does."""

from collections.abc import Iterator

import pytest

from bot.messages import IncomingMessage
from bot.platforms.slack import EVENTS_PATH
from bot.platforms.slack_installations import SingleInstallation
from tests.fakes.recording_intake import RecordingIntake
from tests.free_port import free_port
from tests.slack_emulator import BOT_TOKEN, USER_TOKEN, SlackEmulator, slack_emulator
from tests.slack_listening import over_http

Scene = tuple[SlackEmulator, RecordingIntake]


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    port, intake = free_port(), RecordingIntake()
    with slack_emulator(f"http://127.0.0.1:{port}{EVENTS_PATH}") as slack:
        installations = SingleInstallation(BOT_TOKEN, slack.api_url)
        with over_http(slack.api_url, intake, port, installations=installations):
            yield slack, intake


def test_the_bot_does_not_hear_itself(scene: Scene) -> None:
    slack, intake = scene
    channels = slack.call("conversations.list")["channels"]
    assert isinstance(channels, list)
    channel = str(channels[0]["id"])

    # Events are delivered before the call returns.
    slack.call("chat.postMessage", channel=channel, text="what is the PUE?")
    slack.call("chat.postMessage", USER_TOKEN, channel=channel, text="and the power?")

    assert [m.text for m in intake.taken if isinstance(m, IncomingMessage)] == ["and the power?"]
