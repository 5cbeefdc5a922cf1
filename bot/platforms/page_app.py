"""The page's web application: its files, its threads, and what is asked in them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from bot.platforms.page_files import PageFiles
from bot.platforms.page_guard import Application, PageGuard
from bot.platforms.page_json import listing_json, thread_json
from bot.platforms.page_site import PAGE, PageSite
from bot.platforms.page_threads import PageThreads

Ask = Callable[[str, str], None]

_MOST_BYTES = 256_000
_ASSETS = {
    "/": ("index.html", "text/html"),
    "/page.css": ("page.css", "text/css"),
    "/page.js": ("page.js", "text/javascript"),
    "/markdown.js": ("markdown.js", "text/javascript"),
    "/reply.js": ("reply.js", "text/javascript"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}


@dataclass(frozen=True, slots=True)
class PageApp:
    """The requests that the page can make."""

    threads: PageThreads
    files: PageFiles
    site: PageSite
    ask: Ask
    """Hands a text on as the question of a thread; called after it was added to the thread."""

    def application(self, hosts: frozenset[str]) -> Application:
        """The ASGI application, guarded; ``hosts`` are the names it answers to."""
        routes = [
            *(Route(path, self.asset) for path in _ASSETS),
            Route("/healthz", self.healthz),
            Route("/api/site", self.describe),
            Route("/api/threads", self.listing),
            Route("/api/threads", self.begin, methods=["POST"]),
            Route("/api/threads/{thread}", self.thread),
            Route("/api/threads/{thread}/questions", self.question, methods=["POST"]),
            Route("/api/threads/{thread}/choice", self.choice, methods=["POST"]),
            Route("/files/{file}", self.file),
        ]
        return PageGuard(Starlette(routes=routes), hosts)

    def asset(self, request: Request) -> Response:
        """One of the page's own files."""
        name, media_type = _ASSETS[request.url.path]
        return FileResponse(PAGE / name, media_type=media_type)

    def healthz(self, _: Request) -> Response:
        """That the page is served."""
        return JSONResponse({"status": "ok"})

    def describe(self, _: Request) -> Response:
        """The site and the example questions."""
        return JSONResponse(self.site.as_json())

    def listing(self, _: Request) -> Response:
        """All threads, the one used last first."""
        return JSONResponse({"threads": listing_json(self.threads.newest_first())})

    def thread(self, request: Request) -> Response:
        """One thread; 204 where nothing changed since ``version``."""
        thread = self.threads.get(request.path_params["thread"])
        if thread is None:
            raise HTTPException(404, "There is no such thread (any more).")
        if request.query_params.get("version") == str(thread.version):
            return Response(status_code=204)
        return JSONResponse(thread_json(thread, self.files))

    async def begin(self, request: Request) -> Response:
        """A new thread with its first question."""
        text = await _field(request, "text")
        thread = self.threads.start()
        self.threads.ask(thread, text)
        self.ask(thread, text)
        return JSONResponse({"id": thread}, 201)

    async def question(self, request: Request) -> Response:
        """One more question of a thread."""
        text = await _field(request, "text")
        thread = request.path_params["thread"]
        if not self.threads.ask(thread, text):
            raise HTTPException(404, "There is no such thread (any more).")
        self.ask(thread, text)
        return JSONResponse({}, 202)

    async def choice(self, request: Request) -> Response:
        """A choice of the last reply; 409 where it is too late for it."""
        chosen = await _field(request, "id")
        thread = request.path_params["thread"]
        if not self.threads.choose(thread, chosen):
            raise HTTPException(409, "This choice can no longer be made.")
        self.ask(thread, chosen)
        return JSONResponse({}, 202)

    def file(self, request: Request) -> Response:
        """A picture to look at, or any other file to keep."""
        file = self.files.get(request.path_params["file"])
        if file is None:
            raise HTTPException(404, "There is no such file (any more).")
        return FileResponse(
            file.path,
            media_type=file.media_type if file.is_picture else "application/octet-stream",
            filename=file.name,
            content_disposition_type="inline" if file.is_picture else "attachment",
        )


async def _field(request: Request, name: str) -> str:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise HTTPException(413, "That is too long.")
    try:
        value: Any = json.loads(body)
    except ValueError as error:
        raise HTTPException(400, "That is no JSON.") from error
    text = value.get(name) if isinstance(value, dict) else None
    if not isinstance(text, str):
        raise HTTPException(400, f"A text {name!r} is missing.")
    return text
