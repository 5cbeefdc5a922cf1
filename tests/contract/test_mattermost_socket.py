"""The connection to Mattermost's events is given up in time, whatever the other end does."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bot.errors import PlatformError
from bot.platforms.mattermost_socket import MattermostSocket, Patience
from tests.mattermost_stub.certificates import self_signed

SOON = Patience(connecting=1.0, ping=1.0)
WAITED = 30.0


@pytest.fixture
def mute(tmp_path: Path) -> Iterator[tuple[str, ssl.SSLContext]]:
    """A server that makes TLS connections and says nothing on them, with who vouches for it."""
    context, authority = self_signed(tmp_path)
    kept: list[socket.socket] = []

    def accept(listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connected, _ = listening.accept()
                kept.append(context.wrap_socket(connected, server_side=True))

    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        accepting = threading.Thread(target=accept, args=(listening,), daemon=True)
        accepting.start()
        trusted = ssl.create_default_context(cafile=authority)
        yield f"https://localhost:{listening.getsockname()[1]}", trusted
        listening.shutdown(socket.SHUT_RDWR)
        accepting.join(WAITED)
    for each in kept:
        each.close()


def test_a_server_that_says_nothing_behind_its_tls_is_given_up(
    mute: tuple[str, ssl.SSLContext],
) -> None:
    told: list[PlatformError] = []

    def connect() -> None:
        with (
            pytest.raises(PlatformError) as caught,
            MattermostSocket(url, "t", tls, SOON).connected(),
        ):
            pass
        told.append(caught.value)

    url, tls = mute
    # In a thread of its own: what waits for ever would else end the tests, and not this one.
    connecting = threading.Thread(target=connect, daemon=True)
    connecting.start()
    connecting.join(WAITED)

    assert not connecting.is_alive()
    assert "no connection to Mattermost's events" in str(told[0])
