"""Settings to the bot in Mattermost: what it hears, and how it speaks."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from bot.addressing import Addressing, Follow
from bot.chat_side import ChatSide, Hearing, Inbound
from bot.messages import Thread
from bot.outbound.throttle import Pace
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.platforms.mattermost_heard import RedisHeard
    from bot.platforms.mattermost_rest import MattermostRest
    from bot.platforms.mattermost_tokens import ButtonTokens

PLATFORM = "mattermost"
_PACE = Pace(seconds=0.2, burst=10)
"""For one channel; a server that bounds requests at all bounds them to ten a second in all."""


@dataclass(frozen=True, slots=True)
class _Account:
    """The bot account on its server, and what is kept of both."""

    url: str
    token: str
    rest: "MattermostRest"
    tokens: "ButtonTokens"
    heard: "RedisHeard"


@contextmanager
def open_mattermost(settings: Settings, redis_url: str) -> Iterator[ChatSide]:
    """The bot on the server of ``settings``, until the block is left; asks nothing yet."""
    from bot.platforms.mattermost_actions import ACTIONS_PATH
    from bot.platforms.mattermost_channels import MattermostChannels
    from bot.platforms.mattermost_groups import MattermostGroups
    from bot.platforms.mattermost_outlet import MattermostOutlet

    mattermost = settings.mattermost
    with _account(settings, redis_url) as account:
        yield ChatSide(
            PLATFORM,
            "Mattermost",
            mattermost.watch_seconds,
            MattermostOutlet(
                account.rest, account.tokens, f"{mattermost.callback_url}{ACTIONS_PATH}"
            ),
            MattermostChannels(account.rest.get),
            MattermostGroups(account.rest.get),
            partial(_addressing, settings),
            partial(_listening, settings, account),
            _PACE,
        )


@contextmanager
def _account(settings: Settings, redis_url: str) -> Iterator[_Account]:
    from bot.platforms.mattermost_heard import RedisHeard
    from bot.platforms.mattermost_rest import MattermostRest
    from bot.platforms.mattermost_tokens import ButtonTokens

    mattermost = settings.mattermost
    assert mattermost.url is not None
    assert mattermost.token is not None
    token = mattermost.token.get_secret_value()
    rest = MattermostRest(mattermost.url, token, mattermost.ca_file)
    # As long as there is a record of the turn to act on.
    lives = timedelta(days=settings.session_days)
    with (
        closing(ButtonTokens(redis_url, lives)) as tokens,
        closing(RedisHeard(redis_url, mattermost.url)) as heard,
    ):
        yield _Account(mattermost.url, token, rest, tokens, heard)


def _listening(settings: Settings, account: _Account, hearing: Hearing) -> Inbound:
    from bot.platforms.mattermost import MattermostInbound
    from bot.platforms.mattermost_actions import Actions
    from bot.platforms.mattermost_commands import Commands
    from bot.platforms.mattermost_history import MattermostHistory
    from bot.platforms.mattermost_listener import MattermostListener, Watch
    from bot.platforms.mattermost_reach import trusted_by
    from bot.platforms.mattermost_socket import MattermostSocket

    mattermost, get = settings.mattermost, account.rest.get
    tls = trusted_by(mattermost.ca_file) if account.url.startswith("https:") else None
    listener = MattermostListener(
        MattermostSocket(account.url, account.token, tls),
        get,
        MattermostHistory(get, account.heard),
        hearing.receive,
        bots_heard=frozenset(mattermost.bots_heard),
        watch=Watch(every=mattermost.watch_seconds),
        report=hearing.report,
    )
    known = tuple(token.get_secret_value() for token in mattermost.command_tokens)
    commands = Commands(known, listener.ears, hearing.receive, hearing.clock)
    actions = Actions(account.tokens, hearing.receive, hearing.clock)
    return MattermostInbound(listener, (actions.route, commands.route))


def _addressing(settings: Settings, engaged: Callable[[Thread], bool]) -> Addressing:
    """What is meant for us; ``engaged``: whether we take part in a thread."""

    def follow(thread: Thread) -> Follow:
        return settings.mattermost.follow_in.get(thread.channel, settings.mattermost.follow)

    return Addressing(follow, engaged)
