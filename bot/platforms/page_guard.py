"""What the page refuses before it looks at a request, and the headers of everything it sends."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class PageGuard:
    """Answers only those who speak to this page by its own name and from the page itself.

    A foreign site can point its own name at 127.0.0.1, or post a form to us from a visitor's
    browser: the first fails at the ``Host`` header, the second at ``Origin``.
    """

    def __init__(self, application: Application, origins: frozenset[str]) -> None:
        """``origins``: the addresses that are ours, as in ``http://localhost:8765``."""
        self._application = application
        self._origins = origins
        self._hosts = frozenset(origin.partition("://")[2] for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with 403."""

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        if scope["type"] != "http":
            return
        complaint = self._complaint(scope)
        if complaint:
            await PlainTextResponse(complaint, 403)(scope, receive, send_guarded)
        else:
            await self._application(scope, receive, send_guarded)

    def _complaint(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self._hosts:
            return "This page answers only under its own address."
        if scope["method"] in {"GET", "HEAD"}:
            return ""
        if headers.get("origin", "").lower() not in self._origins:
            return "This page takes questions only from itself."
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return "What the page is told comes as application/json."
        return ""
