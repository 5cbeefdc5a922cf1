"""The inbound side of Slack as the tests start it, over Socket Mode or signed HTTP."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from bot.platforms.slack import EVENTS_PATH, SlackOverHttp, SlackOverSocket
from bot.platforms.slack_app import Home, Listening, SlackApp
from bot.platforms.slack_installations import Installations, SingleInstallation
from bot.platforms.slack_socket import SlackSocket, Watch
from tests.asgi_server import serving
from tests.fakes.recording_intake import RecordingIntake
from tests.local_slack import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, LocalSlack

BRISK = Watch(every=0.2, ping=1.0, quiet=600.0, connecting=5.0)


@dataclass(slots=True)
class Reports:
    """What the watch said last."""

    trouble: str = "nothing was said yet"
    told: list[str] = field(default_factory=list)

    def __call__(self, trouble: str) -> None:
        """Keep it."""
        self.trouble = trouble
        self.told.append(trouble)


def an_app(
    api_url: str,
    intake: RecordingIntake,
    home: Home | None = None,
    installations: Installations | None = None,
) -> SlackApp:
    """The app of one workspace, or of those of ``installations``."""
    return SlackApp(
        installations or SingleInstallation(BOT_TOKEN, api_url),
        intake.receive,
        Listening(SIGNING_SECRET, api_url),
        lambda: datetime.now(UTC),
        home,
    )


def socket_to(
    api_url: str, intake: RecordingIntake, watch: Watch = BRISK, home: Home | None = None
) -> tuple[SlackOverSocket, Reports]:
    """Slack by a connection that is not open yet."""
    app, reports = an_app(api_url, intake, home), Reports()
    installations = SingleInstallation(BOT_TOKEN, api_url)
    socket = SlackSocket(app, APP_TOKEN, api_url, installations, watch, reports)
    return SlackOverSocket(app, socket), reports


@contextmanager
def over_socket(
    slack: LocalSlack, intake: RecordingIntake, watch: Watch = BRISK, home: Home | None = None
) -> Iterator[Reports]:
    """Listening by a connection to ``slack``."""
    platform, reports = socket_to(slack.api_url, intake, watch, home)
    platform.open()
    try:
        yield reports
    finally:
        platform.close()


@contextmanager
def over_http(
    api_url: str,
    intake: RecordingIntake,
    port: int = 0,
    home: Home | None = None,
    installations: Installations | None = None,
    routes: Sequence[BaseRoute] = (),
) -> Iterator[str]:
    """Listening to signed requests; the address that they go to. ``routes`` are served beside."""
    app = an_app(api_url, intake, home, installations)
    platform = SlackOverHttp(
        app, SIGNING_SECRET, installations or SingleInstallation(BOT_TOKEN, api_url)
    )
    with serving(Starlette(routes=[*platform.routes, *routes]), port) as url:
        yield f"{url}{EVENTS_PATH}"
    platform.close()
