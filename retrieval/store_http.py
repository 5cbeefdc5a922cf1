"""Requests to a remote graph store: credentials, time-outs, and what may be tried again."""

import base64
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from http.client import HTTPResponse
from typing import IO

import httpx
from pydantic import SecretStr

from retrieval.errors import GraphStoreError, GraphStoreUnavailable, QueryTimedOut
from retrieval.settings import GraphStoreSettings
from retrieval.store_failures import COME_AGAIN, NOT_FOUND, UNAUTHORIZED, Answer, failure_in

_REPEATABLE = frozenset({"GET", "PUT", "DELETE"})
_FIRST_PAUSE = 0.2
_CHUNK = 1 << 16


class ConnectionLost(GraphStoreUnavailable):
    """No whole answer came; ``sent`` says whether the request may have arrived all the same."""

    def __init__(self, address: str, cause: object, *, sent: bool = True) -> None:
        told = str(cause) or type(cause).__name__
        super().__init__(
            f"the graph store at {address} cannot be reached ({told}): is it running, and is the"
            " address right?"
        )
        self.sent = sent


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a store is waited for, and how often."""

    connect_seconds: float = 5.0
    transfer_seconds: float = 300.0
    retries: int = 3
    pause: Callable[[float], None] = time.sleep
    """Called with the seconds between two tries."""

    def before_try(self, number: int) -> None:
        """Wait before try ``number``, each time longer; the first is not waited for."""
        if number:
            self.pause(_FIRST_PAUSE * 2 ** (number - 1))


@dataclass(frozen=True, slots=True)
class Login:
    """Who we are at a store."""

    user: str = ""
    password: SecretStr | None = None
    token_url: str = ""
    """Where the password is exchanged for a token; empty: it goes with each request."""


class StoreHttp:
    """Sends requests as one user; safe to use from several threads."""

    def __init__(self, login: Login, patience: Patience) -> None:
        self._login = login
        self._patience = patience
        # The certificates that the system trusts, as for the requests of SPARQLWrapper.
        self._trust = ssl.create_default_context()
        self._token = ""
        self._lock = threading.Lock()

    @classmethod
    def of(cls, settings: GraphStoreSettings) -> "StoreHttp":
        """One as ``settings`` have it."""
        token_url = f"{settings.url}/rest/login" if settings.authentication == "token" else ""
        return cls(
            Login(settings.user, settings.password, token_url),
            Patience(settings.connect_seconds, settings.transfer_seconds, settings.retries),
        )

    def send(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: bytes | IO[bytes] | None = None,
        missing_is_empty: bool = False,
    ) -> bytes:
        """The body of the answer to a request that succeeded.

        With ``missing_is_empty``, status 404 gives an empty body. Raises GraphStoreUnavailable,
        GraphStoreError and QueryTimedOut.
        """

        def once() -> Answer:
            answer = self._sent(method, url, params, headers or {}, body)
            if missing_is_empty and answer.status == NOT_FOUND and not answer.is_web_page:
                return Answer(200, "", b"")
            return answer

        return self.tried(once, url, repeatable=method in _REPEATABLE).body

    def tried(self, once: Callable[[], Answer], address: str, *, repeatable: bool) -> Answer:
        """The answer that ``once`` gives, tried again where that is safe.

        Safe is what may be repeated, when the connection was lost or the store asks to come
        again; and anything that was never sent. Raises the GraphStoreError that stands for the
        last answer.
        """
        number, renewed = 0, False
        while True:
            self._patience.before_try(number)
            last = number >= self._patience.retries
            try:
                answer = once()
            except ConnectionLost as lost:
                if last or (lost.sent and not repeatable):
                    raise
            else:
                if answer.status == UNAUTHORIZED and not renewed and self._forget_token():
                    renewed = True
                    continue
                failure = failure_in(answer, address)
                if failure is None:
                    return answer
                again = answer.status in COME_AGAIN and isinstance(failure, GraphStoreUnavailable)
                if last or not again or not repeatable:
                    raise failure
            number += 1

    def authorization(self) -> str:
        """The value of the header of that name; empty where the store asks for none.

        Raises GraphStoreError where a token is refused.
        """
        if self._login.password is None:
            return ""
        if not self._login.token_url:
            pair = f"{self._login.user}:{self._login.password.get_secret_value()}"
            return "Basic " + base64.b64encode(pair.encode()).decode()
        with self._lock:
            if not self._token:
                self._token = self._new_token(self._login.password.get_secret_value())
            return self._token

    def _forget_token(self) -> bool:
        with self._lock:
            had, self._token = bool(self._token), ""
            return had

    def _sent(
        self,
        method: str,
        url: str,
        params: Mapping[str, str] | None,
        headers: Mapping[str, str],
        body: bytes | IO[bytes] | None,
    ) -> Answer:
        authorization = self.authorization()
        sent = dict(headers) | ({"Authorization": authorization} if authorization else {})
        content: bytes | Iterator[bytes] | None = None
        if isinstance(body, bytes):
            content = body
        elif body is not None:
            sent["Content-Length"] = str(body.seek(0, 2))
            body.seek(0)
            content = iter(partial(body.read, _CHUNK), b"")
        return self._answer(
            lambda client: client.request(
                method, url, params=params, headers=sent, content=content
            ),
            url,
        )[0]

    def _new_token(self, secret: str) -> str:
        url, asked = self._login.token_url, {"username": self._login.user, "password": secret}
        answer, header = self._answer(lambda client: client.post(url, json=asked), url)
        failure = failure_in(answer, url)
        if failure is not None:
            raise failure
        if not header.startswith("GDB "):
            raise GraphStoreError(f"the graph store at {url} gave no token: is it GraphDB?")
        return header

    def _answer(
        self, send: Callable[[httpx.Client], httpx.Response], url: str
    ) -> tuple[Answer, str]:
        """What came back, and its header with a token."""
        patience = self._patience
        wait = httpx.Timeout(patience.transfer_seconds, connect=patience.connect_seconds)
        try:
            # A client for each request: none is left open, and no stale connection taken up.
            with httpx.Client(verify=self._trust, timeout=wait, follow_redirects=False) as client:
                reply = send(client)
        except httpx.TimeoutException as error:
            raise GraphStoreUnavailable(
                f"the graph store at {url} does not answer in time: is it overloaded?"
            ) from error
        except httpx.HTTPError as error:
            sent = not isinstance(error, httpx.ConnectError)
            raise ConnectionLost(url, error, sent=sent) from error
        kind, place = reply.headers.get("Content-Type", ""), reply.headers.get("Location", "")
        token = str(reply.headers.get("Authorization", ""))
        return Answer(reply.status_code, kind, reply.content, place), token


def whole_body(response: HTTPResponse, at: str, end: float) -> bytes:
    """All of the body; raises ConnectionLost where it ends too early, QueryTimedOut at ``end``."""
    body = bytearray()
    while chunk := response.read1(_CHUNK):
        body += chunk
        if time.monotonic() >= end:
            raise QueryTimedOut(f"the graph store at {at} was still sending when time was up")
    length = response.headers.get("Content-Length")
    if length is not None and int(length) != len(body):
        raise ConnectionLost(at, f"{len(body)} of {length} bytes came")
    return bytes(body)
