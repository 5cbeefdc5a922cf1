"""Settings to the bot in Slack: where it is installed, what it hears, and how it speaks."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import SecretStr
from starlette.routing import BaseRoute

from bot.access import Groups
from bot.addressing import Addressing, Follow
from bot.messages import Incoming, Thread
from bot.outlet import Outlet
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.platforms.slack import SlackOverHttp, SlackOverSocket
    from bot.platforms.slack_app import Home
    from bot.platforms.slack_channels import SlackChannels
    from bot.platforms.slack_installations import Installations
    from bot.platforms.slack_ways_back import RedisWaysBack, WaysBack

PLATFORM = "slack"


@dataclass(frozen=True, slots=True)
class SlackPlaces:
    """Where the app is installed, and what is served so that it can be installed elsewhere."""

    installations: "Installations"
    ways: "RedisWaysBack"
    routes: tuple[BaseRoute, ...] = ()


@contextmanager
def open_places(settings: Settings, redis_url: str) -> Iterator[SlackPlaces]:
    """The workspaces of ``settings``, until the block is left; nothing is asked of Slack yet."""
    from bot.platforms.slack_installations import SingleInstallation
    from bot.platforms.slack_ways_back import RedisWaysBack

    slack = settings.slack
    with closing(RedisWaysBack(redis_url, slack.api_url)) as ways:
        if not slack.client_id:
            single = SingleInstallation(_secret(slack.bot_token), slack.api_url)
            yield SlackPlaces(single, ways)
            return
        from bot.platforms.slack_oauth import install_routes
        from bot.platforms.slack_teams import RedisInstallations

        with closing(RedisInstallations(redis_url, slack.api_url)) as kept:
            secret = _secret(slack.client_secret)
            routes = install_routes(kept, slack.client_id, secret, slack.api_url)
            yield SlackPlaces(kept, ways, routes)


def build_slack(
    settings: Settings,
    installations: "Installations",
    receive: Callable[[Incoming], None],
    clock: Callable[[], datetime],
    home: "Home | None" = None,
    report: Callable[[str], None] = lambda trouble: None,
    ways: "WaysBack | None" = None,
) -> "SlackOverSocket | SlackOverHttp":
    """The inbound side, over the transport of ``settings``; not open yet."""
    from bot.platforms.slack import SlackOverHttp, SlackOverSocket
    from bot.platforms.slack_app import Listening, SlackApp
    from bot.platforms.slack_socket import SlackSocket, Watch

    slack = settings.slack
    signing_secret = _secret(slack.signing_secret)
    listening = Listening(
        signing_secret, slack.api_url, frozenset(slack.bots_heard), frozenset(slack.teams_heard)
    )
    app = SlackApp(installations, receive, listening, clock, home, ways)
    if slack.transport == "http":
        return SlackOverHttp(app, signing_secret, installations, slack.watch_seconds, report)
    token, watch = _secret(slack.app_token), Watch(every=slack.watch_seconds)
    socket = SlackSocket(app, token, slack.api_url, installations, watch, report)
    return SlackOverSocket(app, socket)


def build_slack_outlet(settings: Settings, places: SlackPlaces) -> Outlet:
    """The outbound side, as the bot of each workspace."""
    from bot.platforms.slack_installations import token_of
    from bot.platforms.slack_outlet import SlackOutlet, slack_client
    from bot.platforms.slack_ways_back import OutletWithWaysBack

    api_url = settings.slack.api_url
    outlet = SlackOutlet(lambda team: slack_client(token_of(places.installations, team), api_url))
    return OutletWithWaysBack(outlet, places.ways)


def build_slack_channels(settings: Settings, places: SlackPlaces) -> "SlackChannels":
    """The channels of each workspace, for what is posted elsewhere than it is asked for."""
    from bot.platforms.slack_channels import SlackChannels
    from bot.platforms.slack_installations import token_of
    from bot.platforms.slack_outlet import slack_client

    api_url = settings.slack.api_url
    return SlackChannels(lambda team: slack_client(token_of(places.installations, team), api_url))


def build_slack_groups(settings: Settings, places: SlackPlaces) -> Groups:
    """The user groups of each workspace; nothing is asked yet."""
    from bot.platforms.slack_groups import SlackGroups
    from bot.platforms.slack_installations import token_of
    from bot.platforms.slack_outlet import slack_client

    api_url = settings.slack.api_url
    return SlackGroups(lambda team: slack_client(token_of(places.installations, team), api_url))


def try_slack(settings: Settings) -> str:
    """Where the bot's token speaks, and whether a socket would be opened; raises PlatformError."""
    from bot.platforms.slack_installations import SingleInstallation
    from bot.platforms.slack_socket import try_socket

    slack = settings.slack
    known = SingleInstallation(_secret(slack.bot_token), slack.api_url).of("")
    assert known is not None
    if slack.transport == "socket":
        try_socket(_secret(slack.app_token), slack.api_url)
    return f"workspace {known.team} by {slack.transport}"


def build_addressing(settings: Settings, engaged: Callable[[Thread], bool]) -> Addressing:
    """What is meant for us; ``engaged``: whether we have answered in a thread."""

    def follow(thread: Thread) -> Follow:
        channel = thread.channel.rpartition("/")[2]
        return settings.slack.follow_in.get(channel, settings.slack.follow)

    return Addressing(follow, engaged)


def _secret(value: SecretStr | None) -> str:
    return "" if value is None else value.get_secret_value()
