"""What a person's browser asks of the page: their threads, and what they do in them."""

from collections.abc import Callable
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from bot.access import PAGE, Refused, Right
from bot.buttons.voting import REASONS
from bot.messages import Act, Thread
from bot.page_posts import PageThread
from bot.platforms.page_desk import PageDesk
from bot.platforms.page_door import PageDoor
from bot.platforms.page_files import PageFiles
from bot.platforms.page_json import Json, Reader, held_files, listing_json, thread_json, version_of
from bot.platforms.page_request import field_of, fields_of
from bot.platforms.page_site import PageSite

_NO_THREAD = "There is no such thread (any more)."
_NO_FILE = "There is no such file (any more)."
_NO_TRACE = "What was done for that question is not kept any more."


@dataclass(frozen=True, slots=True)
class PageApi:
    """Routes that a person may use, each for their own threads alone."""

    door: PageDoor
    desk: PageDesk
    files: PageFiles
    site: PageSite
    trace: Callable[[str], Json | None]
    """The steps of a turn as a tree; None where they are not kept."""

    def routes(self) -> list[Route]:
        """Everything below /api/ and /files/ for which one has to be somebody."""
        thread = "/api/threads/{thread}"
        return [
            Route("/api/site", self.describe),
            Route("/api/threads", self.listing),
            Route("/api/threads", self.begin, methods=["POST"]),
            Route(thread, self.thread),
            Route(f"{thread}/questions", self.question, methods=["POST"]),
            Route(f"{thread}/choice", self.choice, methods=["POST"]),
            Route(f"{thread}/acts", self.act, methods=["POST"]),
            Route(f"{thread}/stop", self.stop, methods=["POST"]),
            Route(f"{thread}/turns/{{turn}}/trace", self.steps),
            Route("/files/{thread}/{post}/{number:int}", self.file),
        ]

    def describe(self, request: Request) -> Response:
        """The site, the example questions, and why an answer may not help."""
        self.door.person(request)
        reasons = [{"id": reason.id, "label": reason.label} for reason in REASONS]
        return JSONResponse(self.site.as_json() | {"reasons": reasons})

    def listing(self, request: Request) -> Response:
        """All threads of the person, the one used last first."""
        person = self.door.person(request)
        threads = self.desk.posts.threads(person)
        return JSONResponse({"threads": listing_json(threads, self.desk.at_work(threads, person))})

    def thread(self, request: Request) -> Response:
        """One thread; 204 where nothing changed since ``version``."""
        person = self.door.person(request)
        thread = _thread(request, person)
        found = self._found(thread)
        running = self.desk.running(thread, found)
        if request.query_params.get("version") == version_of(found, running):
            return Response(status_code=204)
        reader = Reader(self.files.may_hand_out, self.door.may(person, Right.QUERY))
        return JSONResponse(thread_json(found, running, reader))

    async def begin(self, request: Request) -> Response:
        """A new thread with its first question."""
        text = await field_of(request, "text")

        def begin() -> str:
            return self.desk.begin(self.door.person(request), text)

        return JSONResponse({"id": await run_in_threadpool(begin)}, 201)

    async def question(self, request: Request) -> Response:
        """One more question of a thread."""
        text = await field_of(request, "text")
        return await self._done(
            request, lambda person, root: self.desk.ask(person, root, text), 404, _NO_THREAD
        )

    async def choice(self, request: Request) -> Response:
        """A choice of the last reply; 409 where it is too late for it."""
        chosen = await field_of(request, "id")
        return await self._done(
            request,
            lambda person, root: self.desk.choose(person, root, chosen),
            409,
            "This choice can no longer be made.",
        )

    async def act(self, request: Request) -> Response:
        """What a button below a reply does; 404 where the thread has no such turn."""
        said, turn, value = await fields_of(request, "act", "turn", optional="value")
        try:
            act = Act(said)
        except ValueError as error:
            raise HTTPException(400, "There is no such button.") from error
        if act is Act.CHOOSE:
            raise HTTPException(400, "A choice is made at /choice.")
        return await self._done(
            request,
            lambda person, root: self.desk.press(person, root, act, turn, value),
            404,
            "There is no such answer (any more).",
        )

    async def stop(self, request: Request) -> Response:
        """Stop what is worked on in a thread."""
        return await self._done(request, self.desk.stop, 404, _NO_THREAD)

    def steps(self, request: Request) -> Response:
        """What was done for a turn of the thread; 403 where the person may not see that."""
        person = self.door.person(request)
        thread, turn = _thread(request, person), request.path_params["turn"]
        if turn not in {post.turn for post in self._found(thread).posts}:
            raise HTTPException(404, _NO_TRACE)
        decision = self.door.guard.opens(thread, person, Right.QUERY)
        if isinstance(decision, Refused):
            raise HTTPException(403, decision.text)
        tree = self.trace(turn)
        if tree is None:
            raise HTTPException(404, _NO_TRACE)
        return JSONResponse(tree)

    def file(self, request: Request) -> Response:
        """A picture to look at, or any other file to keep."""
        thread = _thread(request, self.door.person(request))
        number = request.path_params["number"]
        found = self.desk.posts.read(thread)
        posts = [p for p in found.posts if p.id == request.path_params["post"]] if found else []
        held = held_files(posts[0]) if posts else ()
        file = self.files.get(held[number]) if number < len(held) else None
        if file is None:
            raise HTTPException(404, _NO_FILE)
        return FileResponse(
            file.path,
            media_type=file.media_type if file.is_picture else "application/octet-stream",
            filename=file.name,
            content_disposition_type="inline" if file.is_picture else "attachment",
        )

    def _found(self, thread: Thread) -> PageThread:
        found = self.desk.posts.read(thread)
        if found is None:
            raise HTTPException(404, _NO_THREAD)
        return found

    async def _done(
        self, request: Request, do: Callable[[str, str], bool], status: int, otherwise: str
    ) -> Response:
        """202 once ``do``, given person and thread, did it; else ``status`` and why not."""

        def done() -> bool:
            return do(self.door.person(request), request.path_params["thread"])

        if not await run_in_threadpool(done):
            raise HTTPException(status, otherwise)
        return JSONResponse({}, 202)


def _thread(request: Request, person: str) -> Thread:
    return Thread(PAGE, person, request.path_params["thread"])
