"""Chains: jobs or users are chosen first, then readings of their nodes."""

from collections.abc import Mapping
from dataclasses import replace

from retrieval.asking import ChartHint
from retrieval.data_request import Chain, JobsThenReadings, UsersThenReadings
from retrieval.job_filters import job_filter
from retrieval.job_order import ranked_by_jobs
from retrieval.job_request import JobColumn, JobFilter, JobMeasure, JobsRequest
from retrieval.measures import Group, Measure, Ranking, Wanted
from retrieval.reading_rules import SUMMARY, readings_request
from retrieval.request import EntityKind, TimeWindow
from retrieval.slots import Slots

_SHOWN = (JobColumn.USER, JobColumn.STATE, JobColumn.START, JobColumn.END)


def chain_of(
    slots: Slots,
    settled: Mapping[str, str],
    windows: tuple[TimeWindow, ...],
    chart: ChartHint,
) -> tuple[Chain, tuple[str, ...]] | None:
    """The chain that ``slots`` amount to; None where they ask for one thing at once."""
    if slots.ranked is None or not slots.jobs.mentioned:
        return None
    noun = slots.ranked.noun
    if noun not in (EntityKind.JOB, EntityKind.USER):
        return None
    which = job_filter(slots, windows[0] if windows else None)
    if noun is EntityKind.JOB:
        by = ranked_by_jobs(slots)
        return _jobs_first(slots, settled, which, by) if by is not None else None
    return _users_first(slots, settled, windows, which)


def _jobs_first(
    slots: Slots, settled: Mapping[str, str], which: JobFilter, by: JobColumn
) -> tuple[Chain, tuple[str, ...]]:
    assert slots.ranked is not None
    ranking = Ranking(slots.ranked.descending, slots.ranked.limit)
    columns = tuple(dict.fromkeys((*_SHOWN, by, JobColumn.NODES)))
    jobs = JobsRequest(which, columns=columns, ranking=ranking, order_by=by)
    plain = replace(slots, ranked=None, groups=(), superlatives=())
    request, notes = readings_request(plain, settled, (), ChartHint(), JobFilter(ids=(0,)))
    request = replace(
        request,
        wanted=Wanted.MEASURES,
        measures=slots.measures or SUMMARY,
        groups=(Group.JOB,),
        windows=(),
    )
    return JobsThenReadings(jobs, request), (
        *notes,
        _note(which, by),
    )


def _note(which: JobFilter, by: JobColumn) -> str:
    whole = "the readings cover each job's whole duration."
    if by is JobColumn.START:
        return f"Jobs {which.time.value} the window are put in the order of their start; {whole}"
    return f"Jobs {which.time.value} the window are ranked by their whole {by.value}; {whole}"


def _users_first(
    slots: Slots,
    settled: Mapping[str, str],
    windows: tuple[TimeWindow, ...],
    which: JobFilter,
) -> tuple[Chain, tuple[str, ...]]:
    assert slots.ranked is not None
    ranking = Ranking(slots.ranked.descending, slots.ranked.limit)
    counted = (JobMeasure.COUNT,)
    users = JobsRequest(which, counted, (), (Group.USER,), ranking, JobMeasure.COUNT)
    plain = replace(slots, ranked=None, groups=(), superlatives=())
    during = replace(which, users=())
    request, notes = readings_request(plain, settled, windows, ChartHint(), during)
    request = replace(
        request,
        wanted=Wanted.MEASURES,
        measures=slots.measures or (Measure.AVERAGE,),
        groups=(Group.USER,),
    )
    return UsersThenReadings(users, request), (
        *notes,
        f"Users are ranked by their number of jobs {which.time.value} the window; the readings"
        " are those of the jobs' nodes while they ran, within the window.",
    )
