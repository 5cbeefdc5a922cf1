"""Langfuse's side of the wire: takes traces as OTLP and scores, and names the project of keys."""

import base64
import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

_TRACES = "/api/public/otel/v1/traces"
_SCORES = "/api/public/scores"


@dataclass(frozen=True)
class Received:
    """One observation, as it came over the wire."""

    trace: str
    span: str
    parent: str
    """Empty for a root."""
    name: str
    start: int
    end: int
    """Both in nanoseconds since 1970."""
    attributes: dict[str, Any]
    service: str

    def attribute(self, name: str) -> Any:
        """What ``langfuse.observation.NAME`` holds, read as JSON where it is; None without it."""
        value = self.attributes.get(f"langfuse.observation.{name}")
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError:
            return value


@dataclass
class LangfuseServer:
    """What was received so far; ``released`` unset, it takes requests and does not answer."""

    url: str = ""
    public_key: str = field(default_factory=lambda: f"pk-lf-{uuid4()}")
    """Another one each time: a process has one connection for each."""
    secret_key: str = field(default_factory=lambda: f"sk-lf-{uuid4()}")
    received: list[Received] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    scores: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By their ids: one that comes again takes the place of the one before."""
    status: int = 200
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def authorization(self) -> str:
        """The header that lets pass."""
        keys = f"{self.public_key}:{self.secret_key}".encode()
        return f"Basic {base64.b64encode(keys).decode()}"

    def of(self, trace: str) -> list[Received]:
        """The observations of one trace, in the order in which they began."""
        return sorted((r for r in self.received if r.trace == trace), key=lambda r: r.start)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    kept: LangfuseServer

    def do_GET(self) -> None:
        if self.headers.get("Authorization") != self.kept.authorization:
            self._answer(401, b'{"message": "Invalid credentials"}')
        elif self.path == "/api/public/projects":
            self._answer(200, json.dumps({"data": [{"id": "1", "name": "ops"}]}).encode())
        else:
            self._answer(404, b"")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.kept.headers.append({name.lower(): value for name, value in self.headers.items()})
        self.kept.released.wait(30)
        allowed = self.headers.get("Authorization") == self.kept.authorization
        if self.path == _SCORES and allowed and self.kept.status == 200:
            score = json.loads(body)
            self.kept.scores[score["id"]] = score
            self._answer(200, json.dumps({"id": score["id"]}).encode())
            return
        if self.path != _TRACES or self.kept.status != 200 or not allowed:
            self._answer(self.kept.status if allowed else 401, b"")
            return
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.kept.bodies.append(body)
        self.kept.received += _spans(body)
        self._answer(200, ExportTraceServiceResponse().SerializeToString())

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Tests are quiet."""


def _spans(body: bytes) -> Iterator[Received]:
    for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        about = {a.key: a.value.string_value for a in resource.resource.attributes}
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield Received(
                    span.trace_id.hex(),
                    span.span_id.hex(),
                    span.parent_span_id.hex(),
                    span.name,
                    span.start_time_unix_nano,
                    span.end_time_unix_nano,
                    {a.key: _value(a.value) for a in span.attributes},
                    about.get("service.name", ""),
                )


def _value(value: Any) -> Any:
    return getattr(value, value.WhichOneof("value"))


@contextmanager
def receiving(*, answering: bool = True) -> Iterator[LangfuseServer]:
    """A server on this machine until the block is left."""
    kept = LangfuseServer()
    if answering:
        kept.released.set()
    handler = type("Handler", (_Handler,), {"kept": kept})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    kept.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield kept
    finally:
        kept.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
