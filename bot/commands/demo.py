"""``odabot demo``: a demo lake, everything embedded, and a page on this machine."""

import signal
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from bot import wiring
from bot.commands.lake import make_lake
from bot.commands.running import BuildAnalyst, begin, clock_at, warmed
from bot.service import Service
from bot.settings import Settings

DEMO_NOW = datetime(2022, 6, 15, 10, 0, tzinfo=UTC)
"""Where the clock stands over the demo lake: its newest data are of that day."""
_ABOUT = (
    "These are made-up readings of a supercomputer with 980 nodes in 49 racks, its cooling, power, "
    "jobs and alarms in May and June 2022. Some incidents are hidden in them."
)


def demo(
    settings: Settings,
    build_analyst: BuildAnalyst,
    console: Console,
    *,
    seed: int = 1,
    lake: Path | None = None,
    now: datetime | None = None,
    until: Callable[[Service], None] | None = None,
) -> None:
    """Serve the page until told to stop; raises one of ``bot.health.OPERATOR_ERRORS``.

    ``lake`` and ``now`` stand in for the demo lake and its moment. ``until`` is called in place of
    the signal handlers, with the running service.
    """
    begin(settings)
    about = ""
    if lake is None:
        lake, now, about = settings.data / "demo-lake", now or DEMO_NOW, _ABOUT
        if not lake.is_dir():
            make_lake(lake, seed, console)
    settings = settings.with_lake(lake)
    with wiring.open_sessions(settings) as sessions, ExitStack() as open_parts:
        with console.status("Getting ready"):
            analyst = open_parts.enter_context(closing(build_analyst(settings, settings.answers)))
        open_parts.enter_context(warmed(analyst))
        conversation = wiring.build_conversation(settings, analyst, sessions)
        dispatcher = wiring.build_dispatcher(settings, conversation)
        platform = wiring.web_platform(settings, clock_at(now), now=_shown(now), about=about)
        service = Service((platform,), dispatcher)
        (until or _stop_on_signals)(service)
        service.run(started=lambda: _greet(console, platform.url))
    console.print("Stopped.")


def _greet(console: Console, url: str) -> None:
    console.print(Text.assemble("Open ", (url, "bold underline"), "   (Ctrl-C stops)"))


def _shown(now: datetime | None) -> str:
    return f"{now.astimezone(UTC):%d %B %Y, %H:%M} UTC".lstrip("0") if now else ""


def _stop_on_signals(service: Service) -> None:
    def stop(number: int, _: object) -> None:
        service.stopping.set()
        # Whoever asks twice does not want to wait for the question that still runs.
        signal.signal(number, signal.SIG_DFL)

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
