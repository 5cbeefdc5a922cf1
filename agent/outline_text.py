"""What a written query would give, in plain words, for whoever must confirm it."""

from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from agent.request_text import bound_text, capital
from retrieval.outline_parts import (
    OutlinedBound,
    OutlinedRows,
    OutlinedText,
    WrittenOutline,
)
from retrieval.request import Entity, Metric
from retrieval.window_words import window_label
from retrieval.written_request import WrittenRequest

_BEGINS = (
    "Rules alone do not read this question, so the language model wrote a query for it. It has not"
    " been run. It would give:"
)
_ENDS = "Nothing else of your question is in it. Is this what you want to know?"
_LISTED = 8
"""Metrics of one quantity, or things, that are named one by one."""


def outline_text(
    outline: WrittenOutline, request: WrittenRequest, notes: Sequence[str], zone: ZoneInfo
) -> str:
    """All that decides what the query of ``request`` gives, and what it was taken to be about."""
    parts = [f"- {capital(part)}" for part in _parts(outline, request, zone)]
    return "\n".join((_BEGINS, *parts, *(f"_{note}_" for note in dict.fromkeys(notes)), _ENDS))


def _parts(outline: WrittenOutline, request: WrittenRequest, zone: ZoneInfo) -> Iterator[str]:
    yield _rows(outline.rows) + (", each different row once" if outline.is_distinct else "")
    for step in outline.first:
        yield f"before that: {_rows(step)}"
    for metrics in request.quantities:
        yield f"measured: {_quantity(metrics)}"
    if outline.joins_times:
        yield "only moments at which each of them has a sample"
    yield f"of: {_things(request.entities, outline.kinds)}"
    yield _time(outline, request, zone)
    for length in outline.steps:
        yield f"times in steps of {_length(length)}"
    for condition in outline.conditions:
        yield f"only where {_condition(condition)}"
    if outline.limit is not None:
        order = ", ".join(
            f"{what}, {'highest' if is_falling else 'lowest'} first"
            for what, is_falling in outline.order
        )
        yield f"only the first {outline.limit} in order of {order}"


def _rows(rows: OutlinedRows) -> str:
    columns = ", ".join(rows.columns)
    if not rows.is_grouped:
        return f"{columns}, a row for each match"
    if not rows.keys:
        return f"{columns}, of everything together"
    return f"{columns}, a row for each {' and '.join(rows.keys)}"


def _quantity(metrics: Sequence[Metric]) -> str:
    first = metrics[0]
    if len(metrics) == 1:
        return f"{first.name} of {first.plugin} ({first.description.rstrip('.')})"
    named = ", ".join(metric.name for metric in metrics[:_LISTED])
    rest = len(metrics) - _LISTED
    more = f" and {rest} more" if rest > 0 else ""
    return f"{named}{more} of {first.plugin}"


def _things(entities: Sequence[Entity], kinds: Sequence[str]) -> str:
    named = [f"{entity.kind.value} {entity.name}" for entity in entities]
    if not named:
        return " and ".join(f"every {kind}" for kind in kinds) or "everything"
    rest = len(named) - _LISTED
    more = f" and {rest} more" if rest > 0 else ""
    return ", ".join(named[:_LISTED]) + more


def _time(outline: WrittenOutline, request: WrittenRequest, zone: ZoneInfo) -> str:
    if not request.windows:
        return "time: all there is"
    when = " and ".join(window_label(window, zone) for window in request.windows)
    if request.instant:
        return f"time: the last sample {when}"
    if outline.job_times:
        return f"jobs that {' and '.join(outline.job_times)} {when}"
    return f"time: {when}"


def _length(step: str) -> str:
    """``PT5M`` as "5 minutes"."""
    unit = {"M": "minute", "H": "hour"}[step[-1]]
    number = step[2:-1]
    return f"{number} {unit}" if number == "1" else f"{number} {unit}s"


def _condition(condition: OutlinedBound | OutlinedText) -> str:
    match condition:
        case OutlinedBound(heading, comparison, bound, unit):
            return f"{heading} is {bound_text(comparison, bound, unit)}"
        case OutlinedText(heading, texts):
            return f"{heading} is {' or '.join(texts)}"
