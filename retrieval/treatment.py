"""What is done with the rows of a request's queries, beyond them: as words that can be compared."""

from collections.abc import Iterator

from retrieval.data_request import DataRequest, EventThenReadings, ReadingsRequest
from retrieval.job_request import JobsRequest, JobTime
from retrieval.measures import OF_MISSING, Group, Wanted
from retrieval.site_request import CheckResultKind, ChecksRequest, SiteRequest

_TIMES = frozenset({Group.HOUR, Group.DAY, Group.WEEK, Group.MONTH})


def treatment_of(request: DataRequest) -> str:
    """The treatment of ``request``: the same for two requests whose rows are treated alike."""
    match request:
        case ReadingsRequest():
            return ", ".join(_of_readings(request))
        case JobsRequest():
            return ", ".join(_of_jobs(request))
        case ChecksRequest():
            ongoing = request.kind is CheckResultKind.PERIODS and request.ongoing
            return "checks, ongoing" if ongoing else "checks"
        case SiteRequest():
            return "site"


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
    if request.wanted is Wanted.COURSE:
        if request.longer and request.course not in OF_MISSING:
            yield "longer than"
        if request.ranking is not None:
            yield "ranked"
    if len(request.windows) > 1:
        yield "several times"
    if request.difference:
        yield "difference"
    if request.change:
        yield "change"
    if request.share:
        yield "share"
    if request.ratio is not None:
        yield f"ratio of {request.ratio.part}" + " in per cent" * request.ratio.percent


def _of_jobs(request: JobsRequest) -> Iterator[str]:
    yield "jobs"
    if len(request.windows) > 1:
        yield "several times"
    times = [group.value for group in request.groups if group in _TIMES]
    if times and request.which.time is JobTime.OVERLAPS:
        yield f"one {times[0]} after another"
    if request.share_of is not None:
        yield f"share of {', '.join(request.share_of) or 'each'}"
