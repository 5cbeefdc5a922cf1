"""A stand-in for GraphDB, ours: its REST protocol on a port of this machine, faults included.

It is stricter than the real one (parameters that it does not know are refused), and like it in
what bites: without a dataset, a query sees the merge of all graphs.
"""

import base64
import json
import socket
import struct
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from tests.fakes.rdf4j_protocol import Repositories
from tests.fakes.rdf4j_requests import Reply, Seen

REPOSITORY = Path(__file__).parents[2] / "deploy" / "graphdb" / "repository.ttl"
HTML = b"<!DOCTYPE html><html><body>Please log in</body></html>"


class Fault(Enum):
    """How a request goes wrong."""

    UNAVAILABLE = auto()
    BUSY = auto()
    LATE = auto()
    FORBIDDEN = auto()
    FULL = auto()
    NO_STORAGE = auto()
    BROKEN = auto()
    WEB_PAGE = auto()
    REDIRECT = auto()
    RESET = auto()
    LOST_REPLY = auto()
    """It is done, and the connection breaks before it is said."""
    TRUNCATED = auto()
    CUT_CHUNKS = auto()
    CUT_RESULT = auto()
    """A whole reply over HTTP, of a result that is not whole."""
    SILENT = auto()
    """No reply, for as long as the server is there."""


_SAID = {
    Fault.UNAVAILABLE: Reply(503, b"Service Unavailable"),
    Fault.BUSY: Reply(429, b"Too Many Requests"),
    Fault.LATE: Reply(503, b"Query evaluation took too long"),
    Fault.FORBIDDEN: Reply(403, b"Forbidden"),
    Fault.FULL: Reply(500, b"java.io.IOException: No space left on device"),
    Fault.NO_STORAGE: Reply(507, b"Insufficient Storage"),
    Fault.BROKEN: Reply(500, b"NullPointerException"),
    Fault.WEB_PAGE: Reply(200, HTML, "text/html;charset=UTF-8"),
    Fault.REDIRECT: Reply(302, headers={"Location": "/login?next=secret"}),
}


@dataclass
class _Waiting:
    fault: Fault
    method: str
    times: int


class GraphDBServer:
    """Serves until the block is left; ``url`` is its address."""

    def __init__(self, users: dict[str, str] | None = None) -> None:
        """With ``users`` (passwords by name), nobody else is let in."""
        self._server = _Server(self)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.repositories = Repositories(self.url.removeprefix("http://"))
        self.seen: list[Seen] = []
        self.users = users or {}
        self.tokens: set[str] = set()
        self.gone = threading.Event()
        self._faults: list[_Waiting] = []
        self._lock = threading.Lock()

    def misbehave(self, fault: Fault, method: str = "", times: int = 1000) -> None:
        """Let the next requests (of ``method``, or that begin with it and a path) go wrong."""
        self._faults.append(_Waiting(fault, method, times))

    def behave(self) -> None:
        """Let no further request go wrong."""
        self._faults.clear()

    def requests(self, method: str) -> list[Seen]:
        """What came by ``method`` so far."""
        return [each for each in self.seen if each.method == method]

    def fault_for(self, seen: Seen) -> Fault | None:
        """The next fault that was ordered for such a request."""
        with self._lock:
            for waiting in self._faults:
                if waiting.times and f"{seen.method} {seen.target}".startswith(waiting.method):
                    waiting.times -= 1
                    return waiting.fault
        return None

    def answer(self, seen: Seen) -> Reply:
        """What the service itself says."""
        if seen.method == "POST" and seen.path == ("rest", "login"):
            return self._login(seen)
        if self.users and not self._is_let_in(str(seen.headers.get("Authorization", ""))):
            return Reply(401, b"Unauthorized", headers={"WWW-Authenticate": "Basic"})
        return self.repositories.answer(seen)

    def _login(self, seen: Seen) -> Reply:
        asked = json.loads(seen.body)
        if self.users.get(asked["username"]) != asked["password"]:
            return Reply(401, b"Bad credentials")
        token = f"GDB {uuid.uuid4().hex}"
        self.tokens.add(token)
        told = {"username": asked["username"], "authorities": ["ROLE_USER"], "appSettings": {}}
        body = json.dumps(told | {"external": False}).encode()
        return Reply(200, body, "application/json", {"Authorization": token})

    def _is_let_in(self, header: str) -> bool:
        pairs = (f"{name}:{password}".encode() for name, password in self.users.items())
        basic = {"Basic " + base64.b64encode(pair).decode() for pair in pairs}
        return header in basic | self.tokens

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.gone.set()
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True

    def __init__(self, service: GraphDBServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.service = service

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a connection that breaks is what some tests want."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base names it
        pass

    def handle_one(self) -> None:
        server = self.server
        assert isinstance(server, _Server)
        service = server.service
        seen = Seen(self.command, self.path, self.headers, self._body())
        service.seen.append(seen)
        fault = service.fault_for(seen)
        # A connection for each request, so that none is open when the server ends.
        self.close_connection = True
        match fault:
            case None:
                self._send(service.answer(seen))
            case Fault.SILENT:
                service.gone.wait()
            case Fault.RESET:
                self._break()
            case Fault.LOST_REPLY:
                service.answer(seen)
                self._break()
            case Fault.TRUNCATED:
                reply = service.answer(seen)
                self._send(reply, length=len(reply.body) + 1)
            case Fault.CUT_CHUNKS:
                self._send_cut_chunks(service.answer(seen))
            case Fault.CUT_RESULT:
                reply = service.answer(seen)
                self._send(Reply(reply.status, reply.body[:-3], reply.kind))
            case _:
                self._send(_SAID[fault])

    do_GET = do_POST = do_PUT = do_DELETE = handle_one  # noqa: N815 - the base names them

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "") == "chunked":
            return b"".join(self._chunks())
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _send(self, reply: Reply, length: int | None = None) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.status != 204:
            self.send_header("Content-Length", str(len(reply.body) if length is None else length))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(reply.body)

    def _send_cut_chunks(self, reply: Reply) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%b\r\n" % (len(reply.body), reply.body))

    def _break(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@contextmanager
def graphdb(users: dict[str, str] | None = None) -> Iterator[GraphDBServer]:
    """A server with the repository of deploy/graphdb, made as its README says."""
    with GraphDBServer(users) as server:
        auth = next(iter(server.users.items()), None)
        files = {"config": ("repository.ttl", REPOSITORY.read_text())}
        httpx.post(f"{server.url}/rest/repositories", files=files, auth=auth).raise_for_status()
        server.seen.clear()
        yield server
