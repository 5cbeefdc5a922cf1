"""An MCP server of this process, served over HTTP on this machine meanwhile."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastmcp import FastMCP

from bot.mcp.serving import address_of, listening_on, serve_http


@contextmanager
def served(server: FastMCP[Any], host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """The address of ``server``, until the block is left."""
    loop = asyncio.new_event_loop()
    started = threading.Event()
    with listening_on(host, port) as listening:
        serving = loop.create_task(serve_http(server, listening, started.set))

        def run() -> None:
            loop.run_until_complete(asyncio.wait([serving]))

        thread = threading.Thread(target=run)
        thread.start()
        assert started.wait(20)
        yield address_of(listening)
        loop.call_soon_threadsafe(serving.cancel)
        thread.join()
    loop.close()
