"""Holds a request against the question: whatever a rule understood must show in it."""

import re
from dataclasses import replace

from retrieval.audit_parts import (
    TWO_GROUPS,
    between_is_lost,
    bound_words,
    by_hour_of_day,
    dropped_groups,
    ranks_twice,
    values_of,
    without_use,
)
from retrieval.course_audit import course_lost, course_unused
from retrieval.data_request import (
    Asked,
    EventThenJobs,
    EventThenReadings,
    ExtremeThen,
    JobsThenReadings,
    PeriodsThenReadings,
    ReadingsRequest,
    UsersThenReadings,
)
from retrieval.extreme_rules import rest_of as extreme_rest
from retrieval.job_audit import lost_in_jobs, must_fit_windows
from retrieval.job_order import HOURS
from retrieval.job_request import JobColumn, JobsRequest, JobTime
from retrieval.job_rules import unnamed_columns
from retrieval.job_words import JobWords
from retrieval.measures import Group, Measure, Wanted
from retrieval.readings_audit import unused_entities, unused_in_readings
from retrieval.request import EntityKind, TimeWindow
from retrieval.share_words import ShareOf
from retrieval.site_audit import of_checks, of_site
from retrieval.site_request import ChecksRequest, SiteRequest
from retrieval.slots import Slots
from retrieval.while_rules import rest_of
from retrieval.wording_audit import ranks_in_each

