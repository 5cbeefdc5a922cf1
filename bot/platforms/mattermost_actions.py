"""Where Mattermost posts what is pressed: it is stored, and only then acknowledged."""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.errors import BotError
from bot.messages import Act, Click, Incoming, Thread
from bot.platforms.mattermost_events import PLATFORM
from bot.platforms.mattermost_requests import body_of

log = logging.getLogger(__name__)

ACTIONS_PATH = "/mattermost/action"
NOT_TAKEN = "Sorry, I cannot take that at the moment. Please press again in a minute."
NO_MORE = "This button counts no more. Please ask again."


class Sealed(Protocol):
    """What one button does, as it was posted."""

    @property
    def act(self) -> Act:
        """What it is for."""
        ...

    @property
    def turn(self) -> str:
        """The trace id of the turn whose button it is."""
        ...

    @property
    def value(self) -> str:
        """What it chooses; empty for a menu."""
        ...

    @property
    def channel(self) -> str:
        """Of the thread that it is of."""
        ...

    @property
    def root(self) -> str:
        """Of that thread; empty where the button's message begins it."""
        ...


class Tokens(Protocol):
    """Tells our own buttons from whatever else is sent to us; may raise BotError."""

    def opened(self, token: str, channel: str, user: str) -> Sealed | None:
        """What was sealed; None where not by us, or it is used, too old, or of another channel."""
        ...

    def spend(self, token: str, user: str) -> None:
        """Have a button that ``user`` pressed count no more for them, if it counts once."""
        ...


@dataclass(frozen=True, slots=True)
class Actions:
    """Stores clicks on buttons that bear a token of ours; nothing else in a request is believed."""

    tokens: Tokens
    receive: Callable[[Incoming], None]
    clock: Callable[[], datetime]

    @property
    def route(self) -> Route:
        """To be served where the buttons point to."""
        return Route(ACTIONS_PATH, self.handle, methods=["POST"])

    async def handle(self, request: Request) -> Response:
        """Always 200 to a click: of anything else, who pressed is told no more than that it failed.

        What a button changes in its message follows by itself, as an edit.
        """
        pressed = _pressed(await body_of(request))
        if pressed is None:
            return JSONResponse({"ephemeral_text": NO_MORE}, 400)
        try:
            taken = await run_in_threadpool(self._take, pressed)
        except BotError:
            log.exception("a click was not stored", extra={"action": "click_lost"})
            return JSONResponse({"ephemeral_text": NOT_TAKEN})
        return JSONResponse({} if taken else {"ephemeral_text": NO_MORE})

    def _take(self, pressed: "_Pressed") -> bool:
        button = self.tokens.opened(pressed.token, pressed.channel, pressed.user)
        if button is None:
            log.warning("a button without a token of ours", extra={"action": "click_refused"})
            return False
        begun = pressed.post if button.channel == pressed.channel else ""
        thread = Thread(PLATFORM, button.channel, button.root or begun)
        value = button.value or pressed.chosen
        self.receive(
            Click(thread, pressed.id, pressed.user, button.act, button.turn, self.clock(), value)
        )
        # Only now: what breaks off before may be pressed again.
        self.tokens.spend(pressed.token, pressed.user)
        return True


@dataclass(frozen=True, slots=True)
class _Pressed:
    """What Mattermost says of a click."""

    id: str
    user: str
    channel: str
    post: str
    token: str
    chosen: str
    """Of a menu, which says itself what was chosen."""


def _pressed(body: bytes) -> _Pressed | None:
    try:
        told = json.loads(body)
    except ValueError:
        return None
    if not isinstance(told, Mapping):
        return None
    context: Mapping[str, Any] = told.get("context") or {}
    user, channel, post = (_text(told, name) for name in ("user_id", "channel_id", "post_id"))
    if not user or not channel or not post or not isinstance(context, Mapping):
        return None
    return _Pressed(
        f"{post} {_text(told, 'trigger_id')}",
        user,
        channel,
        post,
        _text(context, "token"),
        _text(context, "selected_option"),
    )


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    return value if isinstance(value, str) else ""
