"""ChatPlatform over a small web page on this machine."""

import logging
import socket
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from uuid import uuid4

import uvicorn

from bot.chat_platform import Receive
from bot.errors import PlatformError
from bot.messages import IncomingMessage, Reply, Thread
from bot.platforms.page_app import PageApp
from bot.platforms.page_archive import PageArchive
from bot.platforms.page_files import PageFiles
from bot.platforms.page_site import PageSite
from bot.platforms.page_threads import PageThreads

log = logging.getLogger(__name__)

_START_SECONDS = 10.0
# What stands for every address of the machine is none that a browser can open.
_EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not listened on


class WebPlatform:
    """ChatPlatform over a page; every browser that reaches it sees the same threads."""

    def __init__(
        self,
        *,
        host: str,
        port: int,
        site: PageSite,
        answers: Path,
        threads: Path,
        clock: Callable[[], datetime],
    ) -> None:
        """``answers``: the only folder of which files are handed out.

        ``threads``: where what was said is kept.
        """
        self._host = host
        self._port = port
        self._site = site
        self._files = PageFiles(answers)
        self._clock = clock
        self._threads = PageThreads(clock, PageArchive(threads))
        self._server: uvicorn.Server | None = None
        self._serving: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The address for a browser, once the platform listens."""
        shown = f"[{self._host}]" if ":" in self._host else self._host
        if self._host in _EVERYWHERE:
            shown = "localhost"
        return f"http://{shown}:{self._port}/"

    def listen(self, receive: Receive) -> None:
        """Serve the page in a thread of its own; raises PlatformError where the port is taken."""
        listener = self._bound()
        self._port = listener.getsockname()[1]

        def ask(root: str, text: str) -> None:
            thread = Thread("web", "page", root)
            receive(IncomingMessage(thread, uuid4().hex, "page", text, self._clock(), True))

        app = PageApp(self._threads, self._files, self._site, ask)
        config = uvicorn.Config(
            app.application(self._hosts()),
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            loop="asyncio",
            http="h11",
            ws="none",
            limit_concurrency=200,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        self._serving = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listener]}, daemon=True
        )
        self._serving.start()

    def send(self, reply: Reply) -> None:
        """Add ``reply`` to its thread; raises PlatformError where that was forgotten."""
        if not self._threads.reply(reply.thread.root, reply):
            raise PlatformError("the page no longer knows this thread")

    def show_working(self, thread: Thread, note: str) -> None:
        """Show ``note`` below the question that waits."""
        self._threads.note(thread.root, note)

    def close(self) -> None:
        """Stop serving."""
        if self._server is None or self._serving is None:
            return
        self._server.should_exit = True
        self._serving.join(_START_SECONDS)
        self._server = None

    def _bound(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((self._host, self._port))
            listener.listen(128)
        except OSError as error:
            listener.close()
            raise PlatformError(
                f"the page cannot listen on {self._host} port {self._port} ({error.strerror}); "
                "--port takes another one, 0 any free one"
            ) from error
        return listener

    def _hosts(self) -> frozenset[str]:
        names = {"localhost", "127.0.0.1", "[::1]"}
        names.add(f"[{self._host}]" if ":" in self._host else self._host.lower())
        ours = {f"{name}:{self._port}" for name in names}
        # A browser leaves the usual port out.
        return frozenset(ours | (names if self._port == 80 else set()))
