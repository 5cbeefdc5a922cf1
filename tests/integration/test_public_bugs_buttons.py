"""Public bugs of buttons in other bots, which ours has not: the real service on local-slack."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.buttons.pressed import FORGOTTEN
from bot.embedded_redis import EmbeddedRedis
from bot.messages import Act, Click
from tests.intake_service import a_question, open_service, wait_until, working
from tests.local_slack import ADA, BEN, LocalSlack, local_slack
from tests.service_process import environment, running
from tests.stored import NOW

UNCLEAR = "average temperature of node 3 on 1 June 2022"
POWER = "average total power of node 3 on 1 June 2022"
STRANGER = "U03EVE"


@dataclass(frozen=True, slots=True)
class Scene:
    """Slack, and how a service for it is started over the same data."""

    slack: LocalSlack
    options: list[str]
    variables: dict[str, str]
    data: Path

    def buttons(self, root: str, act: Act) -> list[tuple[str, dict[str, Any]]]:
        """The buttons of that kind in a thread, each with the id of its message."""
        return [
            (message["ts"], element)
            for message in self.slack.thread(root)
            for block in message.get("blocks") or ()
            if block["type"] == "actions"
            for element in block["elements"]
            if element["action_id"].partition(":")[0] == act
        ]

    def wait_for_buttons(self, root: str, act: Act) -> list[tuple[str, dict[str, Any]]]:
        """Those buttons, once there are any."""
        wait_until(lambda: bool(self.buttons(root, act)), 120)
        return self.buttons(root, act)

    def press(self, root: str, act: Act, user: str = ADA) -> None:
        """Have ``user`` press the first button of that kind."""
        message, element = self.wait_for_buttons(root, act)[0]
        self.slack.press(element, message, user=user)

    def asked_back(self) -> str:
        """A thread in which the bot asked back; the choices stand there."""
        root = self.slack.mention(UNCLEAR)
        self.wait_for_buttons(root, Act.CHOOSE)
        return root

    def wait_for_words(self, root: str, words: str) -> None:
        """Return once ``words`` stand in a thread."""
        wait_until(lambda: words in self._said(root), 120)

    def _said(self, root: str) -> str:
        return json.dumps(self.slack.thread(root), ensure_ascii=False)


@pytest.fixture(scope="module")
def still(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder, data = tmp_path_factory.mktemp("slack"), tmp_path_factory.mktemp("service")
    options = ["serve", "--lake", str(lake), "--now", NOW.isoformat(), "--port", "0"]
    with local_slack(folder) as slack:
        yield Scene(slack, options, environment(data, slack), data)


@pytest.fixture
def scene(still: Scene) -> Iterator[Scene]:
    with running(still.options, still.variables):
        yield still


def whispered(scene: Scene, user: str, words: str) -> Callable[[], bool]:
    """Whether ``user`` alone was told ``words``."""

    def was_told() -> bool:
        return any(
            entry["detail"].get("user") == user and words in json.dumps(entry["detail"])
            for entry in scene.slack.log()
            if entry["kind"] == "web_api" and entry["summary"] == "chat.postEphemeral"
        )

    return was_told


def test_21_the_first_click_after_a_restart_is_not_swallowed(still: Scene) -> None:
    with running(still.options, still.variables):
        root = still.asked_back()
    with running(still.options, still.variables):
        still.press(root, Act.CHOOSE)

        still.wait_for_words(root, "of node 3 on 2022-06-01 UTC")
        message, element = still.wait_for_buttons(root, Act.QUERY)[0]
        unknown = element | {"value": "0123456789abcdef"}
        still.slack.press(unknown, message, user=BEN)
        wait_until(whispered(still, BEN, FORGOTTEN[:40]), 60)


def test_22_buttons_cannot_be_pressed_while_it_works_and_say_who_chose(scene: Scene) -> None:
    root = scene.asked_back()
    message, element = scene.buttons(root, Act.CHOOSE)[0]

    scene.slack.press(element, message)
    scene.wait_for_words(root, f"<@{ADA}> chose: ")
    # He saw the buttons a moment ago.
    scene.slack.press(element, message, user=BEN)

    assert scene.buttons(root, Act.CHOOSE) == []
    scene.wait_for_words(root, "of node 3 on 2022-06-01 UTC")
    wait_until(whispered(scene, BEN, "was chosen already"), 60)
    answers = [m for m in scene.slack.thread(root) if "of node 3 on 2022-06-01 UTC" in str(m)]
    assert len(answers) == 1


def test_23_and_36_who_may_not_ask_is_refused_and_nothing_happens(scene: Scene) -> None:
    root = scene.asked_back()
    message, element = scene.buttons(root, Act.CHOOSE)[0]

    scene.slack.press(element, message, user=STRANGER)

    wait_until(whispered(scene, STRANGER, "I do not know you"), 60)
    assert scene.buttons(root, Act.CHOOSE)
    assert "chose: " not in json.dumps(scene.slack.thread(root))


def test_31_every_button_of_an_answer_does_something(scene: Scene) -> None:
    root = scene.slack.mention(POWER)
    scene.wait_for_buttons(root, Act.HELPFUL)

    scene.press(root, Act.QUERY)
    wait_until(whispered(scene, ADA, "SELECT"), 60)
    scene.press(root, Act.HELPFUL, BEN)
    wait_until(whispered(scene, BEN, "noted: helpful"), 60)
    scene.press(root, Act.UNHELPFUL)
    wait_until(whispered(scene, ADA, "static_select"), 60)
    scene.press(root, Act.WORK, BEN)
    wait_until(
        lambda: (
            whispered(scene, BEN, "question")() or "steps-" in json.dumps(scene.slack.thread(root))
        ),
        60,
    )
    votes = (scene.data / "votes.jsonl").read_text().splitlines()
    assert [json.loads(vote)["helpful"] for vote in votes] == [True, False]


def test_33_a_stop_is_not_queued_behind_what_it_stops(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path)
    with closing(server), open_service(server.open()) as service, working(service):
        question = a_question("slow question", 1)
        service.reception().receive(question)
        wait_until(lambda: service.coordinator.asked == ["slow question"])

        thread, turn = question.thread, question.trace_id
        service.reception().receive(Click(thread, "c1", question.author, Act.STOP, turn, NOW))

        # It goes on for ever unless it is stopped.
        wait_until(lambda: [post.text for post in service.board.answers()] == ["stopped"])


def test_an_answer_in_words_takes_the_buttons_away(scene: Scene) -> None:
    root = scene.asked_back()

    scene.slack.say("the first one", thread=root)

    scene.wait_for_words(root, "chose in words: ")
    assert scene.buttons(root, Act.CHOOSE) == []
