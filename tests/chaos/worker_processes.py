"""Worker processes that tests kill, over a Valkey server that tests kill too."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis

from tests.chaos.store_server import StoreServer
from tests.intake_service import Service, open_service, wait_until, work_until_told

# One process imports everything, and each worker is a copy of it.
_COPIES = multiprocessing.get_context("forkserver")
_COPIES.set_forkserver_preload(["tests.intake_service"])


@dataclass
class WorkerProcess:
    """One worker, and what it has reached."""

    url: str
    process: Any
    stop_at: str

    @property
    def pid(self) -> int:
        return int(self.process.pid)

    def wait_until_held(self) -> None:
        """Return once it stands still at its stage."""
        with closing(redis.Redis.from_url(self.url)) as asked:
            wait_until(lambda: asked.get(f"held:{self.stop_at}") is not None)

    def let_go(self) -> None:
        """Have it go on from where it stands still."""
        with closing(redis.Redis.from_url(self.url)) as told:
            told.set(f"let go:{self.stop_at}", 1)

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send it a signal; after SIGKILL nothing of it runs on."""
        if self.process.is_alive():
            os.kill(self.pid, number)
        if number == signal.SIGKILL:
            self.process.join(10)

    def wait(self, seconds: float = 20.0) -> None:
        """Return once it has ended."""
        self.process.join(seconds)
        assert not self.process.is_alive()


@dataclass
class Site:
    """A service of several processes over one server."""

    server: StoreServer
    workers: list[WorkerProcess] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Of the server."""
        return self.server.url

    def start(
        self, stop_at: str = "", lease_seconds: float = 1.0, grace: float = 5.0
    ) -> WorkerProcess:
        """One more worker, which stands still at a stage where one is named."""
        process = _COPIES.Process(
            target=work_until_told, args=(self.url, stop_at, lease_seconds, grace), daemon=True
        )
        process.start()
        self.workers.append(WorkerProcess(self.url, process, stop_at))
        return self.workers[-1]

    def clear(self) -> None:
        """Kill every worker and forget everything."""
        for worker in self.workers:
            worker.kill()
        self.workers.clear()
        self.server.flush()


@contextmanager
def open_site(folder: Path) -> Iterator[Site]:
    """A site without workers."""
    site = Site(StoreServer(folder))
    try:
        yield site
    finally:
        site.clear()
        site.server.close()


@contextmanager
def door_of(site: Site) -> Iterator[Service]:
    """The process that hears what people write: this one."""
    with open_service(site.url) as service:
        yield service
