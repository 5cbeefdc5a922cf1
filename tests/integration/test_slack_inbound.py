"""What Slack sends, over both transports, from a Slack that we did not write."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from bot.errors import PlatformError
from bot.home_page import HomePage
from bot.messages import Act, Click, Incoming, IncomingMessage, Thread, Way
from bot.platforms.slack import EVENTS_PATH
from bot.platforms.slack_actions import action_id, action_value
from bot.recent_threads import RecentThread
from tests.fakes.recording_intake import RecordingIntake
from tests.free_port import free_port
from tests.local_slack import ADA, BEN, OPS, TEAM, LocalSlack, local_slack
from tests.slack_listening import over_http, over_socket, socket_to

Scene = tuple[LocalSlack, RecordingIntake]
TURN = "0123456789abcdef"


def home(user: str) -> HomePage:
    thread = Thread("slack", f"{TEAM}/{OPS}", "1654041600.000100")
    recent = RecentThread(thread, f"what is <{user}>'s PUE?", datetime(2022, 6, 1, tzinfo=UTC))
    return HomePage("*odabot* answers questions", ("PUE, daily",), (recent,))


@pytest.fixture(scope="module", params=["socket", "http"])
def scene(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Scene]:
    folder, intake = tmp_path_factory.mktemp("slack"), RecordingIntake()
    if request.param == "socket":
        with local_slack(folder) as slack, over_socket(slack, intake, home=home):
            yield slack, intake
        return
    port = free_port()
    with (
        local_slack(folder, f"http://127.0.0.1:{port}{EVENTS_PATH}") as slack,
        over_http(slack.api_url, intake, port, home),
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


def test_the_home_shows_digests_and_latest_conversations(scene: Scene) -> None:
    slack, _ = scene

    slack.open_home(BEN)
    view = slack.wait_for_call("views.publish")

    shown = json.dumps(view)
    assert view["user_id"] == BEN
    assert "answers questions" in shown
    assert "PUE, daily" in shown
    assert f"what is &lt;{BEN}&gt;'s PUE?" in shown


def test_an_edit_is_acknowledged_and_not_taken(scene: Scene) -> None:
    slack, intake = scene
    said = slack.mention("how hot is it?")
    message_of(intake, "how hot is it?", count=2)

    slack.edit(said, f"<@{ADA}> how hot is it now?")
    slack.say("after the edit")
    message_of(intake, "after the edit")

    assert not any(isinstance(m, IncomingMessage) and "now?" in m.text for m in intake.wait_for(1))


def test_a_slack_that_is_not_reached_is_an_error() -> None:
    platform, _ = socket_to(f"http://127.0.0.1:{free_port()}/api/", RecordingIntake())

    with pytest.raises(PlatformError, match="Slack does not answer"):
        platform.open()
    platform.close()
