"""The page's web application: its files, who is logged in, and what its person asks of it."""

from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.errors import TurnStoreError
from bot.platforms.page_api import PageApi
from bot.platforms.page_assets import ASSETS
from bot.platforms.page_door import PageDoor
from bot.platforms.page_guard import Application, PageGuard
from bot.platforms.page_site import PAGE


@dataclass(frozen=True, slots=True)
class PageApp:
    """The requests that a browser can make."""

    door: PageDoor
    api: PageApi

    def application(self, origins: frozenset[str]) -> Application:
        """The ASGI application, guarded; ``origins`` are the addresses it answers under."""
        routes = [
            *(Route(path, self.asset) for path in ASSETS),
            Route("/healthz", self.healthz),
            *self.door.routes(),
            *self.api.routes(),
        ]
        application = Starlette(routes=routes, exception_handlers={TurnStoreError: _broken})
        return PageGuard(application, origins)

    def asset(self, request: Request) -> Response:
        """One of the page's own files."""
        name, media_type = ASSETS[request.url.path]
        return FileResponse(PAGE / name, media_type=media_type)

    def healthz(self, _: Request) -> Response:
        """That the page is served."""
        return JSONResponse({"status": "ok"})


def _broken(_: Request, error: Exception) -> Response:
    return PlainTextResponse("The store of the page does not answer. Please try again.", 503)
