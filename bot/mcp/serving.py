"""Serves tools over streamable HTTP to whoever shows the token, or over standard input."""

import hmac
import ipaddress
import logging
import socket
from collections.abc import Callable
from typing import Any

from fastmcp import FastMCP
from fastmcp.server.auth import AccessToken, TokenVerifier
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bot.errors import SettingsError

Server = FastMCP[Any]
PATH = "/mcp"
_log = logging.getLogger(__name__)


class OneToken(TokenVerifier):
    """Lets in who shows the token."""

    def __init__(self, token: SecretStr) -> None:
        super().__init__()
        self._token = token

    async def verify_token(self, token: str) -> AccessToken | None:
        """Who shows ``token``; None where it is another one."""
        ours = self._token.get_secret_value().encode()
        # Takes as long for a token that is nearly right as for any other.
        if not hmac.compare_digest(token.encode(errors="replace"), ours):
            return None
        return AccessToken(token=token, client_id="odabot", scopes=[])


def door_for(host: str, token: SecretStr | None) -> OneToken | None:
    """Who is let in on ``host``; raises SettingsError where anybody would be, from elsewhere."""
    if token is not None:
        return OneToken(token)
    if not _is_loopback(host):
        raise SettingsError(
            f"the tools would be open to anyone who reaches {host}: set ODABOT_MCP__TOKEN"
        )
    extra = {"action": "no-token"}
    _log.warning("No token is set: every user of this machine may call the tools", extra=extra)
    return None


def listening_on(host: str, port: int) -> socket.socket:
    """A socket at that address; raises SettingsError where it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise SettingsError(
            f"nothing can listen on {host} port {port} ({error.strerror}); "
            "ODABOT_MCP__HOST and the port's setting name another place"
        ) from error


def address_of(listening: socket.socket) -> str:
    """Where the tools are called, once they are served on ``listening``."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}{PATH}" if ":" in host else f"http://{host}:{port}{PATH}"


async def serve_http(server: Server, listening: socket.socket, started: Callable[[], None]) -> None:
    """Serve until a signal, or until cancelled; /healthz says that it does."""

    @server.custom_route("/healthz", methods=["GET"])
    async def healthz(request: Request) -> Response:
        return JSONResponse({"status": "ok", "server": server.name})

    started()
    host, port = listening.getsockname()[:2]
    await server.run_http_async(
        show_banner=False,
        host=host,
        port=port,
        path=PATH,
        # A call and its reply are all there is: no state to lose with the server.
        stateless_http=True,
        json_response=True,
        # A page of elsewhere, open in somebody's browser here, must not call the tools.
        host_origin_protection="auto",
        uvicorn_config={"log_config": None, "access_log": False, "ws": "none"},
        sockets=[listening],
    )


async def serve_stdio(server: Server) -> None:
    """Serve the process at the other end of standard input and output, until it hangs up."""
    await server.run_stdio_async(show_banner=False)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
