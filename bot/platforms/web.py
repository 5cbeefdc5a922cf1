"""ChatPlatform over a small web page on this machine."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from bot.chat_platform import Receive
from bot.errors import ListenError, PlatformError
from bot.http_server import HttpServer, url_of
from bot.messages import IncomingMessage, Reply, Thread
from bot.platforms.page_app import PageApp
from bot.platforms.page_archive import PageArchive
from bot.platforms.page_files import PageFiles
from bot.platforms.page_site import PageSite
from bot.platforms.page_threads import PageThreads


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
        self._server: HttpServer | None = None

    @property
    def url(self) -> str:
        """The address for a browser, once the platform listens."""
        return url_of(self._host, self._port)

    def listen(self, receive: Receive) -> None:
        """Serve the page in a thread of its own; raises PlatformError where the port is taken."""
        try:
            server = self._server = HttpServer(self._host, self._port)
            self._port = server.port
        except ListenError as error:
            raise PlatformError(
                f"the page is not served: {error}; --port takes another one, 0 any free one"
            ) from error

        def ask(root: str, text: str) -> None:
            thread = Thread("web", "page", root)
            receive(IncomingMessage(thread, uuid4().hex, "page", text, self._clock(), True))

        app = PageApp(self._threads, self._files, self._site, ask)
        server.serve(app.application(self._hosts()), "page")

    def send(self, reply: Reply) -> None:
        """Add ``reply`` to its thread; raises PlatformError where that was forgotten."""
        if not self._threads.reply(reply.thread.root, reply):
            raise PlatformError("the page no longer knows this thread")

    def show_working(self, thread: Thread, note: str) -> None:
        """Show ``note`` below the question that waits."""
        self._threads.note(thread.root, note)

    def close(self) -> None:
        """Stop serving."""
        if self._server is not None:
            self._server.close()

    def _hosts(self) -> frozenset[str]:
        names = {"localhost", "127.0.0.1", "[::1]"}
        names.add(f"[{self._host}]" if ":" in self._host else self._host.lower())
        ours = {f"{name}:{self._port}" for name in names}
        # A browser leaves the usual port out.
        return frozenset(ours | (names if self._port == 80 else set()))
