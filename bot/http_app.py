"""The one application over HTTP: /healthz, /readyz, /metrics, and what platforms mount in it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from bot.liveness import State

States = Callable[[], Iterable[State]]
Page = Callable[[str], tuple[bytes, str]]
"""From the header Accept to the bytes of a page, and their media type."""


@dataclass(frozen=True, slots=True)
class HttpApp:
    """What operators and their programs may ask of a process.

    Nothing of it is secret, and nothing of it is for strangers: a proxy before it passes on the
    platforms' own paths alone.
    """

    alive: States
    ready: States
    metrics: Page

    def application(self, routes: Sequence[BaseRoute] = ()) -> Starlette:
        """The ASGI application with ``routes``, of platforms, beside its own."""
        own = [
            Route("/healthz", self.healthz),
            Route("/readyz", self.readyz),
            Route("/metrics", self.exposition),
        ]
        return Starlette(routes=[*own, *routes])

    def healthz(self, _: Request) -> Response:
        """200 while every part lives; 503 where this process should be started again."""
        return _told(self.alive())

    def readyz(self, _: Request) -> Response:
        """200 where questions can be taken and answered now; 503 and what is missing."""
        return _told(self.ready())

    def exposition(self, request: Request) -> Response:
        """What this process counted, in the form that Prometheus asks for."""
        body, media_type = self.metrics(request.headers.get("accept", ""))
        return Response(body, headers={"content-type": media_type})


def _told(states: Iterable[State]) -> Response:
    told = tuple(states)
    well = all(state.up for state in told)
    parts = {state.name: {"ok": state.up, "found": state.found} for state in told}
    return JSONResponse(
        {"status": "ok" if well else "failing", "parts": parts},
        200 if well else 503,
        headers={"cache-control": "no-store"},
    )
