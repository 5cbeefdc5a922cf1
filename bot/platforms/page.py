"""The page, inbound: served at an address of its own."""

import logging
import threading
from collections.abc import Callable

from starlette.routing import BaseRoute

from bot.errors import ListenError, PlatformError
from bot.http_server import HttpServer, url_of
from bot.platforms.page_app import PageApp

log = logging.getLogger(__name__)


class ServedPage:
    """Inbound over a page; browsers come to it, at an address of its own."""

    routes: tuple[BaseRoute, ...] = ()

    def __init__(
        self,
        app: PageApp,
        host: str,
        port: int,
        beyond: str | None = None,
        every: float = 60.0,
        report: Callable[[str], None] = lambda trouble: None,
        opened: Callable[[str], None] = lambda url: None,
    ) -> None:
        """``beyond``: the address under which a proxy passes it on.

        ``report`` is told every so many seconds what is wrong; nothing where all is well.
        ``opened`` is told the address for a browser.
        """
        self._app = app
        self._host = host
        self._port = port
        self._beyond = beyond
        self._every = every
        self._report = report
        self._opened = opened
        self._server: HttpServer | None = None
        self._threads: tuple[threading.Thread, ...] = ()
        self._ending = threading.Event()

    def open(self) -> None:
        """Serve the page in a thread of its own; raises PlatformError where the port is taken."""
        try:
            server = self._server = HttpServer(self._host, self._port)
            self._port = server.port
        except ListenError as error:
            raise PlatformError(
                f"the page is not served: {error}; ODABOT_PAGE__PORT, or --port of odabot demo,"
                " takes another one, 0 any free one"
            ) from error
        serving = server.serve(self._app.application(self._origins()), "page")
        self._report("")
        looking = threading.Thread(
            target=self._look, args=(serving,), name="page-watch", daemon=True
        )
        looking.start()
        self._threads = (serving, looking)
        self._opened(url_of(self._host, self._port))

    def alive(self) -> bool:
        """Whether the page is served, and looked after."""
        return all(thread.is_alive() for thread in self._threads)

    def close(self) -> None:
        """Stop serving."""
        self._ending.set()
        if self._server is not None:
            self._server.close()

    def _look(self, serving: threading.Thread) -> None:
        while not self._ending.wait(self._every):
            self._report("" if serving.is_alive() else "the page is no longer served")

    def _origins(self) -> frozenset[str]:
        names = {"localhost", "127.0.0.1", "[::1]"}
        names.add(f"[{self._host}]" if ":" in self._host else self._host.lower())
        ours = {f"http://{name}:{self._port}" for name in names}
        # A browser leaves the usual port out.
        ours |= {f"http://{name}" for name in names} if self._port == 80 else set()
        return frozenset(ours | ({self._beyond} if self._beyond else set()))
