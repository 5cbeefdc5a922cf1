"""The running service: starts its platforms, stops them in order."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from bot.chat_platform import ChatPlatform
from bot.dispatcher import Dispatcher
from bot.messages import IncomingMessage


@dataclass(frozen=True, slots=True)
class Service:
    """Platforms and the dispatcher that serves them."""

    platforms: tuple[ChatPlatform, ...]
    dispatcher: Dispatcher
    stopping: threading.Event = field(default_factory=threading.Event)
    """Set by whoever wants the service to end."""

    def run(self, started: Callable[[], None] = lambda: None) -> None:
        """Serve until :attr:`stopping` is set; ``started`` is called once all platforms listen.

        Raises PlatformError where a platform cannot be reached.
        """
        try:
            for platform in self.platforms:
                platform.listen(partial(self._receive, platform))
            started()
            # In slices: a wait without end would not notice Ctrl-C everywhere.
            while not self.stopping.wait(0.5):
                pass
        finally:
            self.dispatcher.close()
            for platform in self.platforms:
                platform.close()

    def _receive(self, platform: ChatPlatform, message: IncomingMessage) -> None:
        self.dispatcher.dispatch(message, platform)
