"""``odabot check``: the settings, and the health of every part."""

import json
from collections.abc import Iterable
from typing import TextIO

from rich.console import Console
from rich.text import Text

from bot.health import Health, Probe, can_serve, health_of
from bot.settings import Settings
from bot.settings_file import effective


def check(settings: Settings, probes: Iterable[Probe], out: TextIO, *, as_json: bool) -> int:
    """Print both to ``out``; the exit code: 0, or 1 where something needed does not work."""
    states = []
    console = Console(file=out)
    if not as_json:
        _print_settings(console, settings)
    for probe in probes:
        states.append(health_of(probe))
        if not as_json:
            _print_state(console, states[-1])
    ready = can_serve(states)
    if as_json:
        parts = [
            {"name": s.name, "ok": s.ok, "found": s.found, "needed": s.needed, "remedy": s.remedy}
            for s in states
        ]
        report = {"ready": ready, "settings": effective(settings), "parts": parts}
        out.write(json.dumps(report) + "\n")
    else:
        words = "ready" if ready else "not ready: a part that is needed does not work"
        console.print(Text(words, "bold green" if ready else "bold red"))
    return 0 if ready else 1


def _print_settings(console: Console, settings: Settings) -> None:
    console.print(Text("Settings", "bold"))
    for name, value in effective(settings).items():
        console.print(Text.assemble((f"  {name} ", "dim"), value), soft_wrap=True)
    console.print(Text("Parts", "bold"))


def _print_state(console: Console, state: Health) -> None:
    mark = (
        ("ok  ", "green") if state.ok else ("FAIL", "red") if state.needed else ("WARN", "yellow")
    )
    took = (f"  ({state.seconds:.1f} s)", "dim")
    console.print(Text.assemble("  ", mark, f"  {state.name}: {state.found}", took), soft_wrap=True)
    if state.remedy:
        console.print(Text(f"        {state.remedy}", "yellow"), soft_wrap=True)
