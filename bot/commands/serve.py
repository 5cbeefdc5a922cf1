"""``odabot serve`` and ``odabot worker``: the chat service, or further hands for it."""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from typing import TextIO

from bot import service_wiring
from bot.commands.running import BuildResuming, begin, clock_from, warmed
from bot.settings import Settings


def serve(
    settings: Settings,
    build_analyst: BuildResuming,
    err: TextIO,
    *,
    port: int | None = None,
    works: bool = True,
    now: datetime | None = None,
) -> None:
    """Hear, and with ``works`` also answer, until told to stop.

    Raises one of ``bot.health.OPERATOR_ERRORS``.
    """
    begin(settings)
    chosen = settings.http.port if port is None else port
    with _told_to_stop() as stopping, ExitStack() as parts:
        process = parts.enter_context(service_wiring.open_process(settings))
        if works:
            analyst = build_analyst(settings, settings.answers, process.kept.stages)
            parts.enter_context(closing(analyst))
            parts.enter_context(warmed(analyst))
            parts.enter_context(service_wiring.working(process, analyst, clock_from(now)))
        inbound = parts.enter_context(service_wiring.listening(process, now))
        url = parts.enter_context(service_wiring.observed(process, chosen, inbound.routes))
        inbound.open()
        heard = " and ".join(side.heard_by for side in process.sides)
        err.write(f"odabot hears {heard}; health and metrics at {url} (Ctrl-C stops)\n")
        err.flush()
        _wait_for(stopping)


def work(
    settings: Settings, build_analyst: BuildResuming, err: TextIO, *, port: int | None = None
) -> None:
    """Answer what other processes hear, until told to stop.

    Raises one of ``bot.health.OPERATOR_ERRORS``.
    """
    begin(settings)
    chosen = settings.http.worker_port if port is None else port
    with _told_to_stop() as stopping, ExitStack() as parts:
        process = parts.enter_context(service_wiring.open_process(settings))
        analyst = build_analyst(settings, settings.answers, process.kept.stages)
        parts.enter_context(closing(analyst))
        parts.enter_context(warmed(analyst))
        parts.enter_context(service_wiring.working(process, analyst, clock_from(None)))
        url = parts.enter_context(service_wiring.observed(process, chosen))
        err.write(f"odabot works; health and metrics at {url} (Ctrl-C stops)\n")
        err.flush()
        _wait_for(stopping)


def _wait_for(stopping: threading.Event) -> None:
    # In slices: a signal may reach another thread than this one, which has to hear of it.
    while not stopping.wait(0.5):
        pass


@contextmanager
def _told_to_stop() -> Iterator[threading.Event]:
    """Set when the process is asked to end; what it was told before counts again afterwards."""
    stopping = threading.Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stopping.set()) for number in numbers]
    try:
        yield stopping
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
