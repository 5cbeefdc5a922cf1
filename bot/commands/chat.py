"""``odabot chat``: a conversation at the terminal."""

import threading
from collections.abc import Callable
from contextlib import closing, nullcontext
from datetime import datetime
from uuid import uuid4

from rich.console import Console

from bot import wiring
from bot.commands.running import BuildAnalyst, begin, clock_at
from bot.memory_sessions import MemorySessions
from bot.messages import Thread
from bot.service import Service
from bot.settings import Settings


def chat(
    settings: Settings,
    build_analyst: BuildAnalyst,
    console: Console,
    read_line: Callable[[str], str],
    *,
    now: datetime | None = None,
    thread: str | None = None,
) -> None:
    """Answer lines until there are no more; raises one of ``bot.health.OPERATOR_ERRORS``."""
    begin(settings)
    stopping = threading.Event()
    stored = wiring.open_sessions(settings) if thread else nullcontext(MemorySessions())
    with stored as sessions, closing(build_analyst(settings, settings.answers)) as analyst:
        conversation = wiring.build_conversation(settings, analyst, sessions)
        platform = wiring.console_platform(
            Thread("command", "ask", thread or uuid4().hex),
            console,
            read_line,
            clock_at(now),
            stopping.set,
        )
        dispatcher = wiring.build_dispatcher(settings, conversation)
        console.print(
            f"Ask about {settings.site.name}. Choices are taken by number; exit or Ctrl-D ends.",
            style="dim",
            markup=False,
        )
        Service((platform,), dispatcher, stopping).run()
