"""A real SPARQL 1.1 server on this machine: ``oxigraph serve``, in memory."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

_PROGRAM = Path(sys.executable).with_name("oxigraph")


@contextmanager
def oxigraph() -> Iterator[str]:
    """Its address; skips the test where it is not installed."""
    if not _PROGRAM.exists():
        pytest.skip("no oxigraph is installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [str(_PROGRAM), "serve", "--bind", address]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(f"http://{address}/", server)
        yield f"http://{address}"
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_for(url: str, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        assert server.poll() is None, "oxigraph ended at once"
        try:
            httpx.get(url)
        except httpx.ConnectError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("oxigraph does not answer")
