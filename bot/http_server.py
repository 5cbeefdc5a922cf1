"""Serves an ASGI application in a thread of its own; the one module that knows uvicorn."""

import socket
import threading

import uvicorn
from starlette.types import ASGIApp

from bot.errors import ListenError

_STOP_SECONDS = 10.0
# What stands for every address of the machine is none that a client can open.
_EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not listened on


class HttpServer:
    """One address, and what is served there from :meth:`serve` to :meth:`close`."""

    def __init__(self, host: str, port: int, most_at_once: int = 200) -> None:
        """Listen on ``host`` at once, on a free port where it is 0; raises ListenError.

        More requests than ``most_at_once`` are told to come back later (503).
        """
        self._host = host
        self._most = most_at_once
        self._listener = _listening_on(host, port)
        self.port: int = self._listener.getsockname()[1]
        self._server: uvicorn.Server | None = None
        self._serving: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The address for a client on this machine."""
        return url_of(self._host, self.port)

    def serve(self, application: ASGIApp, name: str = "http") -> threading.Thread:
        """Serve ``application`` in the thread that is returned, which is called ``name``."""
        config = uvicorn.Config(
            application,
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            loop="asyncio",
            http="h11",
            ws="none",
            limit_concurrency=self._most,
            timeout_graceful_shutdown=2,
        )
        server = self._server = uvicorn.Server(config)
        serving = self._serving = threading.Thread(
            target=lambda: server.run(sockets=[self._listener]), name=name, daemon=True
        )
        serving.start()
        return serving

    def close(self) -> None:
        """Let what was begun come to its end, and stop."""
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            self._serving.join(_STOP_SECONDS)
            self._server = None
        self._listener.close()


def url_of(host: str, port: int) -> str:
    """What a client opens where ``port`` of ``host`` is served."""
    shown = f"[{host}]" if ":" in host else host
    if host in _EVERYWHERE:
        shown = "localhost"
    return f"http://{shown}:{port}/"


def _listening_on(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise ListenError(f"nothing can listen on {host} port {port} ({error.strerror})") from error
    return listener