_SIZE = re.compile(
    r"\b(?:by|per)\s+(?:(?:job\s+)?size|(?:node|gpu|core|cpu)\s+count|exit\s+codes?"
    r"|(?:the\s+|their\s+)?number\s+of\s+(?:nodes|gpus|cores|cpus))\b",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\bboth\b", re.IGNORECASE)
_OF_JOBS = frozenset(
    {
        *(EntityKind.JOB, EntityKind.USER, EntityKind.PARTITION),
        *(EntityKind.NODE, EntityKind.RACK),
    }
)


def unused_parts(slots: Slots, asked: Asked) -> tuple[str, ...]:
    """What the question says that ``asked`` does not take up, in words.

    Words that were understood and then dropped would make an answer to another question.
    """
    compares = isinstance(asked, ReadingsRequest) and asked.peers is not None
    if slots.peers is not None and not compares:
        return ("the comparison with the others",)
    if slots.same_rack and not isinstance(asked, SiteRequest):
        return ("the same rack",)
    sized = isinstance(asked, JobsRequest) and (asked.measures or asked.order_by)
    if slots.jobs.sizes and not sized:
        return ("the size of jobs",)
    if _ranks_once(asked) and ranks_twice(slots):
        return ("a second ranking",)
    if isinstance(asked, ReadingsRequest | JobsRequest) and ranks_in_each(slots, asked):
        return ("the first in each",)
    if isinstance(asked, ReadingsRequest) and asked.wanted is Wanted.COURSE:
        return (*course_unused(slots, asked), *unused_entities(slots, asked))
    return (*_unused(slots, asked), *course_lost(slots, asked))


def _unused(slots: Slots, asked: Asked) -> tuple[str, ...]:
    match asked:
        case ReadingsRequest():
            return unused_in_readings(slots, asked)
        case JobsRequest():
            return _of_jobs(slots, asked)
        case ChecksRequest():
            return of_checks(slots, asked)
        case SiteRequest():
            return of_site(slots, asked)
        case EventThenReadings():
            return unused_parts(replace(slots, jobs=JobWords()), asked.readings)
        case EventThenJobs():
            return _of_jobs(slots, asked.jobs)
        case ExtremeThen(_, then):
            return unused_parts(extreme_rest(slots), then)
        case PeriodsThenReadings(periods, readings):
            return unused_parts(rest_of(slots, periods.owners[0]), readings)
        case JobsThenReadings() | UsersThenReadings():
            lost = ("the words inside the ranking",) if between_is_lost(slots) else ()
            return (*lost, *bound_words(slots))


def _ranks_once(asked: Asked) -> bool:
    """Whether the answer has the things at one end of one order, and no other."""
    match asked:
        case ReadingsRequest() | JobsRequest():
            return asked.ranking is not None
        case JobsThenReadings() | UsersThenReadings():
            return True
        case _:
            return False


def _of_jobs(slots: Slots, request: JobsRequest) -> tuple[str, ...]:
    spoken = slots.jobs.waiting or slots.jobs.running_time
    exact = set(slots.jobs.times) - {JobTime.OVERLAPS}
    lost = {m for m in slots.measures if not _is_measured(m, request)}
    must_fit_windows(slots, request)
    checks = (
        (slots.asks_when and not request.which.ids, "when"),
        (slots.asks_days and Group.DAY not in request.groups, "on which days"),
        (slots.asks_how_long and not (spoken or JobColumn.RUN in request.columns), "how long"),
        (slots.correlation, "the correlation"),
        (slots.silent, "without data"),
        (slots.ranked is not None and request.ranking is None, "the ranking"),
        (slots.counted_owners is not None and request.ranking is None, "the number of them"),
        (slots.checks.mentioned, "monitoring checks"),
        (
            bool(slots.superlatives)
            and request.ranking is None
            and not (spoken or slots.jobs.sizes),
            "highest or lowest",
        ),
        (bool(lost), values_of(lost)),
        (slots.added_up and spoken and not _is_total(request), "the total"),
        (slots.jobs.having != request.having, "the bound on what is counted"),
        (_by_size(slots, request), "by the size of jobs"),
        (len(exact) > 1, " and ".join(sorted(t.value for t in exact))),
        (
            not _names_in_jobs(slots.asks_owners, request),
            f"which {slots.asks_owners.value if slots.asks_owners else ''}",
        ),
        (slots.difference, "the difference"),
        (slots.asks_index, "which GPUs"),
        (not all(_names_in_jobs(k, request) for k in slots.all_asked), "everything that is asked"),
        (len(slots.jobs.bounds_taken) > len(set(slots.jobs.bounds_taken)), "two bounds"),
        (slots.share.of is not ShareOf.NOTHING and request.share_of is None, "the share"),
        (slots.order.said and request.ranking is None, "the order"),
        (by_hour_of_day(slots, _windows(request)), "the hour of the day"),
        (between_is_lost(slots), "the words inside the ranking"),
        (len(request.which.nodes) > 1 and bool(_BOTH.search(slots.text)), "both"),
        (bool(TWO_GROUPS.search(slots.text)), "two groups"),
    )
    unused = [words for failed, words in checks if failed]
    unused += without_use(slots, _OF_JOBS)
    unused += dropped_groups(slots, _taken_groups(request))
    unused += lost_in_jobs(slots, request, unnamed_columns(slots))
    return (*unused, *bound_words(slots))


def _windows(request: JobsRequest) -> tuple[TimeWindow, ...]:
    window = request.which.window
    return request.windows or ((window,) if window is not None else ())


def _taken_groups(request: JobsRequest) -> list[Group]:
    """By what jobs are put together: of the lengths of single jobs, what stands beside them."""
    if request.columns[:1] not in ((JobColumn.RUN,), (JobColumn.WAIT,)):
        return list(request.groups)
    return [group for group in Group if group.value in {c.value for c in request.columns[1:]}]


def _is_measured(measure: Measure, request: JobsRequest) -> bool:
    return any(one.name.endswith(f"_{measure.name}") for one in request.measures)


def _is_total(request: JobsRequest) -> bool:
    return any(one.name.endswith("_TOTAL") or one in HOURS for one in request.measures)


def _by_size(slots: Slots, request: JobsRequest) -> bool:
    """Whether jobs are to be grouped by what they have, and are not."""
    sizes = {Group.NODE_COUNT, Group.GPUS, Group.CORES}
    taken = bool(sizes & set(request.groups)) or request.ranking is not None
    return bool(_SIZE.search(slots.text)) and not taken


def _names_in_jobs(asked: EntityKind | None, request: JobsRequest) -> bool:
    """Whether the answer names the users, nodes or the like that are asked for."""
    shown = {
        EntityKind.USER: (Group.USER, JobColumn.USER),
        EntityKind.PARTITION: (Group.PARTITION, JobColumn.PARTITION),
        EntityKind.NODE: (Group.OWNER, JobColumn.NODES),
        EntityKind.RACK: (Group.RACK, None),
    }
    if asked is None or asked not in shown:
        return True
    group, column = shown[asked]
    return group in request.groups or column in request.columns
