"""Settings to the bot in Slack: where it is installed, what it hears, and how it speaks."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pydantic import SecretStr
from starlette.routing import BaseRoute

from bot.addressing import Addressing, Follow
from bot.chat_side import ChatSide, Hearing, Inbound
from bot.messages import Thread
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.platforms.slack_installations import Installations
    from bot.platforms.slack_ways_back import RedisWaysBack

PLATFORM = "slack"


@dataclass(frozen=True, slots=True)
class _Workspaces:
    """Where the app is installed, and what is served so that it can be installed elsewhere."""

    installations: "Installations"
    ways: "RedisWaysBack"
    routes: tuple[BaseRoute, ...] = ()


@contextmanager
def open_slack(settings: Settings, redis_url: str) -> Iterator[ChatSide]:
    """The bot in the workspaces of ``settings``, until the block is left; asks nothing yet."""
    from bot.platforms.slack_channels import SlackChannels
    from bot.platforms.slack_groups import SlackGroups
    from bot.platforms.slack_outlet import SlackOutlet, clients_of
    from bot.platforms.slack_ways_back import OutletWithWaysBack

    slack = settings.slack
    with _workspaces(settings, redis_url) as workspaces:
        client_of = clients_of(workspaces.installations, slack.api_url)
        yield ChatSide(
            PLATFORM,
            "requests from Slack" if slack.transport == "http" else "Slack by Socket Mode",
            slack.watch_seconds,
            OutletWithWaysBack(SlackOutlet(client_of), workspaces.ways),
            SlackChannels(client_of),
            SlackGroups(client_of),
            partial(_addressing, settings),
            partial(_listening, settings, workspaces),
        )


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


@contextmanager
def _workspaces(settings: Settings, redis_url: str) -> Iterator[_Workspaces]:
    from bot.platforms.slack_installations import SingleInstallation
    from bot.platforms.slack_ways_back import RedisWaysBack

    slack = settings.slack
    with closing(RedisWaysBack(redis_url, slack.api_url)) as ways:
        if not slack.client_id:
            single = SingleInstallation(_secret(slack.bot_token), slack.api_url)
            yield _Workspaces(single, ways)
            return
        from bot.platforms.slack_oauth import install_routes
        from bot.platforms.slack_teams import RedisInstallations

        with closing(RedisInstallations(redis_url, slack.api_url)) as kept:
            secret = _secret(slack.client_secret)
            routes = install_routes(kept, slack.client_id, secret, slack.api_url)
            yield _Workspaces(kept, ways, routes)


def _listening(settings: Settings, workspaces: _Workspaces, hearing: Hearing) -> Inbound:
    from bot.platforms.slack import SlackOverHttp, SlackOverSocket
    from bot.platforms.slack_app import Listening, SlackApp
    from bot.platforms.slack_socket import SlackSocket, Watch

    slack, installations = settings.slack, workspaces.installations
    signing_secret = _secret(slack.signing_secret)
    listening = Listening(
        signing_secret, slack.api_url, frozenset(slack.bots_heard), frozenset(slack.teams_heard)
    )
    app = SlackApp(
        installations, hearing.receive, listening, hearing.clock, hearing.home, workspaces.ways
    )
    if slack.transport == "http":
        every, routes = slack.watch_seconds, workspaces.routes
        return SlackOverHttp(app, signing_secret, installations, every, hearing.report, routes)
    token, watch = _secret(slack.app_token), Watch(every=slack.watch_seconds)
    socket = SlackSocket(app, token, slack.api_url, installations, watch, hearing.report)
    return SlackOverSocket(app, socket)


def _addressing(settings: Settings, engaged: Callable[[Thread], bool]) -> Addressing:
    """What is meant for us; ``engaged``: whether we take part in a thread."""

    def follow(thread: Thread) -> Follow:
        channel = thread.channel.rpartition("/")[2]
        return settings.slack.follow_in.get(channel, settings.slack.follow)

    return Addressing(follow, engaged)


def _secret(value: SecretStr | None) -> str:
    return "" if value is None else value.get_secret_value()
