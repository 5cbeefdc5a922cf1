"""Mattermost, inbound: a connection that tells of messages, and routes for commands and clicks."""

from collections.abc import Sequence

from starlette.routing import BaseRoute

from bot.platforms.mattermost_listener import MattermostListener


class MattermostInbound:
    """What is said comes by the connection; commands and clicks come to ``routes``."""

    def __init__(self, listener: MattermostListener, routes: Sequence[BaseRoute]) -> None:
        self._listener = listener
        self.routes: Sequence[BaseRoute] = tuple(routes)

    def open(self) -> None:
        """Begin to listen; raises PlatformError where Mattermost refuses us or is not reached."""
        self._listener.open()

    def alive(self) -> bool:
        """Whether the connection is still looked after."""
        return self._listener.alive()

    def close(self) -> None:
        """Hang up; what was not stored by then is read from the channels the next time."""
        self._listener.close()
