"""The platforms of a service as one: one that is away keeps nobody from being heard on another."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from starlette.routing import BaseRoute

from bot.chat_side import Inbound
from bot.errors import PlatformError

log = logging.getLogger(__name__)


class EachInbound:
    """Inbound sides by the names of their platforms, opened and closed together."""

    def __init__(
        self,
        inbounds: Mapping[str, Inbound],
        away: Callable[[str, str], None],
        opened: Callable[[str, Inbound], None],
        every: float = 60.0,
    ) -> None:
        """``away`` is told which platform could not be opened, and why; ``opened``, which is open.

        ``every``: how often one that is away is tried again, in seconds.
        """
        self._inbounds = inbounds
        self._away = away
        self._opened = opened
        self._every = every
        self._ending = threading.Event()
        self._trying: threading.Thread | None = None
        self.routes: Sequence[BaseRoute] = tuple(
            route for inbound in inbounds.values() for route in inbound.routes
        )

    def open(self) -> None:
        """Open all; those that fail are tried again while others are heard.

        Raises PlatformError where none can be opened: then somebody has to look.
        """
        failed = {
            name: error
            for name, inbound in self._inbounds.items()
            if (error := self._try(name, inbound)) is not None
        }
        if len(failed) == len(self._inbounds):
            raise PlatformError("; ".join(str(error) for error in failed.values()))
        if failed:
            self._trying = threading.Thread(
                target=self._try_again, args=(list(failed),), name="platforms-away", daemon=True
            )
            self._trying.start()

    def close(self) -> None:
        """Stop listening, and store what was heard."""
        self._ending.set()
        if self._trying is not None:
            self._trying.join()
        with ExitStack() as closing:
            for inbound in self._inbounds.values():
                closing.callback(inbound.close)

    def _try(self, name: str, inbound: Inbound) -> PlatformError | None:
        try:
            inbound.open()
        except PlatformError as error:
            self._away(name, str(error))
            log.warning("%s", error, extra={"action": "platform_away", "platform": name})
            return error
        self._opened(name, inbound)
        return None

    def _try_again(self, names: Sequence[str]) -> None:
        while names and not self._ending.wait(self._every):
            names = [name for name in names if self._try(name, self._inbounds[name])]
