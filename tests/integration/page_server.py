"""A page over the canned analyst, for tests that speak HTTP or drive a browser."""

import http.client
import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from agent import Analyst
from bot import service_wiring
from bot.page_settings import PageSettings
from bot.page_wiring import Shown
from bot.settings import Settings, SiteSettings
from bot.trace_wiring import build_tracer
from tests.fakes.canned_analyst import CannedCoordinator
from tests.fakes.recording_platform import NOW

Found = TypeVar("Found")
SITE = SiteSettings(name="M100", time_zone="Europe/Rome")


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Page:
    """A running page, and the coordinator behind it."""

    url: str
    coordinator: CannedCoordinator
    folder: Path
    cookie: str = ""
    """What the browser shows of a log-in."""

    def logged_in(self, token: str) -> "Page":
        """The page in a browser of its own, in which somebody logged in by ``token``."""
        answer = self.call("POST", "/api/login", {"token": token})
        assert answer.status == 200, answer.body
        return replace(self, cookie=answer.headers["set-cookie"].partition(";")[0])

    def call(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """The answer to one request that looks as if the page itself had made it."""
        parts = urlsplit(self.url)
        assert parts.hostname is not None
        own = {"Origin": self.url.rstrip("/"), "Content-Type": "application/json"}
        own |= {"Cookie": self.cookie} if self.cookie else {}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
        try:
            connection.request(
                method, path, data if method == "POST" else None, own | (headers or {})
            )
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, told, answer.read())
        finally:
            connection.close()

    def ask(self, text: str, thread: str | None = None) -> str:
        """Ask and wait for the reply; the thread's id."""
        if thread is None:
            thread = str(self.call("POST", "/api/threads", {"text": text}).json["id"])
        else:
            self.call("POST", f"/api/threads/{thread}/questions", {"text": text})
        self.settled(thread)
        return thread

    def settled(self, thread: str) -> Any:
        """The thread, once nothing is worked on in it."""

        def look() -> Any:
            now = self.call("GET", f"/api/threads/{thread}").json
            return None if now["working"] else now

        return until(look)


def until(look: Callable[[], Found], seconds: float = 20) -> Found:
    """What ``look`` finds, once it finds anything."""
    give_up = time.monotonic() + seconds
    while time.monotonic() < give_up:
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not come")


@contextmanager
def running_page(folder: Path, settings: Settings | None = None) -> Iterator[Page]:
    """A page whose data lie in ``folder``, served as the demo does, until the block is left."""
    coordinator = CannedCoordinator(folder / "answers" / "canned")
    urls: list[str] = []
    shown = Shown("15 June 2022, 10:00 UTC", "Made-up data.", urls.append)
    chosen = settings or Settings(data=folder, page=PageSettings(port=0), site=SITE)
    tracer = build_tracer(chosen)

    def stop(_: str) -> bool:
        coordinator.release.set()
        return True

    analyst = Analyst(coordinator, close=tracer.close, tracer=tracer, stop=stop)
    with (
        service_wiring.open_process(chosen, shown) as process,
        closing(analyst),
        service_wiring.working(process, analyst, lambda: NOW),
        service_wiring.listening(process, NOW) as inbound,
    ):
        inbound.open()
        try:
            yield Page(urls[0], coordinator, folder)
        finally:
            coordinator.release.set()
