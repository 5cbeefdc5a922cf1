"""One service for Slack and Mattermost at once: the same stores, roles and digests."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests import local_slack as slack_names
from tests.another_replica import look_for_digests
from tests.free_port import free_port
from tests.intake_service import wait_until
from tests.local_slack import LocalSlack, local_slack
from tests.mattermost_stub import BEN, BOT, MattermostStub, mattermost_stub
from tests.service_process import Running, environment, mattermost_environment, running
from tests.stored import NOW

PUE, ANSWER = "average PUE on 1 June 2022", "PUE on 2022-06-01 UTC"
DIGEST = 'digest create "average PUE of yesterday" daily 08:00 Europe/Rome in '
_MANY = 10**6


@dataclass(frozen=True, slots=True)
class Scene:
    """Both platforms, and the one service."""

    slack: LocalSlack
    chat: MattermostStub
    service: Running
    data: Path
    began: Mapping[str, bool]
    """Which platforms were connected once the service said that it serves."""

    def wait_in_slack(self, words: str, root: str) -> None:
        wait_until(lambda: words in json.dumps(self.slack.thread(root)), 90)

    def wait_in_chat(self, words: str, root: str) -> None:
        wait_until(lambda: words in json.dumps(self.chat.replies(root)), 90)

    def digests(self) -> tuple[list[Any], list[Any]]:
        """What digests have posted to the channel of each."""
        history = self.slack.call("conversations.history", channel=slack_names.OPS)["messages"]
        return (
            [
                message
                for message in history
                if message.get("bot_id") and "average PUE of yesterday" in str(message)
            ],
            [
                post
                for post in self.chat.posts()
                if post["user_id"] == BOT
                and re.search(r"Digest d\d+: average PUE of yesterday", post["message"])
            ],
        )


def connected(url: str) -> dict[str, bool]:
    """Which platforms are connected."""
    parts = httpx.get(f"{url}readyz", timeout=30).json()["parts"]
    return {name: bool(parts[name]["ok"]) for name in ("slack", "mattermost")}


@pytest.fixture(scope="module")
def scene(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder, data = tmp_path_factory.mktemp("slack"), tmp_path_factory.mktemp("service")
    port = free_port()
    options = ["serve", "--lake", str(lake), "--now", NOW.isoformat(), "--port", str(port)]
    with local_slack(folder) as slack, mattermost_stub() as chat:
        variables = environment(data, slack) | mattermost_environment(data, chat, port)
        # What is away is known to be, and tried again, within a second.
        variables |= {f"ODABOT_{name}__WATCH_SECONDS": "1" for name in ("SLACK", "MATTERMOST")}
        chat.refuse_sockets(_MANY)
        with running(options, variables) as service:
            began = connected(service.url)
            chat.refuse_sockets(0)
            wait_until(lambda: all(connected(service.url).values()), 60)
            yield Scene(slack, chat, service, data, began)


def test_one_that_is_away_at_the_start_is_connected_later(scene: Scene) -> None:
    assert scene.began == {"slack": True, "mattermost": False}
    assert connected(scene.service.url) == {"slack": True, "mattermost": True}


def test_each_is_answered_where_it_was_asked(scene: Scene) -> None:
    here, there = scene.chat.mention(PUE), scene.slack.mention(PUE)

    scene.wait_in_chat(ANSWER, here)
    scene.wait_in_slack(ANSWER, there)
    assert len([post for post in scene.chat.replies(here) if ANSWER in post["message"]]) == 1


def test_one_that_goes_away_keeps_the_other_from_nothing(scene: Scene) -> None:
    scene.chat.refuse_sockets(_MANY)
    scene.chat.reset_sockets()
    wait_until(lambda: not connected(scene.service.url)["mattermost"], 30)
    unheard = scene.chat.mention(PUE)
    scene.chat.say("average total power of node 3 on 1 June 2022", root=unheard)
    there = scene.slack.mention(PUE)

    scene.wait_in_slack(ANSWER, there)
    assert not scene.chat.replies(unheard)
    assert connected(scene.service.url)["slack"]
    assert httpx.get(f"{scene.service.url}healthz", timeout=30).status_code == 200

    # Once it is back, what was written meanwhile is answered, too.
    scene.chat.refuse_sockets(0)
    scene.wait_in_chat(ANSWER, unheard)
    scene.wait_in_chat("of node 3 on 2022-06-01 UTC: average", unheard)
    wait_until(lambda: connected(scene.service.url)["mattermost"], 60)


def test_an_administrator_hears_how_both_are(scene: Scene) -> None:
    scene.chat.command("status", user=BEN)

    def told() -> bool:
        text = json.dumps(scene.chat.whispers(BEN))
        return "slack: connected" in text and "mattermost: connected" in text

    wait_until(told, 60)


def test_each_digest_is_posted_once_where_it_belongs(scene: Scene) -> None:
    here = scene.chat.mention(f"{DIGEST}~ops")
    there = scene.slack.mention(f"{DIGEST}<#{slack_names.OPS}|ops>")
    scene.wait_in_chat("Next run: ", here)
    scene.wait_in_slack("Next run: ", there)

    look_for_digests(scene.data, NOW + timedelta(hours=7))
    look_for_digests(scene.data, NOW + timedelta(hours=7))

    wait_until(lambda: all(scene.digests()), 90)
    # Both may have been posted twice only until what came later is answered.
    later = scene.chat.mention(PUE)
    scene.wait_in_chat(ANSWER, later)
    in_slack, in_chat = scene.digests()
    assert (len(in_slack), len(in_chat)) == (1, 1)


def test_nobody_is_told_of_digests_of_the_other(scene: Scene) -> None:
    here = scene.chat.mention(f"{DIGEST}~ops".replace("average", "highest"), user=BEN)
    scene.wait_in_chat("Next run: ", here)

    there = scene.slack.mention("digest list", user=slack_names.BEN)
    scene.wait_in_slack("digest", there)

    scene.chat.say("digest list", root=here, user=BEN)
    scene.wait_in_chat("highest PUE of yesterday: daily at 08:00", here)
    assert "highest" not in json.dumps(scene.slack.thread(there))
