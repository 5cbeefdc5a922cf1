"""A page over the canned analyst, for tests that speak HTTP or drive a browser."""

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agent import Analyst
from bot import service_wiring
from bot.page_settings import PageSettings
from bot.page_wiring import Shown
from bot.settings import Settings, SiteSettings
from tests.fakes.canned_analyst import CannedCoordinator
from tests.fakes.recording_platform import NOW

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

    def call(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """The answer to one request that looks as if the page itself had made it."""
        parts = urlsplit(self.url)
        assert parts.hostname is not None
        own = {"Origin": self.url.rstrip("/"), "Content-Type": "application/json"}
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
        give_up = time.monotonic() + 10
        while time.monotonic() < give_up:
            now = self.call("GET", f"/api/threads/{thread}").json
            if not now["working"]:
                return now
            time.sleep(0.01)
        raise AssertionError("no reply came")


@contextmanager
def running_page(folder: Path, settings: Settings | None = None) -> Iterator[Page]:
    """A page whose data lie in ``folder``, served as the demo does, until the block is left."""
    coordinator = CannedCoordinator(folder / "answers" / "canned")
    urls: list[str] = []
    shown = Shown("15 June 2022, 10:00 UTC", "Made-up data.", urls.append)
    chosen = settings or Settings(data=folder, page=PageSettings(port=0), site=SITE)
    with (
        service_wiring.open_process(chosen, shown) as process,
        service_wiring.working(process, Analyst(coordinator), lambda: NOW),
        service_wiring.listening(process, NOW) as inbound,
    ):
        inbound.open()
        try:
            yield Page(urls[0], coordinator, folder)
        finally:
            coordinator.release.set()
