"""The whole service in Slack: started as an operator does, asked as people do."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from bot.check_wiring import health_probes
from bot.settings import Settings
from bot.slack_settings import SlackSettings
from tests.intake_service import wait_until
from tests.local_slack import APP_TOKEN, BEN, BOT_TOKEN, QUIET, TEAM, LocalSlack, local_slack
from tests.service_process import Running, environment, running
from tests.stored import NOW

POWER = "average total power of node 3 on 1 June 2022"


@dataclass(frozen=True, slots=True)
class Scene:
    """Slack and the service."""

    slack: LocalSlack
    service: Running


@pytest.fixture(scope="module")
def scene(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder, data = tmp_path_factory.mktemp("slack"), tmp_path_factory.mktemp("service")
    options = ["serve", "--lake", str(lake), "--now", NOW.isoformat(), "--port", "0"]
    with local_slack(folder) as slack, running(options, environment(data, slack)) as service:
        yield Scene(slack, service)


def wait_for(scene: Scene, root: str, words: str) -> None:
    """Return once ``words`` stand in a thread."""
    wait_until(lambda: words in str(scene.slack.thread(root)), 90)


def test_a_question_is_answered_in_its_thread(scene: Scene) -> None:
    root = scene.slack.mention(POWER)

    wait_for(scene, root, "Total node power of node 3 on 2022-06-01 UTC: average")


def test_a_follow_up_needs_no_mention(scene: Scene) -> None:
    root = scene.slack.mention(POWER)
    wait_for(scene, root, "of node 3 on 2022-06-01 UTC: average")

    scene.slack.say("and of node 4?", thread=root)

    wait_for(scene, root, "of node 4 on 2022-06-01 UTC")


def test_what_is_added_before_the_answer_needs_no_mention(scene: Scene) -> None:
    root = scene.slack.mention(POWER)
    scene.slack.say("and of node 4?", thread=root)

    wait_for(scene, root, "of node 3 on 2022-06-01 UTC: average")
    wait_for(scene, root, "of node 4 on 2022-06-01 UTC")


def test_a_mention_is_answered_once(scene: Scene) -> None:
    root = scene.slack.mention(POWER)
    wait_for(scene, root, "of node 3 on 2022-06-01 UTC: average")
    other = scene.slack.mention("average PUE on 1 June 2022")
    wait_for(scene, other, "PUE on 2022-06-01 UTC")

    answers = [m for m in scene.slack.thread(root) if "UTC: average" in str(m)]
    assert len(answers) == 1


def test_a_room_without_a_role_is_refused(scene: Scene) -> None:
    root = scene.slack.mention(POWER, user=BEN, channel=QUIET)

    def told() -> str:
        return str(scene.slack.thread(root, channel=QUIET))

    wait_until(lambda: "I cannot answer in this channel" in told(), 90)
    assert "UTC: average" not in told()


def test_it_tells_how_it_is(scene: Scene) -> None:
    ready = httpx.get(f"{scene.service.url}readyz", timeout=30)
    metrics = httpx.get(f"{scene.service.url}metrics", timeout=30)

    assert ready.status_code == 200, ready.text
    assert ready.json()["parts"]["slack"]["ok"]
    assert "odabot_questions_total" in metrics.text


def test_its_health_is_that_of_every_part(scene: Scene) -> None:
    health = httpx.get(f"{scene.service.url}healthz", timeout=30)

    assert health.status_code == 200, health.text
    parts = {"digests", "http", "inbox-sweeper", "lease-watch", "slack-inbound", "tasks"}
    assert set(health.json()["parts"]) == parts


def test_the_home_has_what_was_asked(scene: Scene) -> None:
    root = scene.slack.mention(POWER, user=BEN)
    wait_for(scene, root, "UTC: average")

    scene.slack.open_home(BEN)
    view = scene.slack.wait_for_call("views.publish")

    assert POWER in str(view)


def test_check_tries_slack(scene: Scene, tmp_path: Path) -> None:
    slack = SlackSettings(
        bot_token=SecretStr(BOT_TOKEN), app_token=SecretStr(APP_TOKEN), api_url=scene.slack.api_url
    )

    (probe,) = [
        probe
        for probe in health_probes(Settings(data=tmp_path, slack=slack))
        if probe.name == "Slack"
    ]

    assert probe.try_out() == f"workspace {TEAM} by socket"


def test_a_command_is_answered_to_who_typed_it_alone(scene: Scene) -> None:
    scene.slack.command("whoami", user=BEN)

    whispered = scene.slack.wait_for_call("chat.postEphemeral", "chief")

    assert whispered["user"] == BEN
    assert "chief" in whispered["text"]


def test_a_question_by_command_begins_a_thread_of_its_own(scene: Scene) -> None:
    scene.slack.command(f"ask {POWER.replace('node 3', 'node 5')}")

    posted = scene.slack.wait_for_call("chat.postMessage", "of node 5 on 2022-06-01 UTC")

    assert "thread_ts" not in posted
