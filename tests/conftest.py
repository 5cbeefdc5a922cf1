"""For every test: none of our variables in the environment, and no network beyond this machine."""

import ipaddress
import os
import socket
import sys
from collections.abc import Iterator

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--model-url",
        default="",
        help="Ask the language model there what was not recorded, and keep its replies.",
    )
    parser.addoption(
        "--chaos", action="store_true", help="Run every fault of tests/chaos, not only some."
    )


@pytest.fixture(autouse=True, scope="session")
def _no_settings_of_the_developer() -> Iterator[None]:
    environment = os.environ  # noqa: TID251 - taken away here so that no test depends on it
    ours = {name: environment.pop(name) for name in list(environment) if "ODABOT_" in name}
    yield
    environment.update(ours)


@pytest.fixture(autouse=True, scope="session")
def _only_loopback() -> None:
    # An audit hook cannot be taken away again; it ends with the test process.
    sys.addaudithook(_refuse_network)


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    if event != "socket.connect":
        return
    connection, address = arguments
    assert isinstance(connection, socket.socket)
    if connection.family in (socket.AF_INET, socket.AF_INET6):
        assert isinstance(address, tuple)
        if not _is_loopback(str(address[0])):
            raise AssertionError(f"a test wanted to reach {address[0]}")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
