"""What is done with the rows of a request's queries, beyond them: as words that can be compared.

A part of a request counts unless it is known to be in the queries: two requests are rather taken
to be treated differently than alike.
"""

from collections.abc import Iterator
from dataclasses import fields
from enum import StrEnum

from retrieval.data_request import DataRequest, EventThenReadings, ReadingsRequest
from retrieval.job_request import JobsRequest, JobTime
from retrieval.measures import OF_MISSING, TIMES, Condition, Wanted
from retrieval.site_request import ChecksRequest, SiteRequest
from retrieval.written_request import WrittenRequest

_READINGS = frozenset(
    {
        *("wanted", "course", "quantities", "owners", "windows", "instant", "measures", "groups"),
        *("condition", "meanwhile", "inside", "during", "combined", "aligned", "reach"),
        *("unit", "bucket"),
    }
)
"""Parts that the queries hold, or that have words of their own here."""
_JOBS = frozenset({"which", "measures", "columns", "having", "unit", "windows", "now", "clipped"})
_CHECKS = frozenset(
    {
        *("kind", "window", "instant", "checks", "states", "hard", "drained", "nodes", "racks"),
        *("compute_only", "causes"),
    }
)
_SITE = frozenset(
    ("subject", "count", "entities", "x", "y", "plugin", "word", "unit", "metrics"),
)


def treatment_of(request: DataRequest) -> str:
    """The treatment of ``request``: the same for two requests whose rows are treated alike."""
    match request:
        case ReadingsRequest():
            return ", ".join(_of_readings(request))
        case JobsRequest():
            return ", ".join(_of_jobs(request))
        case ChecksRequest():
            return ", ".join(("checks", *_others(request, _CHECKS)))
        case SiteRequest():
            return ", ".join(("site", *_others(request, _SITE)))
        case WrittenRequest():
            return "written"


def treatment_around(chain: EventThenReadings) -> str:
    """How the readings of ``chain`` stand to its event."""
    when = [
        word
        for word, so in (
            ("before", chain.before > 0),
            ("after", chain.after > 0),
            ("during", chain.whole),
        )
        if so
    ]
    return f"{' and '.join(when) or 'at'} the {'end' if chain.at_end else 'start'} of an event"


def _of_readings(request: ReadingsRequest) -> Iterator[str]:
    wanted = Wanted.OWNERS if request.wanted is Wanted.OWNER_COUNT else request.wanted
    yield request.course.value if request.course is not None else wanted.value
    if len(request.windows) > 1:
        yield "several times"
    in_query = _READINGS
    if request.course is None:
        in_query |= {"ranking"}
    if request.course in OF_MISSING:
        in_query |= {"longer"}
    yield from _others(request, in_query)


def _of_jobs(request: JobsRequest) -> Iterator[str]:
    yield "jobs"
    if len(request.windows) > 1:
        yield "several times"
    times = [group.value for group in request.groups if group in TIMES]
    in_query = _JOBS | {"groups"}
    if times and request.which.time is JobTime.OVERLAPS:
        yield f"one {times[0]} after another"
    else:
        in_query |= {"ranking", "order_by"}
    yield from _others(request, in_query)


def _others(request: DataRequest, in_query: frozenset[str]) -> Iterator[str]:
    """A word for each part of ``request`` that is asked for and not ``in_query``."""
    for part in fields(request):
        value = getattr(request, part.name)
        if part.name not in in_query and value != part.default:
            yield _word(part.name, value)


def _word(name: str, value: object) -> str:
    """``value`` without the number that a person would vary."""
    match value:
        case StrEnum():
            return value.value
        case bool() | int() | float():
            return name
        case Condition():
            return f"{name} {value.comparison.value}"
        case _:
            return f"{name} {value!r}"
