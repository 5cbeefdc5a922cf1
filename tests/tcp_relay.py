"""A relay in front of a server: it can fall silent without hanging up, as a firewall does."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.free_port import free_port


class TcpRelay:
    """Passes bytes both ways; what names the server's port names the relay's in what comes back."""

    def __init__(self, behind: int) -> None:
        """``behind``: the server's port, with as many digits as the relay's."""
        self.port = free_port()
        while len(str(self.port)) != len(str(behind)):
            self.port = free_port()
        self._behind = behind
        self._silenced: set[socket.socket] = set()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        """Let nothing through any more on what is connected now; later connections work."""
        self._silenced |= self._open

    def close(self) -> None:
        """Hang up everywhere."""
        for each in (self._listener, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._behind))
                self._open |= {client, server}
                for ends in ((client, server), (server, client)):
                    threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        theirs, ours = str(self._behind).encode(), str(self.port).encode()
        with suppress(OSError):
            while data := source.recv(65536):
                if source not in self._silenced:
                    target.sendall(data.replace(theirs, ours))
            target.shutdown(socket.SHUT_WR)


@contextmanager
def relay(behind: int) -> Iterator[TcpRelay]:
    """A relay to the server on port ``behind``."""
    made = TcpRelay(behind)
    try:
        yield made
    finally:
        made.close()
