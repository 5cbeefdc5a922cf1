"""``odabot trace``: what was done for a question, step by step; or the latest questions."""

import json
from typing import TextIO

from rich.console import Console

from bot.errors import TraceError
from bot.settings import Settings
from bot.trace_tree import line_of, rendered, tree_json
from bot.trace_wiring import open_traces

_LATEST = 20
_WIDE = 100_000


def trace(settings: Settings, trace_id: str, out: TextIO, *, as_json: bool) -> None:
    """Print the tree of ``trace_id`` to ``out``; raises TraceError."""
    try:
        steps = open_traces(settings).read(trace_id)
    except OSError as error:
        raise TraceError(f"the trace {trace_id!r} cannot be read: {error}") from error
    if not steps:
        raise TraceError(
            f"no trace {trace_id!r} is kept in {settings.traces}; odabot trace lists the latest"
        )
    if as_json:
        out.write(json.dumps(tree_json(steps)) + "\n")
        return
    # Into a file or a pipe go lines as long as they are, for whoever searches them.
    width = None if Console(file=out).is_terminal else _WIDE
    Console(file=out, width=width).print(rendered(steps))


def list_traces(settings: Settings, out: TextIO, *, as_json: bool) -> None:
    """Print the latest questions to ``out``, the newest first, a line each; raises TraceError."""
    console = Console(file=out)
    try:
        latest = open_traces(settings).latest(_LATEST)
    except OSError as error:
        raise TraceError(f"{settings.traces} cannot be read: {error}") from error
    for root in latest:
        if as_json:
            out.write(json.dumps(root.as_json()) + "\n")
        else:
            console.print(line_of(root), soft_wrap=True)
