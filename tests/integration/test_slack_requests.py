"""Signed requests as Slack sends them, and others that are not Slack's."""

from collections.abc import Iterator

import httpx
import pytest

from bot.messages import Click, IncomingMessage
from tests.fakes.recording_intake import RecordingIntake
from tests.local_slack import ADA, OPS, TEAM, local_slack
from tests.slack_listening import over_http
from tests.slack_requests import SlackRequests, a_message


@pytest.fixture(scope="module")
def intake() -> RecordingIntake:
    return RecordingIntake()


@pytest.fixture(autouse=True)
def _nothing_taken_yet(intake: RecordingIntake) -> None:
    intake.broken = False
    intake.taken.clear()


@pytest.fixture(scope="module")
def requests(
    intake: RecordingIntake, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SlackRequests]:
    with (
        local_slack(tmp_path_factory.mktemp("slack")) as slack,
        over_http(slack.api_url, intake) as url,
    ):
        yield SlackRequests(url)


def test_the_address_is_verified(requests: SlackRequests) -> None:
    response = requests.verification("of my own")

    assert (response.status_code, response.json()) == (200, {"challenge": "of my own"})


def test_an_event_is_stored_before_it_is_acknowledged(
    requests: SlackRequests, intake: RecordingIntake
) -> None:
    response = requests.event(a_message())

    assert response.status_code == 200
    assert [m.text for m in intake.taken if isinstance(m, IncomingMessage)] == ["what is the PUE?"]


def test_what_is_not_stored_is_not_acknowledged(
    requests: SlackRequests, intake: RecordingIntake
) -> None:
    intake.broken = True
    refused = requests.event(a_message(), event_id="Ev1")
    intake.broken = False
    again = requests.event(a_message(), event_id="Ev1", retry=1)

    assert (refused.status_code, again.status_code) == (500, 200)
    assert len(intake.taken) == 1


def test_a_command_that_is_not_stored_says_so(
    requests: SlackRequests, intake: RecordingIntake
) -> None:
    fields = {
        "command": "/odabot",
        "text": "status",
        "channel_id": OPS,
        "user_id": ADA,
        "team_id": TEAM,
        "trigger_id": "1.2.3",
    }
    intake.broken = True

    response = requests.command(fields)

    assert response.status_code == 200
    assert "Please try again" in response.text


def test_a_click_that_is_not_stored_is_not_acknowledged(
    requests: SlackRequests, intake: RecordingIntake
) -> None:
    payload: dict[str, object] = {
        "type": "block_actions",
        "team": {"id": TEAM},
        "user": {"id": ADA},
        "channel": {"id": OPS},
        "container": {"message_ts": "1.2", "channel_id": OPS},
        "actions": [{"action_id": "stop", "value": "0123456789abcdef", "action_ts": "1.3"}],
    }
    intake.broken = True
    refused = requests.interaction(payload)
    intake.broken = False
    taken = requests.interaction(payload)

    assert (refused.status_code, taken.status_code) == (500, 200)
    assert [type(m) for m in intake.taken] == [Click]


@pytest.mark.parametrize("kind", ["reaction_added", "team_join", "something_new"])
def test_an_event_that_nobody_listens_to_is_acknowledged(
    kind: str, requests: SlackRequests, intake: RecordingIntake
) -> None:
    response = requests.event({"type": kind, "user": ADA, "event_ts": "1.2"})

    assert (response.status_code, intake.taken) == (200, [])


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "block_actions", "actions": [{"action_id": "of another app", "value": "x"}]},
        {"type": "view_submission", "view": {"type": "modal", "callback_id": "other"}},
        {"type": "view_closed", "view": {"type": "modal", "callback_id": "other"}},
        {"type": "shortcut", "callback_id": "of another app"},
        {"type": "block_suggestion", "action_id": "of another app", "value": "x"},
    ],
)
def test_an_interaction_that_is_not_ours_is_acknowledged(
    payload: dict[str, object], requests: SlackRequests, intake: RecordingIntake
) -> None:
    response = requests.interaction(payload | {"team": {"id": TEAM}, "user": {"id": ADA}})

    assert (response.status_code, intake.taken) == (200, [])


def test_a_wrong_signature_is_refused(requests: SlackRequests, intake: RecordingIntake) -> None:
    wrong_secret = SlackRequests(requests.url, "of somebody else").event(a_message())
    no_signature = requests.post("{}", signature="v0=deadbeef")

    assert (wrong_secret.status_code, no_signature.status_code) == (401, 401)
    assert intake.taken == []


@pytest.mark.parametrize("body", ["[1]", "{", "\u00e4", "payload=[", '{"event": 3}'])
def test_what_is_no_request_of_slack_is_refused_unread(body: str, requests: SlackRequests) -> None:
    unsigned = httpx.post(requests.url, content=body.encode("latin-1"))

    assert unsigned.status_code == 401


def test_a_replay_of_an_old_request_is_refused(
    requests: SlackRequests, intake: RecordingIntake
) -> None:
    response = requests.post('{"type": "event_callback"}', age=301)

    assert (response.status_code, intake.taken) == (401, [])


def test_a_workspace_where_we_are_not_installed_is_not_heard(
    requests: SlackRequests, intake: RecordingIntake
) -> None:
    requests.event(a_message(), team="T0OTHER")

    assert intake.taken == []
