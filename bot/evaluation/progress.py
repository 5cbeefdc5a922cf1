"""Tells how far a run is: a bar on a terminal, a line a question elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from bot.evaluation.record import Record


class Tells(Protocol):
    """Is told what happens."""

    def doing(self, text: str) -> None:
        """What is being done now."""
        ...

    def done(self, record: Record) -> None:
        """A question that was answered."""
        ...


@contextmanager
def telling(console: Console, total: int, before: int) -> Iterator[Tells]:
    """Whoever tells of ``total`` answers, ``before`` of which were there already."""
    if not console.is_terminal:
        yield _Lines(console, total, before)
        return
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left", style="dim"),
        TimeRemainingColumn(),
        TextColumn("{task.description}", style="dim", markup=False),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        yield _Bar(bar, bar.add_task("", total=total, completed=before))


class _Bar:
    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar = bar
        self._task = task

    def doing(self, text: str) -> None:
        self._bar.update(self._task, description=text)

    def done(self, record: Record) -> None:
        self._bar.advance(self._task)


class _Lines:
    def __init__(self, console: Console, total: int, before: int) -> None:
        self._console = console
        self._total = total
        self._done = before

    def doing(self, text: str) -> None:
        """Says nothing: notes would drown the answers."""

    def done(self, record: Record) -> None:
        self._done += 1
        head = f"{self._done}/{self._total}  {record.id} ({record.repeat})"
        told = " ".join(record.summary.split())[:80]
        line = f"{head:20}{record.status.value:14}{record.seconds:7.1f} s {record.tokens:7} tokens"
        self._console.print(Text(f"{line}  {told}"), soft_wrap=True)
