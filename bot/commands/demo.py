"""``odabot demo``: a demo lake, everything embedded, and a page on this machine."""

import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from bot import service_wiring
from bot.commands.lake import make_lake
from bot.commands.running import BuildResuming, begin, clock_from, wait_for, warmed
from bot.page_wiring import Shown
from bot.settings import Settings

DEMO_NOW = datetime(2022, 6, 15, 10, 0, tzinfo=UTC)
"""Where the clock stands over the demo lake: its newest data are of that day."""
_GRACE_SECONDS = 10.0
_ABOUT = (
    "These are made-up readings of a supercomputer with 980 nodes in 49 racks, its cooling, power, "
    "jobs and alarms in May and June 2022. Some incidents are hidden in them."
)


def demo(
    settings: Settings,
    build_analyst: BuildResuming,
    console: Console,
    *,
    seed: int = 1,
    lake: Path | None = None,
    now: datetime | None = None,
    until: Callable[[threading.Event], None] | None = None,
) -> None:
    """Serve the page until told to stop; raises one of ``bot.health.OPERATOR_ERRORS``.

    ``lake`` and ``now`` stand in for the demo lake and its moment. ``until`` is called in place of
    the signal handlers, with what ends the service once it is set.
    """
    begin(settings)
    about = ""
    if lake is None:
        lake, now, about = settings.data / "demo-lake", now or DEMO_NOW, _ABOUT
        if not lake.is_dir():
            make_lake(lake, seed, console)
    settings = settings.with_lake(lake).with_grace(_GRACE_SECONDS)
    shown = Shown(_shown(now), about, lambda url: _greet(console, url))
    stopping = threading.Event()
    with ExitStack() as parts:
        process = parts.enter_context(service_wiring.open_process(settings, shown))
        with console.status("Getting ready"):
            analyst = build_analyst(settings, settings.answers, process.kept.stages)
            parts.enter_context(closing(analyst))
        parts.enter_context(warmed(analyst))
        parts.enter_context(service_wiring.working(process, analyst, clock_from(now)))
        inbound = parts.enter_context(service_wiring.listening(process, now))
        (until or _stop_on_signals)(stopping)
        inbound.open()
        wait_for(stopping)
    console.print("Stopped.")


def _greet(console: Console, url: str) -> None:
    console.print(Text.assemble("Open ", (url, "bold underline"), "   (Ctrl-C stops)"))


def _shown(now: datetime | None) -> str:
    return f"{now.astimezone(UTC):%d %B %Y, %H:%M} UTC".lstrip("0") if now else ""


def _stop_on_signals(stopping: threading.Event) -> None:
    def stop(number: int, _: object) -> None:
        stopping.set()
        # Whoever asks twice does not want to wait for the question that still runs.
        signal.signal(number, signal.SIG_DFL)

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
