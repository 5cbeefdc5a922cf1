"""The HTTP side: routes, log-in, faults; what each route does is in the modules beside."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web

from tests.fault_proxy import Broken, Dropped, Limited, Slow
from tests.mattermost_stub.calls import Bucket, Call, Fault, Faults
from tests.mattermost_stub.errors import AppError, invalid_body, no_session, not_found
from tests.mattermost_stub.hub import Hub, reset_connection
from tests.mattermost_stub.records import Json, World, new_id

MAKES = Callable[["Server", "Asked"], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of somebody who is known."""

    request: web.Request
    user: str
    body: Any
    token: str = ""

    def part(self, name: str) -> str:
        """A part of the path."""
        return self.request.match_info[name]

    def query(self, name: str, default: str = "") -> str:
        """A parameter of the query."""
        return self.request.query.get(name, default)

    def number(self, name: str, default: int) -> int:
        """A number of the query; what is none counts as not given."""
        given = self.query(name)
        return int(given) if given.isdigit() else default

    def me(self, name: str) -> str:
        """A user of the path, where ``me`` stands for the one who asks."""
        given = self.part(name)
        return self.user if given == "me" else given


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered, where it is not 200 and JSON."""

    body: object
    status: int = 200
    raw: bytes | None = None
    media_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Server:
    """Everything that one running server is."""

    world: World
    faults: Faults = field(default_factory=Faults)
    bucket: Bucket = field(default_factory=Bucket)
    calls: list[Call] = field(default_factory=list)
    url: str = ""
    hooks: dict[str, Json] = field(default_factory=dict)
    """The response_urls of slash commands, by their ids."""
    _client: aiohttp.ClientSession | None = None

    def __post_init__(self) -> None:
        self.hub = Hub(self.world, self.user_of)

    @property
    def client(self) -> aiohttp.ClientSession:
        """By which the server calls integrations."""
        if self._client is None:
            self._client = aiohttp.ClientSession()
        return self._client

    async def close(self) -> None:
        """Call nobody any more."""
        if self._client is not None:
            await self._client.close()

    @property
    def site_url(self) -> str:
        """SiteURL, as the administrator has set it."""
        set_to = self.world.settings.site_url
        return self.url if set_to is None else set_to

    def user_of(self, token: str) -> str:
        """The user of a token; raises AppError."""
        user = self.world.tokens.get(token)
        if user is None or self.world.users[user]["delete_at"]:
            raise no_session()
        if self.world.users[user].get("is_bot") or self.world.settings.access_tokens_enabled:
            return user
        raise no_session()

    def handler(
        self, makes: MAKES, *, open_to_all: bool = False
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        """A route's handler: faults first, then who asks, then ``makes``."""

        async def handle(request: web.Request) -> web.StreamResponse:
            resource = request.match_info.route.resource
            path = resource.canonical.removeprefix("/api/v4") if resource else ""
            operation = f"{request.method} {path}"
            body = await self._body(request)
            fault = self.faults.next(operation)
            self.calls.append(Call(operation, request.path, dict(request.query), body, fault))
            early = self._early(request, fault)
            if early is not None:
                return early
            answer = await self._made(request, makes, body, open_to_all)
            return await self._late(request, fault, answer)

        return handle

    @staticmethod
    async def _body(request: web.Request) -> Any:
        if request.content_type != "application/json":
            return None
        try:
            return json.loads(await request.read() or b"null")
        except ValueError:
            return None

    def _early(self, request: web.Request, fault: Fault | None) -> web.Response | None:
        settings = self.world.settings
        wait = self.bucket.seconds_to_wait(settings.requests_a_second, settings.burst)
        match fault:
            case Limited(seconds):
                wait = seconds
            case Broken(status, False):
                return web.Response(
                    status=status, text="<html>away</html>", content_type="text/html"
                )
            case Dropped(False):
                reset_connection(request)
                return web.Response()
            case _:
                pass
        if not wait and not isinstance(fault, Limited):
            return None
        headers = {
            "X-Ratelimit-Limit": str(settings.burst),
            "X-Ratelimit-Remaining": "0",
            "X-Ratelimit-Reset": str(wait),
            "Retry-After": str(wait),
        }
        return web.Response(status=429, text="limit exceeded\n", headers=headers)

    async def _late(
        self, request: web.Request, fault: Fault | None, answer: web.Response
    ) -> web.Response:
        match fault:
            case Broken(status, True):
                return web.Response(
                    status=status, text="<html>away</html>", content_type="text/html"
                )
            case Dropped(True):
                reset_connection(request)
            case Slow(seconds):
                await asyncio.sleep(seconds)
            case _:
                pass
        return answer

    async def _made(
        self, request: web.Request, makes: MAKES, body: Any, open_to_all: bool
    ) -> web.Response:
        try:
            word, _, token = request.headers.get("Authorization", "").partition(" ")
            known = word.lower() in ("bearer", "token") and token in self.world.tokens
            user = self.user_of(token) if known or not open_to_all else ""
            made = await makes(self, Asked(request, user, body, token))
        except AppError as refused:
            said = refused.body(new_id(), self.world.settings.developer)
            return _json(said, refused.status)
        answer = made if isinstance(made, Answer) else Answer(made)
        if answer.raw is not None:
            return web.Response(
                body=answer.raw,
                status=answer.status,
                headers=answer.headers | {"Content-Type": answer.media_type},
            )
        return _json(answer.body, answer.status)


def _json(body: object, status: int) -> web.Response:
    # No charset after the type, as with the real one.
    headers = {"Content-Type": "application/json"}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=headers)


async def no_page(server: Server, asked: Asked) -> object:
    """What is answered where there is no route."""
    raise not_found("api.context.404.app_error", "Sorry, we could not find the page.")


def ids_of(asked: Asked, name: str) -> list[str]:
    """The body as a list of ids; raises AppError."""
    if not isinstance(asked.body, list) or not asked.body:
        raise invalid_body(name)
    return [str(each) for each in asked.body]


OK: Json = {"status": "OK"}
