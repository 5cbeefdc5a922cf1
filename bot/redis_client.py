"""What every store over Redis needs of its client: one prefix for keys, and errors of our own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import redis

_PREFIX = "odabot:1"


class RedisClient:
    """A connection to one Redis server; what goes wrong there is raised as ``raising``."""

    def __init__(self, url: str, raising: type[Exception], called: str) -> None:
        """``called``: what is kept there, as a message names it ("the session store")."""
        self._client = redis.Redis.from_url(url, socket_timeout=10, socket_connect_timeout=5)
        self._raising = raising
        self._called = called

    @property
    def bare(self) -> Any:
        """The library's own client, for another library that works with one."""
        return self._client

    def ping(self) -> None:
        """Return where the server answers."""
        with self.translated():
            self._client.ping()

    def get(self, key: str) -> bytes | None:
        """The value of ``key``; None where there is none."""
        with self.translated():
            data: Any = self._client.get(key)
        return None if data is None else bytes(data)

    def set(self, key: str, value: bytes | str, lives: timedelta, *, new: bool = False) -> bool:
        """Keep ``value`` for so long; with ``new`` only where the key has none, else False."""
        with self.translated():
            return bool(self._client.set(key, value, nx=new, px=milliseconds(lives)))

    def run(self, script: str, keys: Sequence[str], values: Sequence[str | bytes | int]) -> bool:
        """Run a Lua script as one step; whether it gave anything but 0."""
        with self.translated():
            return bool(self._client.eval(script, len(keys), *keys, *values))

    def ask(self, script: str, keys: Sequence[str], values: Sequence[str | bytes | int]) -> Any:
        """What a Lua script gives, run as one step; texts as bytes."""
        with self.translated():
            return self._client.eval(script, len(keys), *keys, *values)

    def delete(self, key: str) -> None:
        """Forget ``key``; harmless where it is unknown."""
        with self.translated():
            self._client.delete(key)

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Raise what goes wrong with the server in the block as an error of ours."""
        try:
            yield
        except redis.RedisError as error:
            raise self._raising(f"{self._called} does not answer: {error}") from error


def key_of(kind: str, name: str) -> str:
    """The key of one thing of ``kind``; every key of ours begins alike."""
    return key_named(f"{kind}:{name}")


def key_named(name: str) -> str:
    """The key of what is called by its kind and name together, as in ``turn:0123``."""
    return f"{_PREFIX}:{name}"


def milliseconds(span: timedelta) -> int:
    """``span`` in whole milliseconds, at least one."""
    return max(1, int(span.total_seconds() * 1000))
