"""An ASGI application served on this machine for as long as a test wants it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from tests.free_port import free_port


@contextmanager
def serving(application: ASGIApp, port: int = 0) -> Iterator[str]:
    """Its address."""
    chosen = port or free_port()
    config = uvicorn.Config(
        application, host="127.0.0.1", port=chosen, log_config=None, lifespan="off", ws="none"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    give_up = time.monotonic() + 10
    while not server.started:
        assert time.monotonic() < give_up, "the application is not served"
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{chosen}"
    finally:
        server.should_exit = True
        thread.join(10)
