"""Digests in Slack, over the whole service: created in a thread, due, and posted once."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from tests.another_replica import look_for_digests
from tests.local_slack import ADA, BEN, OPS, QUIET, LocalSlack, local_slack
from tests.service_process import Running, environment, running
from tests.stored import NOW

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Scene:
    """Slack, the service, and its data folder."""

    slack: LocalSlack
    service: Running
    data: Path


@pytest.fixture(scope="module")
def scene(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder, data = tmp_path_factory.mktemp("slack"), tmp_path_factory.mktemp("service")
    options = ["serve", "--lake", str(lake), "--now", NOW.isoformat(), "--port", "0"]
    with local_slack(folder) as slack, running(options, environment(data, slack)) as service:
        yield Scene(slack, service, data)


def answer_to(scene: Scene, text: str, words: str, *, user: str = ADA) -> str:
    """All of a thread that begins with ``text``, once the bot wrote ``words`` there."""
    root = scene.slack.mention(text, user=user)
    wait_for(lambda: words in str(scene.slack.thread(root)))
    return str(scene.slack.thread(root))


def posted(scene: Scene, words: str, channel: str = OPS) -> list[str]:
    """The messages of the channel itself that have ``words`` in them, by their ts."""
    messages = scene.slack.call("conversations.history", channel=channel)["messages"]
    return [str(m["ts"]) for m in messages if words in str(m) and m.get("bot_id")]


def wait_for(found: Callable[[], T], seconds: float = 90) -> T:
    """What ``found`` finds, once it finds something."""
    give_up = time.monotonic() + seconds
    while not (result := found()):
        assert time.monotonic() < give_up, "it was not found"
        time.sleep(0.2)
    return result


def test_from_a_thread_to_one_post_with_plot_and_table_that_is_followed_up(scene: Scene) -> None:
    create = f'digest create "plot the PUE of yesterday" daily 08:00 Europe/Rome in <#{OPS}|ops>'
    created = answer_to(scene, create, "is set: plot the PUE of yesterday")
    for _ in range(2):
        look_for_digests(scene.data, NOW + timedelta(hours=7))
    words = "plot the PUE of yesterday"
    (root,) = wait_for(lambda: posted(scene, words))
    wait_for(lambda: ".csv" in str(scene.slack.thread(root)))
    files = str([message.get("files") for message in scene.slack.thread(root)])
    scene.slack.say("and on 31 May 2022?", thread=root)
    wait_for(lambda: "on 2022-05-31 UTC" in str(scene.slack.thread(root)))

    assert "08:00 Europe/Rome (06:00 UTC)" in created
    assert ".png" in files
    assert posted(scene, words) == [root]


def test_a_channel_without_a_role_takes_no_digest(scene: Scene) -> None:
    create = f'digest create "PUE of yesterday" hourly in <#{QUIET}|quiet>'

    told = answer_to(scene, create, "You may not have digests there")

    assert "Next run" not in told


def test_the_home_lists_ones_digests(scene: Scene) -> None:
    create = 'digest create "PUE of yesterday" weekly Monday 09:00'
    answer_to(scene, create, "Next run", user=BEN)

    scene.slack.open_home(BEN)

    wait_for(lambda: "weekly on Monday at 09:00" in str(scene.slack.wait_for_call("views.publish")))
