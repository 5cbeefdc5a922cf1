"""``odabot mcp``: our tools for other processes, over HTTP or standard input and output."""

import asyncio
import signal
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TextIO

from bot import tool_wiring
from bot.commands.running import begin, clock_at
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.mcp.serving import OneToken, Server

    Make = Callable[[OneToken | None], Server]


@dataclass(frozen=True, slots=True)
class Place:
    """Where tools are served."""

    host: str
    port: int
    stdio: bool = False
    """True for the process that started this one, over standard input and output."""


def serve_retrieval(
    settings: Settings, place: Place, err: TextIO, *, now: datetime | None = None
) -> None:
    """Serve until told to stop; raises one of ``bot.health.OPERATOR_ERRORS``."""
    from bot.mcp.retrieval_server import retrieval_server

    begin(settings)
    with tool_wiring.open_retrieval_desk(settings, clock_at(now)) as desk:
        _serve(lambda door: retrieval_server(desk, door), settings, place, err)


def serve_sandbox(settings: Settings, place: Place, err: TextIO) -> None:
    """Serve until told to stop; raises one of ``bot.health.OPERATOR_ERRORS``."""
    from bot.mcp.sandbox_server import sandbox_server

    begin(settings)
    with tool_wiring.open_sandbox_desk(settings) as desk:
        _serve(lambda door: sandbox_server(desk, door), settings, place, err)


def _serve(make: "Make", settings: Settings, place: Place, err: TextIO) -> None:
    from bot.mcp.serving import address_of, door_for, listening_on, serve_http, serve_stdio

    if place.stdio:
        asyncio.run(serve_stdio(make(None)))
        return
    server = make(door_for(place.host, settings.mcp.token))
    with listening_on(place.host, place.port) as listening:

        def greet() -> None:
            err.write(f"{server.name} listens on {address_of(listening)} (Ctrl-C stops)\n")
            err.flush()

        # The server ends in its own order on a signal, and then sends it once more.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _already_heard)
        asyncio.run(serve_http(server, listening, greet))


def _already_heard(number: int, frame: object) -> None:
    """Nothing is left to do."""
