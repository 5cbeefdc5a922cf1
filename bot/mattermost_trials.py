"""What ``odabot check`` tries out of Mattermost, with what the settings say."""

from functools import partial

from bot.platforms.mattermost_actions import ACTIONS_PATH
from bot.platforms.mattermost_callback import try_callback
from bot.platforms.mattermost_check import MattermostCheck
from bot.platforms.mattermost_reach import trusted_by, try_reach
from bot.platforms.mattermost_rest import MattermostRest
from bot.platforms.mattermost_socket import MattermostSocket
from bot.settings import Settings

_SECONDS = 40.0
"""Mattermost waits 30 seconds for us before it says that a button failed."""


class MattermostTrials:
    """Trials that share what was found out of the server; each raises PlatformError."""

    def __init__(self, settings: Settings) -> None:
        """``settings``: with a server of Mattermost."""
        mattermost = settings.mattermost
        assert mattermost.url is not None
        assert mattermost.token is not None
        token = mattermost.token.get_secret_value()
        self._settings = settings
        self._rest = MattermostRest(mattermost.url, token, mattermost.ca_file, _SECONDS)
        self._check = MattermostCheck(
            self._rest,
            partial(try_reach, mattermost.url, mattermost.ca_file),
            partial(self._hear, mattermost.url, token),
        )

    def account(self) -> str:
        """The server, our account, and whether we are told of events."""
        return self._check.account()

    def setup(self) -> str:
        """The settings of the server, as far as they show."""
        mattermost = self._settings.mattermost
        return self._check.setup(len(mattermost.command_tokens), mattermost.follow_in)

    def whispers(self) -> str:
        """Whether we may show a message to one person alone."""
        return self._check.whispers()

    def callback(self) -> str:
        """Whether Mattermost reaches us."""
        me, http = self._check.known.id, self._settings.http
        url = f"{self._settings.mattermost.callback_url}{ACTIONS_PATH}"
        return try_callback(self._rest, me, url, http.host, http.port)

    def _hear(self, url: str, token: str) -> None:
        ca_file = self._settings.mattermost.ca_file
        tls = trusted_by(ca_file) if url.startswith("https:") else None
        with MattermostSocket(url, token, tls).connected():
            return
