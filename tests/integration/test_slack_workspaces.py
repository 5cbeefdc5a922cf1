"""Several workspaces: the app is installed in each, and hears and speaks there as itself."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from bot.embedded_redis import EmbeddedRedis
from bot.messages import IncomingMessage
from bot.platforms.slack import EVENTS_PATH
from bot.platforms.slack_installations import Installed
from bot.platforms.slack_oauth import INSTALL_PATH, REDIRECT_PATH, SCOPES, install_routes
from bot.platforms.slack_teams import RedisInstallations
from tests.fakes.recording_intake import RecordingIntake
from tests.free_port import free_port
from tests.slack_emulator import CLIENT_ID, CLIENT_SECRET, SlackEmulator, slack_emulator
from tests.slack_listening import over_http
from tests.slack_requests import SlackRequests, a_message


@dataclass(frozen=True, slots=True)
class Scene:
    """Our side, and a Slack from which people install."""

    here: str
    slack: SlackEmulator
    installations: RedisInstallations
    intake: RecordingIntake

    @property
    def requests(self) -> SlackRequests:
        """What Slack would send."""
        return SlackRequests(f"{self.here}{EVENTS_PATH}")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    port, intake = free_port(), RecordingIntake()
    here = f"http://127.0.0.1:{port}"
    server = EmbeddedRedis(tmp_path_factory.mktemp("redis"))
    with slack_emulator(f"{here}{EVENTS_PATH}", f"{here}{REDIRECT_PATH}") as slack:
        installations = RedisInstallations(server.open(), slack.api_url)
        routes = install_routes(installations, CLIENT_ID, CLIENT_SECRET, slack.api_url)
        with over_http(slack.api_url, intake, port, installations=installations, routes=routes):
            yield Scene(here, slack, installations, intake)
    installations.close()
    server.close()


@pytest.fixture
def scene(installed: Scene) -> Scene:
    """The scene as it stands before anything was said in it."""
    installed.intake.taken.clear()
    return installed


def agreed(scene: Scene, state: str) -> httpx.Response:
    """What Slack answers a person who lets the app in: the way back to us."""
    people = scene.slack.call("users.list")["members"]
    assert isinstance(people, list)
    form = {
        "user_id": next(person["id"] for person in people if not person.get("is_bot")),
        "redirect_uri": f"{scene.here}{REDIRECT_PATH}",
        "scope": ",".join(SCOPES),
        "state": state,
        "client_id": CLIENT_ID,
    }
    return httpx.post(f"{scene.slack.url}/oauth/v2/authorize/callback", data=form)


# The SDK still asks the HTTP client for the old form of this header.
@pytest.mark.filterwarnings("ignore:BasicAuth is deprecated")
def test_a_workspace_installs_the_app_and_is_heard(scene: Scene) -> None:
    begun = httpx.get(f"{scene.here}{INSTALL_PATH}")
    (state,) = parse_qs(urlsplit(begun.headers["location"]).query)["state"]
    back = agreed(scene, state).headers["location"]
    cookie = begun.headers["set-cookie"].split(";")[0]

    first = httpx.get(back, headers={"cookie": cookie})
    again = httpx.get(back, headers={"cookie": cookie})
    team = str(scene.slack.call("auth.test")["team_id"])
    scene.requests.event(a_message("heard in the new workspace"), team=team)

    assert (first.status_code, again.status_code) == (200, 401)
    installed = scene.installations.of(team)
    assert installed is not None
    assert installed.token.startswith("xoxb-")
    assert [m.text for m in scene.intake.taken if isinstance(m, IncomingMessage)] == [
        "heard in the new workspace"
    ]


def test_a_way_back_that_nobody_began_is_refused(scene: Scene) -> None:
    back = agreed(scene, "guessed").headers["location"]

    response = httpx.get(back, headers={"cookie": "slack-app-oauth-state=guessed"})

    assert response.status_code == 401


@pytest.mark.parametrize(
    ("event", "forgotten"),
    [
        ({"type": "app_uninstalled"}, True),
        ({"type": "tokens_revoked", "tokens": {"oauth": ["U1"], "bot": ["U1BOT"]}}, True),
        ({"type": "tokens_revoked", "tokens": {"oauth": ["U1"], "bot": []}}, False),
    ],
)
def test_no_token_is_kept_of_a_workspace_that_removed_the_app(
    scene: Scene, event: dict[str, object], forgotten: bool
) -> None:
    scene.installations.save(Installed("T4", "xoxb-T4", "UT4BOT", "BT4BOT"))
    scene.installations.save(Installed("T5", "xoxb-T5", "UT5BOT", "BT5BOT"))

    response = scene.requests.event(event, team="T4", at=time.time() + 60)

    assert response.status_code == 200
    assert (scene.installations.of("T4") is None) == forgotten
    assert scene.installations.of("T5") is not None


def test_a_removal_that_is_told_late_leaves_the_new_installation(scene: Scene) -> None:
    scene.installations.save(Installed("T6", "xoxb-new", "UT6BOT", "BT6BOT"))

    scene.requests.event({"type": "app_uninstalled"}, team="T6", at=time.time() - 60)

    assert scene.installations.of("T6") is not None


def test_an_organisation_stands_for_its_workspaces(scene: Scene) -> None:
    scene.installations.save(Installed("", "xoxb-org", "U1BOT", "B1BOT", "E1"))

    found = scene.installations.of("T-of-the-organisation", "E1")

    assert found is not None
    assert found.token == "xoxb-org"
    assert scene.installations.of("T-of-nobody", "E2") is None


def test_each_workspace_knows_the_bot_by_its_own_name(scene: Scene) -> None:
    for team in ("T2", "T3"):
        scene.installations.save(Installed(team, f"xoxb-{team}", f"U{team}BOT", f"B{team}BOT"))

    for team in ("T2", "T3"):
        event = a_message(f"<@U{team}BOT> the PUE?")
        scene.requests.event(event, team=team)
    scene.requests.event(a_message("<@UT2BOT> the PUE?"), team="T3")

    heard = [
        (m.thread.channel, m.addressed)
        for m in scene.intake.wait_for(3)
        if isinstance(m, IncomingMessage)
    ]
    assert heard == [("T2/C01OPS", True), ("T3/C01OPS", True), ("T3/C01OPS", False)]
