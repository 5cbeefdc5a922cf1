"""The inbound side of Slack as the tests start it, over Socket Mode or signed HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from starlette.applications import Starlette

from bot.platforms.slack import SlackOverSocket, events_route
from bot.platforms.slack_app import Listening, SlackApp
from bot.platforms.slack_installations import SingleInstallation
from bot.platforms.slack_socket import Watch
from tests.asgi_server import serving
from tests.fakes.recording_intake import RecordingIntake
from tests.local_slack import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, LocalSlack

BRISK = Watch(every=0.2, ping=1.0, quiet=600.0, connecting=5.0)


def an_app(api_url: str, intake: RecordingIntake) -> SlackApp:
    """The app of one workspace."""
    return SlackApp(
        SingleInstallation(BOT_TOKEN, api_url),
        intake.receive,
        Listening(SIGNING_SECRET),
        lambda: datetime.now(UTC),
    )


@contextmanager
def over_socket(
    slack: LocalSlack, intake: RecordingIntake, watch: Watch = BRISK
) -> Iterator[SlackOverSocket]:
    """Listening by a connection to ``slack``."""
    installations = SingleInstallation(BOT_TOKEN, slack.api_url)
    platform = SlackOverSocket(
        an_app(slack.api_url, intake), APP_TOKEN, slack.api_url, installations, watch
    )
    platform.open()
    try:
        yield platform
    finally:
        platform.close()


@contextmanager
def over_http(api_url: str, intake: RecordingIntake, port: int = 0) -> Iterator[str]:
    """Listening to signed requests; the address that they go to."""
    app = an_app(api_url, intake)
    route = events_route(app, SIGNING_SECRET)
    with serving(Starlette(routes=[route]), port) as url:
        yield f"{url}{route.path}"
    app.close()
