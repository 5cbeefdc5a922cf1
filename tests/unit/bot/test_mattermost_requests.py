"""Commands and clicks as Mattermost posts them: stored before they are answered, or refused."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from bot.errors import PlatformError
from bot.messages import Act, Click, IncomingMessage, Thread, Way
from bot.platforms.mattermost_actions import ACTIONS_PATH, NO_MORE, Actions
from bot.platforms.mattermost_actions import NOT_TAKEN as NOT_PRESSED
from bot.platforms.mattermost_commands import COMMANDS_PATH, NOT_KNOWN, NOT_TAKEN, Commands
from bot.platforms.mattermost_events import Ears
from tests.fakes.recording_intake import RecordingIntake

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Button:
    act: Act
    turn: str
    value: str
    root: str
    channel: str = "ops"


@dataclass
class Board:
    """Tokens of buttons as a dictionary."""

    buttons: dict[tuple[str, str], Button] = field(default_factory=dict)
    spent: list[str] = field(default_factory=list)

    def opened(self, token: str, channel: str, user: str) -> Button | None:
        return self.buttons.get((token, channel))

    def spend(self, token: str, user: str) -> None:
        self.spent.append(token)


@pytest.fixture
def intake() -> RecordingIntake:
    return RecordingIntake()


@pytest.fixture
def board() -> Board:
    return Board(
        {
            ("t-choose", "ops"): Button(Act.CHOOSE, "0123456789abcdef", "gpu", "p0"),
            ("t-menu", "ops"): Button(Act.UNHELPFUL, "0123456789abcdef", "", ""),
        }
    )


@pytest.fixture
def client(intake: RecordingIntake, board: Board) -> Iterator[TestClient]:
    commands = Commands(("one", "two"), lambda: Ears("bot", "odabot"), intake.receive, lambda: NOW)
    actions = Actions(board, intake.receive, lambda: NOW)
    with TestClient(Starlette(routes=[commands.route, actions.route])) as made:
        yield made


def a_form(**changed: str) -> dict[str, str]:
    return {
        "token": "two",
        "channel_id": "ops",
        "channel_name": "operations",
        "command": "/odabot",
        "text": "help  me & ben",
        "trigger_id": "t1",
        "user_id": "ada",
    } | changed


def test_a_command_is_stored_and_then_answered_with_nothing(
    client: TestClient, intake: RecordingIntake
) -> None:
    told = client.post(COMMANDS_PATH, data=a_form())

    assert (told.status_code, told.json()) == (200, {})
    (command,) = intake.taken
    assert isinstance(command, IncomingMessage)
    assert (command.way, command.text, command.author) == (Way.COMMAND, "help me & ben", "ada")


@pytest.mark.parametrize("token", ["", "three", "tw", "two2", "zwei\u00e9"])
def test_a_command_without_a_token_of_ours_is_not_read(
    client: TestClient, intake: RecordingIntake, token: str
) -> None:
    told = client.post(COMMANDS_PATH, data=a_form(token=token))

    assert (told.status_code, told.json()["text"]) == (401, NOT_KNOWN)
    assert intake.taken == []


def test_without_any_token_no_command_is_taken(intake: RecordingIntake) -> None:
    commands = Commands((), lambda: Ears("bot", "odabot"), intake.receive, lambda: NOW)

    told = TestClient(Starlette(routes=[commands.route])).post(COMMANDS_PATH, data=a_form(token=""))

    assert told.status_code == 401
    assert intake.taken == []


def test_a_command_that_was_not_stored_is_said_to_be_lost(
    client: TestClient, intake: RecordingIntake
) -> None:
    intake.broken = True

    told = client.post(COMMANDS_PATH, data=a_form())

    assert told.status_code == 200
    assert told.json() == {"response_type": "ephemeral", "text": NOT_TAKEN}


def test_a_command_while_nobody_says_who_we_are_is_said_to_be_lost(
    intake: RecordingIntake,
) -> None:
    def away() -> Ears:
        raise PlatformError("not answered")

    commands = Commands(("two",), away, intake.receive, lambda: NOW)

    told = TestClient(Starlette(routes=[commands.route])).post(COMMANDS_PATH, data=a_form())

    assert told.json()["text"] == NOT_TAKEN


def test_a_command_without_all_its_parts_is_not_taken(
    client: TestClient, intake: RecordingIntake
) -> None:
    assert client.post(COMMANDS_PATH, data=a_form(user_id="")).status_code == 400
    assert intake.taken == []


@pytest.mark.parametrize("path", [COMMANDS_PATH, ACTIONS_PATH])
def test_what_is_too_long_is_not_read(client: TestClient, path: str) -> None:
    assert client.post(path, content=b"x" * 300_000).status_code == 413


def a_press(token: str = "t-choose", **changed: object) -> dict[str, object]:
    context: dict[str, object] = {"token": token}
    return {
        "user_id": "ben",
        "channel_id": "ops",
        "post_id": "p7",
        "trigger_id": "t9",
        "type": "button",
        "context": context,
    } | changed


def test_a_click_is_stored_and_then_spends_its_button(
    client: TestClient, intake: RecordingIntake, board: Board
) -> None:
    told = client.post(ACTIONS_PATH, json=a_press())

    assert (told.status_code, told.json()) == (200, {})
    thread = Thread("mattermost", "ops", "p0")
    assert intake.taken == [
        Click(thread, "p7 t9", "ben", Act.CHOOSE, "0123456789abcdef", NOW, "gpu")
    ]
    assert board.spent == ["t-choose"]


def test_a_choice_from_a_menu_is_a_click(client: TestClient, intake: RecordingIntake) -> None:
    chosen = {"token": "t-menu", "selected_option": "too old"}

    client.post(ACTIONS_PATH, json=a_press(context=chosen))

    (click,) = intake.taken
    assert isinstance(click, Click)
    assert (click.act, click.value) == (Act.UNHELPFUL, "too old")
    # The message with the menu begins its thread.
    assert click.thread.root == "p7"


def test_what_a_button_chooses_cannot_be_changed_on_the_way(
    client: TestClient, intake: RecordingIntake
) -> None:
    chosen = {"token": "t-choose", "selected_option": "cpu", "value": "cpu", "act": "stop"}

    client.post(ACTIONS_PATH, json=a_press(context=chosen))

    (click,) = intake.taken
    assert isinstance(click, Click)
    assert (click.act, click.value) == (Act.CHOOSE, "gpu")


@pytest.mark.parametrize(
    "press",
    [
        a_press("forged"),
        a_press(""),
        a_press(channel_id="secret"),
        a_press(context={}),
        a_press(context={"token": ["t-choose"]}),
        a_press(context={"act": "choose", "turn": "0123456789abcdef"}),
    ],
)
def test_a_button_without_a_token_of_ours_is_no_click(
    client: TestClient, intake: RecordingIntake, press: dict[str, object]
) -> None:
    told = client.post(ACTIONS_PATH, json=press)

    assert (told.status_code, told.json()) == (200, {"ephemeral_text": NO_MORE})
    assert intake.taken == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b'{"user_id": "ben"}', b"\xff"])
def test_what_is_no_click_is_refused(
    client: TestClient, intake: RecordingIntake, body: bytes
) -> None:
    assert client.post(ACTIONS_PATH, content=body).status_code == 400
    assert intake.taken == []


def test_a_click_that_was_not_stored_may_be_made_again(
    client: TestClient, intake: RecordingIntake, board: Board
) -> None:
    intake.broken = True

    told = client.post(ACTIONS_PATH, json=a_press())

    assert (told.status_code, told.json()) == (200, {"ephemeral_text": NOT_PRESSED})
    assert board.spent == []
