"""A Valkey server that tests end and start again over what it kept."""

import os
from contextlib import closing
from pathlib import Path

import redis

from bot.embedded_redis import EmbeddedRedis
from tests.intake_service import wait_until


class StoreServer:
    """One server, its files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server = EmbeddedRedis(folder)
        self.url = self._server.open()

    def restart(self, number: int) -> None:
        """End it by a signal, and start it again at the same address."""
        pid = int((self._folder / "server.pid").read_text())
        os.kill(pid, number)
        wait_until(lambda: not Path(f"/proc/{pid}").exists())
        again = EmbeddedRedis(self._folder)
        assert again.open() == self.url
        self._server.close()
        self._server = again

    def flush(self) -> None:
        """Have it forget everything."""
        with closing(redis.Redis.from_url(self.url)) as operator:
            operator.flushall()

    def close(self) -> None:
        """End it."""
        self._server.close()
