from datetime import UTC, datetime
from typing import Any

import pytest

from bot.messages import Act, Click, IncomingMessage, Thread, Way
from bot.platforms.slack_actions import action_id, action_value
from bot.platforms.slack_events import Ears, read_clicks, read_command, read_message

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
EARS = Ears("T1", "U0BOT", "B0BOT", bots_heard=frozenset({"B7"}), teams_heard=frozenset({"T7"}))


def said(**changed: object) -> dict[str, Any]:
    event = {
        "type": "message",
        "user": "U1",
        "text": "what is the PUE?",
        "ts": "1654041600.000100",
        "channel": "C1",
        "channel_type": "channel",
    }
    return {name: value for name, value in (event | changed).items() if value is not None}


def heard(**changed: object) -> IncomingMessage:
    message = read_message(said(**changed), EARS)
    assert message is not None
    return message


def test_a_message_has_its_thread_and_moment() -> None:
    assert heard() == IncomingMessage(
        Thread("slack", "T1/C1", "1654041600.000100"),
        "1654041600.000100",
        "U1",
        "what is the PUE?",
        datetime(2022, 6, 1, 0, 0, 0, 100, UTC),
        addressed=False,
    )


def test_a_reply_belongs_to_the_thread_of_its_parent() -> None:
    assert heard(thread_ts="1654040000.000000").thread.root == "1654040000.000000"


def test_a_mention_is_the_same_whichever_event_tells_of_it() -> None:
    text = "<@U0BOT> what is the PUE?"

    as_message = heard(text=text)
    as_mention = heard(text=text, type="app_mention", channel_type=None)

    assert as_message == as_mention
    assert as_message.addressed
    assert as_message.text == "what is the PUE?"


def test_a_direct_message_is_addressed_to_us() -> None:
    message = heard(channel="D1", channel_type="im")

    assert message.addressed
    assert message.direct


def test_words_to_somebody_else_are_marked() -> None:
    assert heard(text="<@U2> can you look?").to_others


@pytest.mark.parametrize("subtype", ["file_share", "thread_broadcast"])
def test_a_file_or_a_broadcast_is_said_by_a_person(subtype: str) -> None:
    assert heard(subtype=subtype).author == "U1"


@pytest.mark.parametrize(
    "changed",
    [
        {"subtype": "message_changed", "hidden": True},
        {"subtype": "message_deleted"},
        {"subtype": "message_replied"},
        {"subtype": "channel_join"},
        {"subtype": "channel_topic"},
        {"subtype": "me_message"},
        {"subtype": "something_new"},
        {"edited": {"user": "U1", "ts": "1654041700.000000"}},
        {"user": "U0BOT"},
        {"user": "U9", "bot_id": "B0BOT"},
        {"user": "U9", "bot_id": "B9"},
        {"user": None, "bot_id": "B9", "subtype": "bot_message"},
        {"user": None, "subtype": "bot_message"},
        {"user": None},
        {"user": "USLACKBOT"},
        {"user_team": "T9"},
        {"source_team": "T9"},
        {"channel": None},
        {"ts": None},
    ],
)
def test_what_no_person_says_to_be_heard_stays_silent(changed: dict[str, object]) -> None:
    assert read_message(said(**changed), EARS) is None


def test_a_bot_that_is_on_the_list_is_heard() -> None:
    assert heard(user=None, bot_id="B7", subtype="bot_message").author == "B7"
    assert heard(user="U7", bot_id="B7").author == "U7"


def test_people_of_a_workspace_on_the_list_are_heard() -> None:
    assert heard(user_team="T7").author == "U1"


def test_a_command_has_no_thread_yet() -> None:
    body = {
        "command": "/odabot",
        "text": 'ask "power &gt; 3?"',
        "channel_id": "C1",
        "user_id": "U1",
        "trigger_id": "13.37.abc",
    }

    message = read_command(body, "T1", NOW)

    assert message == IncomingMessage(
        Thread("slack", "T1/C1", ""),
        "13.37.abc",
        "U1",
        'ask "power > 3?"',
        NOW,
        addressed=True,
        way=Way.COMMAND,
    )


def pressed(*actions: dict[str, object], **changed: object) -> dict[str, Any]:
    return {
        "type": "block_actions",
        "user": {"id": "U1"},
        "channel": {"id": "C1"},
        "container": {"type": "message", "message_ts": "1654041700.000000", "channel_id": "C1"},
        "message": {"ts": "1654041700.000000", "thread_ts": "1654041600.000100"},
        "actions": list(actions),
    } | changed


def test_a_click_says_what_it_does_for_which_turn() -> None:
    button: dict[str, object] = {
        "type": "button",
        "action_id": action_id(Act.CHOOSE, 2),
        "value": action_value("0123456789abcdef", "gpu temperature"),
        "action_ts": "1654041800.5",
    }

    (click,) = read_clicks(pressed(button), "T1", NOW)

    assert click == Click(
        Thread("slack", "T1/C1", "1654041600.000100"),
        "1654041700.000000 1654041800.5",
        "U1",
        Act.CHOOSE,
        "0123456789abcdef",
        NOW,
        "gpu temperature",
    )


def test_a_choice_from_a_menu_is_a_click() -> None:
    menu: dict[str, object] = {
        "type": "static_select",
        "action_id": action_id(Act.CHOOSE),
        "selected_option": {"value": action_value("0123456789abcdef", "gpu")},
        "action_ts": "1654041800.5",
    }

    (click,) = read_clicks(pressed(menu), "T1", NOW)

    assert (click.act, click.turn, click.value) == (Act.CHOOSE, "0123456789abcdef", "gpu")


def test_a_click_on_what_only_its_reader_sees_finds_the_thread() -> None:
    container = {"message_ts": "1.2", "channel_id": "C1", "thread_ts": "1.1", "is_ephemeral": True}
    button: dict[str, object] = {"action_id": "stop", "value": "0123456789abcdef"}

    (click,) = read_clicks(pressed(button, container=container, message=None), "T1", NOW)

    assert click.thread.root == "1.1"


@pytest.mark.parametrize(
    "button",
    [
        {"action_id": "approve", "value": "x"},
        {"action_id": "stop"},
        {"action_id": "", "value": "x"},
        {},
    ],
)
def test_a_button_of_somebody_else_is_no_click(button: dict[str, object]) -> None:
    assert read_clicks(pressed(button), "T1", NOW) == ()
