"""A night in Slack as people see it: asked in the channel, chosen in a browser, put again daily."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.intake_service import wait_until
from tests.integration.browser import CHROMIUM, Browser
from tests.local_slack import OPS, LocalSlack, local_slack
from tests.service_process import environment, running
from tests.stored import NOW

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

CHOICE = "inlet (ambient) temperature"
_BUTTON = f"[...document.querySelectorAll('button')].find(b => b.innerText.trim() == '{CHOICE}')"
_PICTURE = "[...document.images].find(i => i.src.includes('.png') && i.naturalWidth > 300)"
_TO_THE_END = """[...document.querySelectorAll('*')]
    .filter(e => e.scrollHeight > e.clientHeight + 20).forEach(e => e.scrollTop = e.scrollHeight)"""


@dataclass(frozen=True, slots=True)
class Story:
    """Slack, the browser in it, and the thread that all of it happens in."""

    slack: LocalSlack
    browser: Browser
    root: str
    folder: Path

    def wait_for_words(self, words: str) -> None:
        """Return once ``words`` stand in the thread."""
        wait_until(lambda: words in json.dumps(self.slack.thread(self.root)), 120)

    def files(self) -> list[dict[str, Any]]:
        """What was uploaded to the thread."""
        return [file for m in self.slack.thread(self.root) for file in m.get("files") or ()]


@pytest.fixture(scope="module")
def story(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    folder, data = tmp_path_factory.mktemp("story"), tmp_path_factory.mktemp("service")
    options = ["serve", "--lake", str(lake), "--now", NOW.isoformat(), "--port", "0"]
    with (
        local_slack(folder) as slack,
        running(options, environment(data, slack)),
        Browser(folder) as browser,
    ):
        browser.look_like(1400, 1000)
        root = slack.mention("plot the temperature of node 3 on 1 June 2022 as a line")
        browser.go(slack.url)
        yield Story(slack, browser, root, folder)


def test_from_a_mention_to_a_digest(story: Story) -> None:
    browser, slack = story.browser, story.slack
    browser.wait_for("document.querySelector('.thread-summary')", 90)
    browser.run("document.querySelector('.thread-summary').click()")
    browser.wait_for(_BUTTON, 60)

    browser.run(f"{_BUTTON}.click()")

    story.wait_for_words("of node 3 on 2022-06-01 UTC")
    browser.wait_for(_PICTURE, 60)
    browser.wait_for(f"!{_BUTTON}")
    wait_until(lambda: any(f["name"].endswith(".csv") for f in story.files()), 60)
    browser.run(_TO_THE_END)
    browser.screenshot(story.folder / "thread.png")

    slack.say("and of node 4?", thread=story.root)
    story.wait_for_words("of node 4 on 2022-06-01 UTC")

    slack.say(
        'digest create "average PUE of yesterday" daily 08:00 Europe/Rome in #ops',
        thread=story.root,
    )
    story.wait_for_words("Next run: ")
    slack.say("digest run-now d1", thread=story.root)
    wait_until(lambda: bool(digests(slack)), 120)
    # One more question is answered in the meantime; the digest still stands there once.
    slack.say("and of node 5?", thread=story.root)
    story.wait_for_words("of node 5 on 2022-06-01 UTC")
    assert len(digests(slack)) == 1


def digests(slack: LocalSlack) -> list[dict[str, Any]]:
    """What the digest has posted to the channel."""
    history = slack.call("conversations.history", channel=OPS)["messages"]
    return [m for m in history if m.get("bot_id") and "PUE on 2022-06-01 UTC" in json.dumps(m)]
