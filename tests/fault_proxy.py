"""Our own proxy in front of a Slack peer: makes faults on purpose, and lints every message.

No peer limits, fails or validates; this does. Faults are taken in their order, one for each
request to their method; "" stands for any.
"""

import http.client
import json
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.block_kit import complaints, raw_markdown

UPLOAD = "upload"
"""Stands for what is no method: the bytes of a file on their way."""
_MESSAGES = {"chat.postMessage", "chat.update", "chat.postEphemeral"}


@dataclass(frozen=True, slots=True)
class Limited:
    """429, and come again after so many seconds; the peer hears nothing of it."""

    seconds: int = 1


@dataclass(frozen=True, slots=True)
class Broken:
    """A server's error, before the peer hears of it or after it has done what was asked."""

    status: int = 503
    done: bool = False


@dataclass(frozen=True, slots=True)
class Dropped:
    """The connection ends without an answer, before or after."""

    done: bool = False


@dataclass(frozen=True, slots=True)
class Slow:
    """The answer comes after so many seconds; what was asked is done at once."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Refused:
    """200 and ``ok: false``."""

    error: str


@dataclass(frozen=True, slots=True)
class Interrupted:
    """``act`` is done, before the peer hears of it or after; then the connection ends."""

    act: Callable[[], None]
    done: bool = False


@dataclass(frozen=True, slots=True)
class Passed:
    """Nothing goes wrong; stands before the faults of later requests."""


Fault = Limited | Broken | Dropped | Slow | Refused | Interrupted | Passed


def any_fault(dice: random.Random) -> Limited | Broken | Dropped:
    """One of those that befall a request now and then."""
    kinds = (Limited(1), Broken(), Broken(done=True), Dropped(), Dropped(done=True))
    return dice.choice(kinds)


@dataclass(frozen=True, slots=True)
class Call:
    """One request as it came in."""

    method: str
    arguments: dict[str, Any]
    at: float
    fault: Fault | None


class FaultProxy:
    """Hands requests on to ``target``, but for the faults; remembers all of them."""

    def __init__(self, target: str) -> None:
        self._target = urlsplit(target).netloc
        self._faults: dict[str, deque[Fault]] = {}
        self._share = 0.0
        self._random = random.Random(0)
        self._state = threading.Lock()
        self.calls: list[Call] = []
        self.complaints: list[str] = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                proxy._serve(self)

            do_GET = do_PUT = do_POST  # noqa: N815 - their names are given

            def log_message(self, *_: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def serve(self) -> None:
        """Serve until :meth:`close`."""
        self._server.serve_forever(poll_interval=0.02)

    def close(self) -> None:
        """Serve no more."""
        self._server.shutdown()
        self._server.server_close()

    def fail(self, method: str, *faults: Fault) -> None:
        """Have the next requests to ``method`` fail, each by one of ``faults``."""
        with self._state:
            self._faults.setdefault(method, deque()).extend(faults)

    def fail_share(self, share: float, seed: int = 0) -> None:
        """Have such a share of all requests fail, by all kinds of faults in turn."""
        with self._state:
            self._share, self._random = share, random.Random(seed)

    def reset(self) -> None:
        """Make no more faults, and forget what came in."""
        with self._state:
            self._faults.clear()
            self._share = 0.0
            self.calls.clear()
            self.complaints.clear()

    def arguments(self, *methods: str) -> list[dict[str, Any]]:
        """What the requests to these methods brought along, in their order."""
        with self._state:
            return [call.arguments for call in self.calls if call.method in methods]

    def _serve(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        path = urlsplit(request.path)
        method, arguments = UPLOAD, {}
        if path.path.startswith("/api/"):
            method = path.path.removeprefix("/api/")
            media_type = request.headers.get("Content-Type", "")
            arguments = _arguments(media_type, body, path.query)
        fault = self._note(method, arguments)
        match fault:
            case Limited(seconds):
                wait = {"Retry-After": str(seconds)}
                _answer(request, 429, b'{"ok":false,"error":"ratelimited"}', wait)
                return
            case Refused(error):
                _answer(request, 200, json.dumps({"ok": False, "error": error}).encode())
                return
            case Broken(status, False):
                _answer(request, status, b"<html>upstream is away</html>", {}, "text/html")
                return
            case Dropped(False):
                request.close_connection = True
                return
            case Interrupted(act, False):
                act()
                request.close_connection = True
                return
            case _:
                pass
        status, answer, media_type = self._asked(request, body)
        match fault:
            case Broken(error_status, True):
                _answer(request, error_status, b"<html>upstream is away</html>", {}, "text/html")
            case Dropped(True):
                request.close_connection = True
            case Interrupted(later, True):
                later()
                request.close_connection = True
            case Slow(wait_seconds):
                time.sleep(wait_seconds)
                _answer(request, status, answer, {}, media_type)
            case _:
                _answer(request, status, answer, {}, media_type)

    def _note(self, method: str, arguments: dict[str, Any]) -> Fault | None:
        with self._state:
            fault = self._next(method)
            self.calls.append(Call(method, arguments, time.monotonic(), fault))
            if method in _MESSAGES:
                self.complaints.extend(complaints(arguments) + raw_markdown(arguments))
        return fault

    def _next(self, method: str) -> Fault | None:
        for name in (method, ""):
            if self._faults.get(name):
                return self._faults[name].popleft()
        if self._random.random() >= self._share:
            return None
        return any_fault(self._random)

    def _asked(self, request: BaseHTTPRequestHandler, body: bytes) -> tuple[int, bytes, str]:
        peer = http.client.HTTPConnection(self._target, timeout=30)
        hop = {"host", "connection", "content-length", "accept-encoding"}
        headers = {k: v for k, v in request.headers.items() if k.lower() not in hop}
        peer.request(request.command or "POST", request.path, body, headers)
        answer = peer.getresponse()
        data = answer.read()
        peer.close()
        # Files are sent to an address that the peer gives; they come by here too.
        port = self._target.rpartition(":")[2]
        mine = self.url.encode()
        for name in (b"localhost", b"127.0.0.1"):
            data = data.replace(b"http://" + name + b":" + port.encode(), mine)
        return answer.status, data, answer.headers.get("Content-Type", "application/json")


def _arguments(media_type: str, body: bytes, query: str) -> dict[str, Any]:
    if media_type.startswith("application/json"):
        given: dict[str, Any] = json.loads(body or b"{}")
        return given
    if media_type.startswith("application/x-www-form-urlencoded"):
        return dict(parse_qsl(body.decode(), keep_blank_values=True))
    return dict(parse_qsl(query))


def _answer(
    request: BaseHTTPRequestHandler,
    status: int,
    body: bytes,
    headers: dict[str, str] | None = None,
    media_type: str = "application/json",
) -> None:
    request.send_response(status)
    for name, value in (headers or {}).items():
        request.send_header(name, value)
    request.send_header("Content-Type", media_type)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    try:
        request.wfile.write(body)
    except OSError:
        request.close_connection = True


@contextmanager
def fault_proxy(target: str) -> Iterator[FaultProxy]:
    """A proxy in front of ``target``."""
    proxy = FaultProxy(target)
    serving = threading.Thread(target=proxy.serve, daemon=True)
    serving.start()
    try:
        yield proxy
    finally:
        proxy.close()
        serving.join()
