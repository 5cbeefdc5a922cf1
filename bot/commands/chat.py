"""``odabot chat``: a conversation at the terminal."""

from collections.abc import Callable
from contextlib import closing, nullcontext
from datetime import datetime
from uuid import uuid4

from rich.console import Console

from bot import wiring
from bot.commands.running import BuildAnalyst, begin, clock_at
from bot.memory_sessions import MemorySessions
from bot.messages import Thread
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
    stored = wiring.open_sessions(settings) if thread else nullcontext(MemorySessions())
    with stored as sessions, closing(build_analyst(settings, settings.answers)) as analyst:
        conversation = wiring.build_conversation(settings, analyst, sessions)
        talk = wiring.console_talk(
            Thread("command", "ask", thread or uuid4().hex), console, read_line, clock_at(now)
        )
        console.print(
            f"Ask about {settings.site.name}. Choices are taken by number; exit or Ctrl-D ends.",
            style="dim",
            markup=False,
        )
        talk.run(lambda message, note: conversation.outcome_of(message, note).reply)
