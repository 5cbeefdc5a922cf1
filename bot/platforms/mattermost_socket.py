"""The connection by which Mattermost tells what happens: made, resumed, and watched for life."""

import json
import socket
import ssl
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from bot.errors import PlatformError

_PATH = "/api/v4/websocket"
_MOST_BYTES = 16 * 2**20
# What comes while an earlier event is stored; Mattermost itself gives up on us at 256.
_MOST_WAITING = 1024
_KNOWN_BY_HEADER, _ASKED = 1, 2


@dataclass(frozen=True, slots=True)
class Patience:
    """How long one side waits for the other, all in seconds."""

    connecting: float = 15.0
    ping: float = 20.0
    """How often we look whether the other end still answers, and how long it may take for that."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""

    name: str
    data: Mapping[str, Any]
    missed: bool
    """Whether others happened before it that were not told."""


class MattermostSocket:
    """One connection at a time; each goes on where the one before it broke, if the server can.

    Not for several threads, but for :meth:`hang_up`. What goes wrong is a PlatformError, and the
    connection is gone then.
    """

    def __init__(
        self,
        url: str,
        token: str,
        tls: ssl.SSLContext | None = None,
        patience: Patience = Patience(),
    ) -> None:
        """``url``: the server's, with http or https; ``tls``: whom to trust, the system's if None.

        ``token``: of the bot account.
        """
        self._url = "ws" + url.removeprefix("http").rstrip("/") + _PATH
        self._token = token
        self._tls = tls
        self._patience = patience
        self._line: ClientConnection | None = None
        self._early: deque[Event] = deque()
        self._known_as = ""
        self._expected = 0

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Heard and known by the server until the block is left; raises PlatformError."""
        self._early.clear()
        asked = {"connection_id": self._known_as, "sequence_number": self._expected}
        address = f"{self._url}?{urlencode(asked)}" if self._known_as else self._url
        with ExitStack() as until_left:
            with _translated():
                self._line = until_left.enter_context(self._connecting(address))
                # Where something on the way drops the header, the challenge makes us known; where
                # we are known it is passed over in silence: the answer to come is to the ping.
                self._ask(_KNOWN_BY_HEADER, "authentication_challenge", {"token": self._token})
                self._ask(_ASKED, "ping", {})
            self._wait_until_known()
            yield

    def next(self, seconds: float) -> Event | None:
        """What happens within ``seconds``; None where that is nothing. Raises PlatformError."""
        if self._early:
            return self._early.popleft()
        told = self._told(seconds)
        return None if told is None or "event" not in told else self._event(told)

    def forget(self) -> None:
        """Begin anew with the next connection: that one is not to be trusted."""
        self._known_as, self._expected = "", 0

    def hang_up(self) -> None:
        """End the connection, from any thread; harmless where there is none."""
        line = self._line
        if line is not None:
            with suppress(WebSocketException, OSError):
                line.close()

    def _connecting(self, address: str) -> AbstractContextManager[ClientConnection]:
        return connect(
            address,
            ssl=self._trusted(),
            # Mattermost resumes a connection only where it knows at once whose it is.
            additional_headers={"Authorization": f"Bearer {self._token}"},
            open_timeout=self._patience.connecting,
            ping_interval=self._patience.ping,
            ping_timeout=self._patience.ping,
            close_timeout=1,
            max_size=_MOST_BYTES,
            max_queue=_MOST_WAITING,
            create_connection=_Connection,
        )

    def _wait_until_known(self) -> None:
        give_up = time.monotonic() + self._patience.connecting
        while True:
            told = self._told(give_up - time.monotonic())
            if told is None:
                raise PlatformError("Mattermost does not answer on its connection")
            if "event" in told:
                self._early.append(self._event(told))
            elif told.get("seq_reply") == _ASKED:
                return

    def _told(self, seconds: float) -> Mapping[str, Any] | None:
        """What is said within ``seconds``, be it an event or a reply."""
        assert self._line is not None
        with _translated():
            try:
                said = self._line.recv(timeout=max(seconds, 0.0))
            except TimeoutError:
                return None
        told = _read(said)
        if told.get("status") == "FAIL":
            raise PlatformError(f"Mattermost does not let us listen: {_reason(told)}")
        return told

    def _trusted(self) -> ssl.SSLContext | None:
        if not self._url.startswith("wss:"):
            return None
        return self._tls or ssl.create_default_context()

    def _ask(self, number: int, action: str, data: Mapping[str, str]) -> None:
        assert self._line is not None
        self._line.send(json.dumps({"seq": number, "action": action, "data": data}))

    def _event(self, told: Mapping[str, Any]) -> Event:
        name, number, data = str(told["event"]), told.get("seq"), told.get("data") or {}
        missed = False
        if name == "hello":
            self._known_as = str(data.get("connection_id") or "")
        elif isinstance(number, int):
            missed = number > self._expected
        if isinstance(number, int):
            # Not less: what is sent twice does not lead back.
            begun_anew = name == "hello"
            self._expected = number + 1 if begun_anew else max(self._expected, number + 1)
        return Event(name, data, missed)


class _Connection(ClientConnection):
    """One that can be closed while a read of TLS waits for what never comes.

    The library takes a socket that has something to read for one whose read ends at once, and waits
    without a limit for the thread that reads. Behind TLS it may be a session ticket and no more.
    """

    def close_socket(self) -> None:
        """End the TCP connection, which ends any read, and then what the library ends."""
        with suppress(OSError):
            socket.socket.shutdown(self.socket, socket.SHUT_RDWR)
        super().close_socket()


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        text = f"the certificate of Mattermost is not trusted: {error.verify_message}"
        raise PlatformError(text) from error
    except (WebSocketException, OSError) as error:
        text = f"no connection to Mattermost's events: {type(error).__name__}: {error}"
        raise PlatformError(text) from error


def _read(said: str | bytes) -> Mapping[str, Any]:
    try:
        told = json.loads(said)
    except ValueError as error:
        raise PlatformError("Mattermost says what is no JSON") from error
    return told if isinstance(told, Mapping) else {}


def _reason(told: Mapping[str, Any]) -> str:
    error = told.get("error")
    return str(error.get("message") if isinstance(error, Mapping) else "no reason given")
