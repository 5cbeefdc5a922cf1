"""What Slack sends, over both transports, from a Slack that we did not write."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.errors import PlatformError
from bot.messages import Act, Click, Incoming, IncomingMessage, Way
from bot.platforms.slack import EVENTS_PATH, SlackOverSocket
from bot.platforms.slack_actions import action_id, action_value
from bot.platforms.slack_installations import SingleInstallation
from tests.fakes.recording_intake import RecordingIntake
from tests.free_port import free_port
from tests.local_slack import ADA, APP_TOKEN, BEN, BOT_TOKEN, OPS, TEAM, LocalSlack, local_slack
from tests.slack_listening import an_app, over_http, over_socket

Scene = tuple[LocalSlack, RecordingIntake]
TURN = "0123456789abcdef"


@pytest.fixture(scope="module", params=["socket", "http"])
def scene(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Scene]:
    folder, intake = tmp_path_factory.mktemp("slack"), RecordingIntake()
    if request.param == "socket":
        with local_slack(folder) as slack, over_socket(slack, intake):
            yield slack, intake
        return
    port = free_port()
    with (
        local_slack(folder, f"http://127.0.0.1:{port}{EVENTS_PATH}") as slack,
        over_http(slack.api_url, intake, port),
    ):
        yield slack, intake


def texts(count: int, of: str) -> Callable[[list[Incoming]], bool]:
    """Whether ``of`` was said so often."""
    return lambda taken: (
        sum(isinstance(m, IncomingMessage) and m.text == of for m in taken) >= count
    )


def message_of(intake: RecordingIntake, text: str, count: int = 1) -> IncomingMessage:
    taken = intake.wait_until(texts(count, text))
    return next(m for m in taken if isinstance(m, IncomingMessage) and m.text == text)


def test_a_mention_and_its_follow_up_stand_in_one_thread(scene: Scene) -> None:
    slack, intake = scene

    root = slack.mention("what is the PUE?")
    slack.say("and the day before?", user=BEN, thread=root)
    first = message_of(intake, "what is the PUE?", count=2)
    then = message_of(intake, "and the day before?")

    assert (first.thread.channel, first.thread.root) == (f"{TEAM}/{OPS}", root)
    assert first.addressed
    assert then.thread == first.thread
    assert (then.author, then.addressed) == (BEN, False)


def test_a_direct_message_needs_no_mention(scene: Scene) -> None:
    slack, intake = scene

    slack.say("is rack 3 hot?", channel=slack.direct_channel())
    message = message_of(intake, "is rack 3 hot?")

    assert (message.addressed, message.direct) == (True, True)


def test_a_slash_command_comes_without_its_name(scene: Scene) -> None:
    slack, intake = scene

    slack.command("digest list")
    message = message_of(intake, "digest list")

    assert (message.way, message.author, message.thread.root) == (Way.COMMAND, ADA, "")


def test_a_button_in_a_thread_is_a_click(scene: Scene) -> None:
    slack, intake = scene
    root = slack.say("look")
    button = {
        "type": "button",
        "action_id": action_id(Act.CHOOSE, 1),
        "value": action_value(TURN, "gpu"),
        "text": {"type": "plain_text", "text": "GPU"},
    }
    posted = slack.post(
        OPS, "which?", thread=root, blocks=[{"type": "actions", "elements": [button]}]
    )

    slack.press(button, posted, user=BEN)
    taken = intake.wait_until(lambda taken: any(isinstance(m, Click) for m in taken))

    click = next(m for m in taken if isinstance(m, Click))
    assert (click.thread.root, click.author) == (root, BEN)
    assert (click.act, click.turn, click.value) == (Act.CHOOSE, TURN, "gpu")


def test_an_edit_is_acknowledged_and_not_taken(scene: Scene) -> None:
    slack, intake = scene
    said = slack.mention("how hot is it?")
    message_of(intake, "how hot is it?", count=2)

    slack.edit(said, f"<@{ADA}> how hot is it now?")
    slack.say("after the edit")
    message_of(intake, "after the edit")

    assert not any(isinstance(m, IncomingMessage) and "now?" in m.text for m in intake.wait_for(1))


def test_a_socket_that_slack_refuses_is_an_error(tmp_path: Path) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}/api/"
    installations = SingleInstallation(BOT_TOKEN, nowhere)
    app = an_app(nowhere, RecordingIntake())
    platform = SlackOverSocket(app, APP_TOKEN, nowhere, installations)

    with pytest.raises(PlatformError, match="Slack does not answer"):
        platform.open()
    platform.close()
