"""Where Mattermost posts slash commands: what bears none of our tokens is not even read."""

import hmac
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.errors import BotError
from bot.messages import Incoming
from bot.platforms.mattermost_events import Ears, read_command
from bot.platforms.mattermost_requests import body_of

log = logging.getLogger(__name__)

COMMANDS_PATH = "/mattermost/command"
NOT_TAKEN = "Sorry, I cannot take that at the moment. Please try again in a minute."
NOT_KNOWN = (
    "I do not take commands from here: the administrator has to tell me the command's token"
    " (ODABOT_MATTERMOST__COMMAND_TOKENS)."
)


@dataclass(frozen=True, slots=True)
class Commands:
    """Stores each command, and only then acknowledges it."""

    tokens: Sequence[str]
    """Of the commands, one for each team."""
    ears: Callable[[], Ears]
    """Who we are; may raise PlatformError."""
    receive: Callable[[Incoming], None]
    clock: Callable[[], datetime]

    @property
    def route(self) -> Route:
        """To be served where the commands point to."""
        return Route(COMMANDS_PATH, self.handle, methods=["POST"])

    async def handle(self, request: Request) -> Response:
        """Answers nothing where all is well: the reply comes by itself."""
        body = await body_of(request)
        form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
        if not self._is_known(form.get("token", "")):
            log.warning("a command without our token", extra={"action": "command_refused"})
            return _whispered(NOT_KNOWN, 401)
        try:
            taken = await run_in_threadpool(self._take, form)
        except BotError:
            # A command is not sent again; who typed it is told, and types it again.
            log.exception("a command was not stored", extra={"action": "command_lost"})
            return _whispered(NOT_TAKEN)
        return JSONResponse({}) if taken else _whispered(NOT_TAKEN, 400)

    def _take(self, form: Mapping[str, str]) -> bool:
        message = read_command(form, self.ears(), self.clock())
        if message is not None:
            self.receive(message)
        return message is not None

    def _is_known(self, token: str) -> bool:
        # All are compared, whichever it is.
        same = [hmac.compare_digest(token.encode(), known.encode()) for known in self.tokens]
        return any(same)


def _whispered(text: str, status: int = 200) -> Response:
    return JSONResponse({"response_type": "ephemeral", "text": text}, status)
