"""Stands between the bot and a Slack on this machine, and takes the time of acknowledgements."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import quote

from aiohttp import ClientSession, WSMessage, WSMsgType, web

from tests.free_port import free_port

_LINK = "/link"
Socket = web.WebSocketResponse | None


@dataclass(slots=True)
class SlackRelay:
    """The address to give the bot, and how long it took to acknowledge what came by socket."""

    api_url: str
    seconds: list[float] = field(default_factory=list)
    sent: dict[str, float] = field(default_factory=dict)
    """When each envelope was handed on that is not acknowledged."""

    def to_bot(self, text: str) -> None:
        """Slack's ``text`` is about to be handed on."""
        envelope = json.loads(text).get("envelope_id")
        if envelope:
            self.sent[str(envelope)] = time.perf_counter()

    def from_bot(self, text: str) -> None:
        """The bot answered with ``text``."""
        begun = self.sent.pop(str(json.loads(text).get("envelope_id")), None)
        if begun is not None:
            self.seconds.append(time.perf_counter() - begun)


@contextmanager
def relay_to(slack_url: str) -> Iterator[SlackRelay]:
    """A relay to the server at ``slack_url``, until the block is left."""
    port = free_port()
    relay = SlackRelay(f"http://127.0.0.1:{port}/api/")
    loop, ending, ready = asyncio.new_event_loop(), asyncio.Event(), threading.Event()

    async def serve() -> None:
        async with ClientSession(auto_decompress=False) as session:
            runner = web.AppRunner(_application(relay, slack_url, port, session))
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", port).start()
            ready.set()
            await ending.wait()
            await runner.cleanup()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    ready.wait(30)
    try:
        yield relay
    finally:
        loop.call_soon_threadsafe(ending.set)
        thread.join(30)


def _application(
    relay: SlackRelay, slack_url: str, port: int, session: ClientSession
) -> web.Application:
    async def call(request: web.Request) -> web.Response:
        headers = {name: request.headers[name] for name in _KEPT if name in request.headers}
        at, body = f"{slack_url}{request.rel_url}", await request.read()
        async with session.request(request.method, at, data=body, headers=headers) as answer:
            text = await answer.read()
            if request.path.endswith("/apps.connections.open"):
                text = _through_us(text, port)
            kind = answer.headers.get("content-type", "application/json")
            return web.Response(body=text, status=answer.status, headers={"content-type": kind})

    async def link(request: web.Request) -> web.WebSocketResponse:
        ours = web.WebSocketResponse(max_msg_size=0)
        await ours.prepare(request)
        async with session.ws_connect(request.query["to"], max_msg_size=0) as theirs:

            async def down() -> None:
                async for message in theirs:
                    if message.type is WSMsgType.TEXT:
                        relay.to_bot(message.data)
                        await ours.send_str(message.data)
                await ours.close()

            async def up() -> None:
                async for message in ours:
                    await _handed_up(message)
                await theirs.close()

            async def _handed_up(message: WSMessage) -> None:
                if message.type is WSMsgType.TEXT:
                    relay.from_bot(message.data)
                    await theirs.send_str(message.data)

            await asyncio.gather(down(), up())
        return ours

    application = web.Application(client_max_size=1 << 28)
    application.router.add_get(_LINK, link)
    application.router.add_route("*", "/{path:.*}", call)
    return application


_KEPT = ("authorization", "content-type", "user-agent", "accept")


def _through_us(opened: bytes, port: int) -> bytes:
    told = json.loads(opened)
    if "url" in told:
        told["url"] = f"ws://127.0.0.1:{port}{_LINK}?to={quote(told['url'], safe='')}"
    return json.dumps(told).encode()
