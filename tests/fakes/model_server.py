"""A stand-in for a model's endpoint, ours: OpenAI's protocol on a port of this machine.

It answers from a script, or replays what a real model once replied; it invents nothing. A request
that was never recorded is answered with an error, so that a changed prompt fails loudly.
"""

import hashlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "stand-in"


class Fault(Enum):
    """How a request goes wrong."""

    BUSY = auto()
    BROKEN = auto()
    NO_KEY = auto()
    ECHOED_KEY = auto()
    """As some do: the key that is not taken is repeated."""
    TOO_LONG = auto()
    WEB_PAGE = auto()
    RESET = auto()
    TORN = auto()
    """The connection is gone in the middle of the body."""
    DRIPPING = auto()
    """A byte now and then, for ever."""
    ENDLESS = auto()
    """Bytes as fast as they are taken, for ever."""
    SILENT = auto()


_SAID = {
    Fault.BUSY: (429, "Too Many Requests"),
    Fault.BROKEN: (500, "CUDA out of memory"),
    Fault.NO_KEY: (401, "invalid api key"),
    Fault.TOO_LONG: (400, "This model's maximum context length is 4096 tokens"),
}


@dataclass(frozen=True, slots=True)
class Said:
    """One reply: its text, how it ended, and the tokens that it is said to have cost."""

    text: str | None
    finish: str = "stop"
    prompt_tokens: int = 100
    completion_tokens: int = 10
    call: tuple[str, str] | None = None
    """A tool call: name and arguments, as text."""


Respond = Callable[[Mapping[str, Any]], Said | None]
"""What to reply to the body of a request; None where there is nothing to replay."""


def fingerprint(body: Mapping[str, Any]) -> str:
    """What a recording is found by: all that a reply depends on but the model's name."""
    asked = {key: body.get(key) for key in ("messages", "response_format", "max_tokens")}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:32]


def in_turn(*texts: str | Said) -> Respond:
    """The given replies one after the other; the last one again and again."""
    waiting = [text if isinstance(text, Said) else Said(text) for text in texts]
    return lambda body: waiting.pop(0) if len(waiting) > 1 else waiting[0]


@dataclass
class ModelServer:
    """Serves until the block of :func:`serving` is left; ``url`` is its base address."""

    respond: Respond
    url: str = ""
    asked: list[Mapping[str, Any]] = field(default_factory=list)
    """The bodies of all requests for a reply, oldest first."""
    keys: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """Fingerprints of the requests for which there was no reply."""
    models: tuple[str, ...] = (MODEL,)
    context: int = 32_768
    faults: list[Fault] = field(default_factory=list)
    """How the next requests go wrong, in order."""
    wait: str = ""
    """Retry-After of a busy server."""
    gone: threading.Event = field(default_factory=threading.Event)

    def reply_to(self, body: Mapping[str, Any]) -> tuple[int, Mapping[str, Any]]:
        """Status and body."""
        self.asked.append(body)
        said = self.respond(body)
        if said is None:
            key = fingerprint(body)
            self.missing.append(key)
            return 500, {"error": {"message": f"nothing was recorded for {key}"}}
        message: dict[str, Any] = {"role": "assistant", "content": said.text}
        if said.call is not None:
            function = {"name": said.call[0], "arguments": said.call[1]}
            message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
        choice = {"index": 0, "message": message, "finish_reason": said.finish}
        tokens = {
            "prompt_tokens": said.prompt_tokens,
            "completion_tokens": said.completion_tokens,
            "total_tokens": said.prompt_tokens + said.completion_tokens,
        }
        whole = {"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": MODEL}
        return 200, {**whole, "choices": [choice], "usage": tokens}


@contextmanager
def serving(respond: Respond) -> Iterator[ModelServer]:
    """A server on a free port, for the length of the block."""
    model = ModelServer(respond)
    server = _Server(model)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    model.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield model
    finally:
        model.gone.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: ModelServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        if self._went_wrong():
            return
        rows = [
            {"id": name, "object": "model", "max_model_len": self.server.model.context}
            for name in self._names()
        ]
        self._send(200, {"object": "list", "data": rows})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.model.keys.append(self.headers.get("Authorization", ""))
        if not self._went_wrong():
            self._send(*self.server.model.reply_to(body))

    def _names(self) -> tuple[str, ...]:
        return self.server.model.models

    def _went_wrong(self) -> bool:
        model = self.server.model
        if not model.faults:
            return False
        fault = model.faults.pop(0)
        match fault:
            case Fault.SILENT:
                model.gone.wait(30)
                self.close_connection = True
            case Fault.RESET:
                self.connection.setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
                )
                self.close_connection = True
            case Fault.ECHOED_KEY:
                told = f"{self.headers.get('Authorization')} is not valid"
                self._send(401, {"error": {"message": told}})
            case Fault.TORN:
                self._begin_body(b'{"choices": [')
                self.connection.shutdown(socket.SHUT_RDWR)
            case Fault.DRIPPING:
                self._begin_body(b"")
                while not model.gone.wait(0.02) and self._went_out(b" "):
                    pass
            case Fault.ENDLESS:
                self._begin_body(b"")
                while not model.gone.is_set() and self._went_out(b" " * 100_000):
                    pass
            case Fault.WEB_PAGE:
                self._send(200, "<!DOCTYPE html><html><body>Please log in</body></html>")
            case _:
                status, text = _SAID[fault]
                self._send(status, {"error": {"message": text}}, model.wait)
        return True

    def _begin_body(self, first: bytes) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "1000000000")
        self.end_headers()
        self.wfile.write(first)

    def _went_out(self, part: bytes) -> bool:
        try:
            self.wfile.write(part)
        except OSError:
            return False
        return True

    def _send(self, status: int, body: Mapping[str, Any] | str, wait: str = "") -> None:
        page = isinstance(body, str)
        content = str(body).encode() if page else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if page else "application/json")
        self.send_header("Content-Length", str(len(content)))
        if wait:
            self.send_header("Retry-After", wait)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nothing is printed during tests."""
