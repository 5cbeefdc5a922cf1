import json
from datetime import UTC, datetime

import pytest

from bot.messages import IncomingMessage, Thread, Way
from bot.platforms.mattermost_events import (
    Ears,
    read_command,
    read_message,
    read_post,
    read_posted,
)

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
EARS = Ears("bot", "odabot", frozenset({"alerts"}))


def said(**changed: object) -> dict[str, object]:
    return {
        "id": "p1",
        "create_at": 1_654_041_600_123,
        "delete_at": 0,
        "user_id": "ada",
        "channel_id": "ops",
        "root_id": "",
        "message": "what is the PUE?",
        "type": "",
        "props": {},
    } | changed


def heard(kind: str = "O", **changed: object) -> IncomingMessage | None:
    post = read_posted({"post": json.dumps(said(**changed)), "channel_type": kind})
    assert post is not None
    return read_message(post, EARS)


def test_a_message_has_its_thread_and_moment() -> None:
    assert heard() == IncomingMessage(
        Thread("mattermost", "ops", "p1"),
        "p1",
        "ada",
        "what is the PUE?",
        datetime(2022, 6, 1, 0, 0, 0, 123_000, UTC),
        addressed=False,
    )


def test_a_reply_belongs_to_the_thread_of_its_root() -> None:
    message = heard(root_id="p0")

    assert message is not None
    assert message.thread.root == "p0"


def test_a_mention_is_addressed_to_us() -> None:
    message = heard(message="@odabot what is the PUE?")

    assert message is not None
    assert message.addressed
    assert message.text == "what is the PUE?"


@pytest.mark.parametrize(("kind", "direct"), [("D", True), ("G", False), ("P", False)])
def test_a_message_between_two_is_direct_and_one_among_a_few_is_not(
    kind: str, direct: bool
) -> None:
    message = heard(kind)

    assert message is not None
    assert (message.direct, message.addressed) == (direct, direct)


def test_words_to_somebody_else_are_marked() -> None:
    message = heard(message="@ben can you look?")

    assert message is not None
    assert message.to_others


def test_a_post_that_is_read_back_is_the_same_message() -> None:
    post = read_post(said(), "O")

    assert post is not None
    assert read_message(post, EARS) == heard()


@pytest.mark.parametrize(
    "changed",
    [
        {"user_id": "bot"},
        {"user_id": ""},
        {"delete_at": 1_654_041_600_999},
        {"type": "system_join_channel"},
        {"type": "system_header_change"},
        {"type": "system_ephemeral"},
        {"type": "slack_attachment"},
        {"type": "me"},
        {"type": "custom_something_new"},
        {"props": {"from_bot": "true"}},
        {"props": {"from_webhook": "true"}},
        {"props": {"from_plugin": True}},
        {"props": {"from_oauth_app": "true"}},
    ],
)
def test_what_no_person_says_to_be_heard_stays_silent(changed: dict[str, object]) -> None:
    post = read_post(said() | {"message": "@odabot what is the PUE?"} | changed, "O")

    assert post is not None
    assert read_message(post, EARS) is None


def test_a_bot_that_is_on_the_list_is_heard() -> None:
    message = heard(user_id="alerts", props={"from_bot": "true"})

    assert message is not None
    assert message.author == "alerts"


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"post": None},
        {"post": "{"},
        {"post": "[]"},
        {"post": "{}"},
        {"post": json.dumps(said(create_at="yesterday"))},
        {"post": json.dumps(said(channel_id=""))},
        {"post": json.dumps(said(id=None))},
    ],
)
def test_an_event_that_cannot_be_read_is_no_post(data: dict[str, object]) -> None:
    assert read_posted(data) is None


def a_form(**changed: str) -> dict[str, str]:
    return {
        "channel_id": "ops",
        "channel_name": "operations",
        "command": "/odabot",
        "text": "ask what is the PUE?",
        "trigger_id": "t1",
        "user_id": "ada",
    } | changed


def test_a_command_has_no_thread_yet() -> None:
    assert read_command(a_form(), EARS, NOW) == IncomingMessage(
        Thread("mattermost", "ops", ""),
        "t1",
        "ada",
        "ask what is the PUE?",
        NOW,
        addressed=True,
        way=Way.COMMAND,
    )


@pytest.mark.parametrize(
    ("name", "direct"), [("ada__bot", True), ("bot__ada", True), ("ada__ben", False)]
)
def test_a_command_is_direct_where_only_we_read_along(name: str, direct: bool) -> None:
    message = read_command(a_form(channel_name=name), EARS, NOW)

    assert message is not None
    assert message.direct is direct


@pytest.mark.parametrize("missing", ["channel_id", "user_id", "trigger_id"])
def test_a_command_without_all_its_parts_is_none(missing: str) -> None:
    assert read_command(a_form(**{missing: ""}), EARS, NOW) is None
