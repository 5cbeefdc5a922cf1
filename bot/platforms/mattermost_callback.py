"""Whether Mattermost reaches us where buttons point to: by a button that nobody else sees."""

import ipaddress
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event
from typing import Any, Protocol
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from bot.errors import ListenError, PlatformError, PostRefused
from bot.http_server import HttpServer

log = logging.getLogger(__name__)

_ACTION = "check"


class Rest(Protocol):
    """The server's REST API; raises PlatformError, PostRefused where it refuses.

    It has to wait longer than Mattermost waits for us: 30 seconds.
    """

    def post(self, path: str, body: object) -> Any:
        """Have it make something of ``body``."""
        ...

    def delete(self, path: str) -> Any:
        """Have it take away what is there."""
        ...


def try_callback(rest: Rest, me: str, url: str, host: str, port: int) -> str:
    """How Mattermost reached ``url``; raises PlatformError.

    ``me``: our user id. ``host`` and ``port``: where the service listens; unless it does so now,
    somebody listens in its place meanwhile.
    """
    with _listening(host, port, urlsplit(url).path) as heard:
        try:
            _press(rest, me, url)
        except PostRefused as error:
            if heard is not None and heard.is_set():
                raise PlatformError(
                    f"Mattermost reaches {url}, but not our answer: something between changes it"
                ) from error
            raise PlatformError(_why_not(url, host)) from error
        if heard is None:
            return f"{url} answers; the service is running"
        if not heard.is_set():
            raise PlatformError(
                f"something answers Mattermost at {url}, but not what listens on {host} port {port}"
            )
    return f"{url} is reached"


def _press(rest: Rest, me: str, url: str) -> None:
    """Press a button in the channel that we have with ourselves."""
    channel = rest.post("/channels/direct", [me, me])["id"]
    button = {"id": _ACTION, "name": "Check", "type": "button", "integration": {"url": url}}
    props = {"attachments": [{"text": "odabot check", "actions": [button]}]}
    post = rest.post("/posts", {"channel_id": channel, "message": "", "props": props})["id"]
    try:
        rest.post(f"/posts/{post}/actions/{_ACTION}", {})
    finally:
        with suppress(PlatformError):
            rest.delete(f"/posts/{post}")


def _why_not(url: str, listens_on: str) -> str:
    called = urlsplit(url).hostname or ""
    words = f"Mattermost gets no answer from {url}"
    if _all_are(listens_on, "is_loopback") and not _all_are(called, "is_loopback"):
        return (
            f"{words}. The service listens on {listens_on} alone, where only a proxy of this"
            " machine reaches it: ODABOT_HTTP__HOST says where"
        )
    if _all_are(called, "is_private"):
        return (
            f"{words}. That is an internal address: Mattermost calls it only where"
            f" AllowedUntrustedInternalConnections (Environment, Developer) has {called}. If it"
            " does, look whether its machine reaches ours"
        )
    return f"{words}: look whether its machine reaches ours, and trusts the certificate there"


def _all_are(host: str, kind: str) -> bool:
    try:
        found = socket.getaddrinfo(host, None)
    except OSError:
        return False
    return all(getattr(ipaddress.ip_address(info[4][0]), kind) for info in found)


@contextmanager
def _listening(host: str, port: int, path: str) -> Iterator[Event | None]:
    """Somebody who listens in the place of the service; None where that listens itself."""
    heard = Event()

    async def take(_: Request) -> JSONResponse:
        heard.set()
        return JSONResponse({})

    try:
        server = HttpServer(host, port)
    except ListenError:
        log.info("the service is taken to be running: its port is in use")
        yield None
        return
    try:
        server.serve(Starlette(routes=[Route(path, take, methods=["POST"])]), "check")
        yield heard
    finally:
        server.close()
