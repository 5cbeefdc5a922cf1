"""The websocket side: who listens, what they are sent, what they missed; and how it goes wrong."""

import asyncio
import json
import socket
import struct
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.mattermost_stub.errors import AppError
from tests.mattermost_stub.records import Json, World, new_id

_KEPT = 128
"""How many events of a connection can be sent again."""
AUTHENTICATION_SECONDS = 5


@dataclass
class Line:
    """One connection, as the server knows it also after it broke."""

    connection: str
    user: str = ""
    next_seq: int = 0
    sent: "deque[Json]" = field(default_factory=lambda: deque(maxlen=_KEPT))
    socket: web.WebSocketResponse | None = None
    request: web.Request | None = None


@dataclass
class Hub:
    """All connections."""

    world: World
    user_of: Callable[[str], str]
    """The user of a token; raises AppError."""
    lines: dict[str, Line] = field(default_factory=dict)
    hellos: int = 0
    """How many times somebody was let in anew."""
    resumed: int = 0
    """How many times somebody went on where a connection broke."""
    lose: int = 0
    """So many of the next events are not sent, nor kept to be sent again."""
    double: int = 0
    """So many of the next events are sent twice."""
    refuse: int = 0
    """So many of the next connections are answered 503."""
    hush: bool = False
    """Connections stay open, and nothing more is sent on them, nor answered to pings."""
    held: list[tuple[Json, Callable[[str], bool]]] = field(default_factory=list)
    hold: bool = False
    """Events wait until they are let go, in another order."""

    async def serve(self, request: web.Request, user: str) -> web.StreamResponse:
        """A connection from its beginning to its end; ``user``: where a header names one."""
        if self.refuse:
            self.refuse -= 1
            return web.Response(status=503, text="upstream is away")
        # Pings are answered by hand, so that a silent server can be had.
        connected = web.WebSocketResponse(autoping=False)
        await connected.prepare(request)
        line = self._line(request, user)
        line.socket, line.request = connected, request
        if user:
            await self._let_in(line, request)
        unknown = asyncio.get_running_loop().call_later(
            AUTHENTICATION_SECONDS, self._end_unknown, line
        )
        try:
            async for message in connected:
                if message.type is WSMsgType.PING and not self.hush:
                    await connected.pong(message.data)
                elif message.type is WSMsgType.TEXT:
                    await self._answer(line, connected, message.data)
        finally:
            unknown.cancel()
            if line.socket is connected:
                line.socket = None
        return connected

    def _line(self, request: web.Request, user: str) -> Line:
        # As in 5.37: who is known only by a later challenge cannot resume.
        wanted = request.query.get("connection_id", "")
        known = self.lines.get(wanted)
        if self.world.settings.reliable_websockets and user and known and known.user == user:
            wanted_seq = int(request.query.get("sequence_number") or 0)
            kept = {event["seq"] for event in known.sent}
            if wanted_seq == known.next_seq or wanted_seq in kept:
                return known
        line = Line(new_id(), user)
        self.lines[line.connection] = line
        return line

    async def _let_in(self, line: Line, request: web.Request) -> None:
        if line.next_seq:
            self.resumed += 1
            missed_from = int(request.query.get("sequence_number") or 0)
            for event in [each for each in line.sent if each["seq"] >= missed_from]:
                await self._write(line, event)
            return
        self.hellos += 1
        data: Json = {"server_version": f"{self.world.settings.version}.stub.false"}
        if self.world.settings.reliable_websockets:
            data["connection_id"] = line.connection
        await self._send(line, _event("hello", data, user=line.user))

    def _end_unknown(self, line: Line) -> None:
        if not line.user:
            self._end(line)

    def _end(self, line: Line) -> None:
        if line.request is not None:
            reset_connection(line.request)

    async def _answer(self, line: Line, connected: web.WebSocketResponse, text: str) -> None:
        try:
            asked = json.loads(text)
        except ValueError:
            self._end(line)
            return
        seq, action = asked.get("seq", 0), asked.get("action", "")
        if seq <= 0 or not action:
            kind = "bad_seq" if action else "no_action"
            await self._refuse(connected, seq, f"api.web_socket_router.{kind}.app_error")
        elif action == "authentication_challenge":
            if line.user:
                # Who is known already is told nothing.
                return
            try:
                line.user = self.user_of(str(asked.get("data", {}).get("token", "")))
            except AppError:
                self._end(line)
                return
            assert line.request is not None
            await self._let_in(line, line.request)
            await self._reply(connected, seq, {"status": "OK"})
        elif not line.user:
            await self._refuse(connected, seq, "api.web_socket_router.not_authenticated.app_error")
        elif action == "ping":
            pong = {"text": "pong", "version": self.world.settings.version, "node_id": ""}
            await self._reply(connected, seq, {"status": "OK", "data": pong})
        elif action in ("user_typing", "get_statuses", "user_update_active_status"):
            await self._reply(connected, seq, {"status": "OK"})
        else:
            await self._refuse(connected, seq, "api.web_socket_router.bad_action.app_error")

    async def _reply(self, connected: web.WebSocketResponse, seq: int, body: Json) -> None:
        if not self.hush:
            await connected.send_str(json.dumps(body | {"seq_reply": seq}))

    async def _refuse(self, connected: web.WebSocketResponse, seq: int, error_id: str) -> None:
        error = {"id": error_id, "message": error_id, "detailed_error": "", "status_code": 400}
        await self._reply(connected, seq, {"status": "FAIL", "error": error})

    async def publish(
        self,
        name: str,
        data: Json,
        *,
        channel: str = "",
        user: str = "",
        but: str = "",
    ) -> None:
        """Send an event to a user, or to the members of a channel."""
        event = _event(name, data, channel=channel, user=user)

        def hears(who: str) -> bool:
            if user:
                return who == user
            return who != but and self.world.in_channel(who, channel)

        if self.hold:
            self.held.append((event, hears))
            return
        await self._spread(event, hears)

    async def let_go(self) -> None:
        """Send what was held, last things first."""
        self.hold = False
        held, self.held = self.held, []
        for event, hears in reversed(held):
            await self._spread(event, hears)

    async def _spread(self, event: Json, hears: Callable[[str], bool]) -> None:
        lost = bool(self.lose) and event["event"] == "posted"
        doubled = bool(self.double) and event["event"] == "posted" and not lost
        self.lose -= lost
        self.double -= doubled
        for line in list(self.lines.values()):
            if not line.user or not hears(line.user):
                continue
            if lost:
                line.next_seq += 1
                continue
            for _ in range(1 + doubled):
                await self._send(line, event)

    async def _send(self, line: Line, event: Json) -> None:
        numbered = event | {"seq": line.next_seq}
        line.next_seq += 1
        line.sent.append(numbered)
        await self._write(line, numbered)

    async def _write(self, line: Line, event: Json) -> None:
        if line.socket is None or line.socket.closed or self.hush:
            return
        try:
            await line.socket.send_str(json.dumps(event))
        except ConnectionError:
            line.socket = None

    def listeners(self, user: str) -> int:
        """How many connections of somebody are open."""
        return sum(line.user == user and line.socket is not None for line in self.lines.values())

    async def ping(self) -> None:
        """As the server does every minute."""
        for line in list(self.lines.values()):
            if line.socket is not None and not self.hush:
                await line.socket.ping()

    def reset(self) -> None:
        """End all connections as a crashed machine would: by a TCP reset."""
        for line in list(self.lines.values()):
            if line.request is not None and line.socket is not None:
                reset_connection(line.request)
                line.socket = None

    async def close(self, code: int) -> None:
        """End all connections by a close frame."""
        for line in list(self.lines.values()):
            if line.socket is not None:
                closing, line.socket = line.socket, None
                await closing.close(code=code)

    def forget_closed(self) -> None:
        """Know no connection any more that is not open."""
        self.lines = {name: line for name, line in self.lines.items() if line.socket is not None}

    def forget(self) -> None:
        """Know no connection any more, as after a restart of the server."""
        self.reset()
        self.lines.clear()


def _event(name: str, data: Json, *, channel: str = "", user: str = "") -> Json:
    to: dict[str, Any] = {"omit_users": None, "user_id": user, "channel_id": channel, "team_id": ""}
    return {"event": name, "data": data, "broadcast": to, "seq": 0}


def reset_connection(request: web.Request) -> None:
    """End a connection without a word, by a TCP reset."""
    transport = request.transport
    if transport is None:
        return
    connected = transport.get_extra_info("socket")
    if connected is not None:
        linger = struct.pack("ii", 1, 0)
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    transport.abort()
