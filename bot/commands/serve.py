"""``odabot serve`` and ``odabot worker``: the chat service, or further hands for it."""

from contextlib import ExitStack, closing
from datetime import datetime
from typing import TextIO

from bot import service_wiring
from bot.commands.running import (
    BuildResuming,
    begin,
    clock_from,
    told_to_stop,
    wait_for,
    warmed,
)
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
    with told_to_stop() as stopping, ExitStack() as parts:
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
        wait_for(stopping)


def work(
    settings: Settings, build_analyst: BuildResuming, err: TextIO, *, port: int | None = None
) -> None:
    """Answer what other processes hear, until told to stop.

    Raises one of ``bot.health.OPERATOR_ERRORS``.
    """
    begin(settings)
    chosen = settings.http.worker_port if port is None else port
    with told_to_stop() as stopping, ExitStack() as parts:
        process = parts.enter_context(service_wiring.open_process(settings))
        analyst = build_analyst(settings, settings.answers, process.kept.stages)
        parts.enter_context(closing(analyst))
        parts.enter_context(warmed(analyst))
        parts.enter_context(service_wiring.working(process, analyst, clock_from(None)))
        url = parts.enter_context(service_wiring.observed(process, chosen))
        err.write(f"odabot works; health and metrics at {url} (Ctrl-C stops)\n")
        err.flush()
        wait_for(stopping)
