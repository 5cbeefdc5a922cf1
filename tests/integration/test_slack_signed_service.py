"""``odabot serve`` where Slack posts to it: what is signed is answered, and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.platforms.slack import EVENTS_PATH
from tests.intake_service import wait_until
from tests.local_slack import ADA, OPS, TEAM, LocalSlack, local_slack
from tests.service_process import environment, running
from tests.slack_requests import SlackRequests, a_mention, a_message
from tests.stored import NOW

POWER = "average total power of node 3 on 1 June 2022"
ANSWER = "2022-06-01 UTC: average"


@dataclass(frozen=True, slots=True)
class Scene:
    """Slack, and where the service takes its requests."""

    slack: LocalSlack
    requests: SlackRequests


@pytest.fixture(scope="module")
def scene(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder, data = tmp_path_factory.mktemp("slack"), tmp_path_factory.mktemp("service")
    options = ["serve", "--lake", str(lake), "--now", NOW.isoformat(), "--port", "0"]
    with (
        local_slack(folder) as slack,
        running(options, environment(data, slack, "http")) as service,
    ):
        url = f"{service.url.rstrip('/')}{EVENTS_PATH}"
        yield Scene(slack, SlackRequests(url))


def test_the_address_proves_to_be_ours(scene: Scene) -> None:
    answer = scene.requests.verification("3eZbrw1a")

    assert (answer.status_code, "3eZbrw1a" in answer.text) == (200, True)


def test_a_question_that_is_told_four_times_is_answered_once(scene: Scene) -> None:
    moment = scene.slack.mention(POWER)
    events = (a_mention(POWER, moment), a_message(f"<@U0BOT> {POWER}", moment))
    told = [
        scene.requests.event(event, event_id=f"Ev{event['type']}", retry=retry)
        for event in events
        for retry in (0, 1)
    ]

    wait_until(lambda: ANSWER in str(scene.slack.thread(moment)), 90)
    later = scene.slack.mention(POWER)
    scene.requests.event(a_mention(POWER, later))
    wait_until(lambda: ANSWER in str(scene.slack.thread(later)), 90)

    assert {answer.status_code for answer in told} == {200}
    answers = [m for m in scene.slack.thread(moment) if ANSWER in str(m)]
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("age", "signature"), [(600, ""), (0, "v0=0123456789abcdef")], ids=["replayed", "forged"]
)
def test_what_slack_did_not_sign_just_now_is_refused(
    scene: Scene, age: float, signature: str
) -> None:
    body = '{"type": "url_verification", "challenge": "3eZbrw1a"}'

    answer = scene.requests.post(body, age=age, signature=signature)

    assert (answer.status_code, "3eZbrw1a" in answer.text) == (401, False)


def test_a_command_is_answered(scene: Scene) -> None:
    fields = {
        "command": "/odabot",
        "text": "whoami",
        "team_id": TEAM,
        "user_id": ADA,
        "channel_id": OPS,
        "trigger_id": "1.2.3",
        "response_url": f"{scene.slack.url}/nowhere",
    }

    answer = scene.requests.command(fields)

    assert answer.status_code == 200
    assert "oncall" in scene.slack.wait_for_call("chat.postEphemeral", "oncall")["text"]
