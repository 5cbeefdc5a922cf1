"""Finds the event that a chain begins with, and says which one was taken."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from agent.number_text import moment_text
from retrieval.data_request import EventThenJobs, EventThenReadings
from retrieval.job_request import JobsRequest
from retrieval.outcome import Cell, Retrieved


@dataclass(frozen=True, slots=True)
class Found:
    """The event that was chosen, with what must be said of the choice."""

    start: datetime
    end: datetime | None
    note: str
    nodes: tuple[str, ...] = ()


def chosen_event(chain: EventThenReadings | EventThenJobs, found: Retrieved) -> Found | None:
    """The event of ``chain`` among what was ``found``; None where there is none."""
    table = found.tables[0]
    names = [column.variable for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    if isinstance(chain.event, JobsRequest):
        return _of_job(rows)
    return _of_state(chain, rows)


def _of_job(rows: Sequence[dict[str, Cell]]) -> Found | None:
    for row in rows:
        start, end = row.get("start"), row.get("end")
        if isinstance(start, datetime):
            ended = end if isinstance(end, datetime) else None
            till = f" and ended at {moment_text(ended)}" if ended is not None else ""
            note = f"Job {row['job']} started at {moment_text(start)}{till}."
            return Found(start, ended, note, _nodes(row.get("nodes_used")))
    return None


def _nodes(cell: Cell) -> tuple[str, ...]:
    """The ids in ``cell`` in their order; an engine joins them in whichever it likes."""
    return tuple(sorted((part for part in str(cell or "").split() if part.isdigit()), key=int))


def _of_state(
    chain: EventThenReadings | EventThenJobs, rows: Sequence[dict[str, Cell]]
) -> Found | None:
    """The first that begins (or ends) where it must, or else the latest that reaches into it."""
    spans = [
        (since, till)
        for row in rows
        if isinstance(since := row["since"], datetime) and isinstance(till := row["till"], datetime)
    ]
    inside = chain.begins_in
    if inside is not None:
        edge = 1 if chain.at_end else 0
        there = [s for s in spans if inside.start <= s[edge] <= inside.end]
        spans = there[:1] or [s for s in spans if s[1] >= inside.start][-1:]
        several = f" It was the first of {len(there)} in this time." if len(there) > 1 else ""
    else:
        spans, several = spans[-1:], ""
    if not spans:
        return None
    since, till = spans[0]
    note = (
        f"The event: check results from {moment_text(since)} to {moment_text(till)} say so; they"
        f" come some minutes apart, so it began up to one spacing earlier"
        f" and ended up to one later.{several}"
    )
    return Found(since, till, note)
