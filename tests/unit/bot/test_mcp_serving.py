"""Who is let in to our tools, and where they may be served."""

import asyncio
import socket

import pytest
from pydantic import SecretStr, ValidationError

from bot.errors import SettingsError
from bot.mcp.serving import OneToken, address_of, door_for, listening_on
from bot.mcp_settings import McpSettings
from bot.settings import Settings
from bot.settings_file import effective

TOKEN = SecretStr("a token of some length")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_this_machine_alone_needs_no_token(host: str) -> None:
    assert door_for(host, None) is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.7", "192.168.1.1", "tools.example", ""])
def test_any_other_place_needs_one(host: str) -> None:
    with pytest.raises(SettingsError, match="set ODABOT_MCP__TOKEN"):
        door_for(host, None)

    assert door_for(host, TOKEN) is not None


@pytest.mark.parametrize(
    ("shown", "is_let_in"),
    [
        ("a token of some length", True),
        ("a token of some lengt", False),
        ("a token of some length ", False),
        ("A token of some length", False),
        ("", False),
        ("\ud800é", False),
    ],
)
def test_one_token_is_the_token(shown: str, is_let_in: bool) -> None:
    found = asyncio.run(OneToken(TOKEN).verify_token(shown))

    assert (found is not None) == is_let_in


def test_a_place_that_is_taken_is_told() -> None:
    with listening_on("127.0.0.1", 0) as taken, pytest.raises(SettingsError, match="can listen"):
        listening_on("127.0.0.1", taken.getsockname()[1])


def test_the_address_is_one_that_can_be_called() -> None:
    with listening_on("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        assert address_of(listening) == f"http://127.0.0.1:{port}/mcp"


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_an_address_of_ipv6_is_bracketed() -> None:
    try:
        listening = listening_on("::1", 0)
    except SettingsError as error:
        pytest.skip(str(error))
    with listening:
        assert address_of(listening).startswith("http://[::1]:")


def test_a_token_is_never_shown() -> None:
    shown = effective(Settings(mcp=McpSettings(token=TOKEN)))

    assert TOKEN.get_secret_value() not in str(shown)


@pytest.mark.parametrize(
    "wrong",
    [
        {"token": "short"},
        {"retrieval_url": "ftp://host/mcp"},
        {"sandbox_url": "host:8767"},
        {"retrieval_url": "http://user:pass@host/mcp"},
        {"host": "127.0.0.1", "retrieval_port": 70000},
    ],
)
def test_what_cannot_be_meant_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        McpSettings.model_validate(wrong)
