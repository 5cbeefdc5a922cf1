"""How the server calls others: callbacks of buttons, and slash commands."""

import base64
import ipaddress
import socket
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from tests.mattermost_stub.errors import AppError
from tests.mattermost_stub.records import Json, World, new_id

INTEGRATION_SECONDS = 30


def new_trigger() -> str:
    """Of one press, or of one command."""
    return base64.b64encode(f"{new_id()}:signed".encode()).decode()


def must_be_allowed(world: World, url: str, error_id: str, words: str) -> None:
    """Raises AppError for an internal address that the administrator has not listed."""
    host = urlsplit(url).hostname or ""
    listed = world.settings.allowed_untrusted.replace(",", " ").split()
    addresses = {str(info[4][0]) for info in socket.getaddrinfo(host, None)} if host else set()
    for address in addresses:
        ip = ipaddress.ip_address(address)
        internal = ip.is_private or ip.is_loopback or ip.is_link_local
        if internal and not _is_listed(host, ip, listed):
            raise AppError(
                400,
                error_id,
                words,
                f'err=Post "{url}": address forbidden, you may need to set'
                " AllowedUntrustedInternalConnections to allow an integration access to your"
                " internal network",
            )


def _is_listed(host: str, ip: ipaddress.IPv4Address | ipaddress.IPv6Address, of: list[str]) -> bool:
    for entry in of:
        if entry == host:
            return True
        try:
            if ip in ipaddress.ip_network(entry, strict=False):
                return True
        except ValueError:
            continue
    return False


async def call(
    client: aiohttp.ClientSession, url: str, **sent: Any
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of an integration's answer; raises ClientError, TimeoutError."""
    limit = aiohttp.ClientTimeout(total=INTEGRATION_SECONDS)
    async with client.post(url, timeout=limit, **sent) as answer:
        return answer.status, dict(answer.headers), await answer.read()


def form_of_command(
    world: World, command: Json, channel: Json, user: Json, typed: str, response_url: str
) -> dict[str, str]:
    """What is posted to the address of a slash command."""
    trigger, _, text = typed.partition(" ")
    team = world.teams[command["team_id"]]
    return {
        "channel_id": channel["id"],
        "channel_name": channel["name"],
        "command": trigger,
        "response_url": response_url,
        "team_domain": team["name"],
        "team_id": team["id"],
        "text": text.strip(),
        "token": command["token"],
        "trigger_id": new_trigger(),
        "user_id": user["id"],
        "user_name": user["username"],
    }
