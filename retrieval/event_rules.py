"""Slots to a chain: an event of a node or job is found first, then readings around it."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from retrieval.asking import ChartHint
from retrieval.data_request import EventThenJobs, EventThenReadings, ReadingsRequest
from retrieval.entity_rules import NamedEntities
from retrieval.event_words import Event, EventWords
from retrieval.job_request import JobColumn, JobFilter, JobsRequest, JobTime
from retrieval.job_rules import jobs_request
from retrieval.job_words import JobWords
from retrieval.measures import Wanted
from retrieval.reading_rules import readings_request
from retrieval.request import Entity, EntityKind, TimeWindow
from retrieval.site_request import CheckResultKind, ChecksRequest
from retrieval.slots import Slots
from retrieval.time_reading import LOOK_BACK
from retrieval.understanding import Why, stop

RESULTS_APART = 900.0
"""Seconds between two results of a check, in which a state begins that the second one tells."""
_WHO_RAN = re.compile(r"\bwho\s+(?:ran|was\s+running|had\s+jobs?)\b", re.IGNORECASE)
_JOB = re.compile(r"\bjobs?\b", re.IGNORECASE)
_JOB_COLUMNS = (JobColumn.STATE, JobColumn.START, JobColumn.END, JobColumn.NODES)


def event_chain(
    slots: Slots,
    settled: Mapping[str, str],
    windows: tuple[TimeWindow, ...],
    chart: ChartHint,
    now: datetime,
) -> tuple[EventThenReadings, tuple[str, ...]]:
    """The chain that ``slots`` with an event amount to; raises ReadingStops where it is open."""
    event = slots.event
    if event.open and not event.whole:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "How long before or after? Please say it, as in 'in the hour before' or '10 minutes"
            " after'.",
        )
    slots = without_event_job(slots)
    if len(windows) > 1 or slots.jobs.mentioned or slots.checks.mentioned:
        raise stop(Why.NOT_UNDERSTOOD, "I can take readings around one event. Please ask in parts.")
    slots = _with_node(slots)
    inside = windows[0] if windows else None
    readings, notes = readings_request(
        slots, settled, (inside or TimeWindow(now - LOOK_BACK, now, True),), chart
    )
    if readings.instant or readings.wanted in (Wanted.CORRELATION, Wanted.SILENT_DAYS):
        raise stop(Why.NOT_UNDERSTOOD, "I can take values or a series around an event, no more.")
    first = _first(event, slots, inside, now)
    chain = EventThenReadings(
        first, readings, event.before, event.after, event.whole, event.at_end, inside
    )
    return chain, notes


def event_jobs(
    slots: Slots, windows: tuple[TimeWindow, ...], now: datetime
) -> tuple[EventThenJobs, tuple[str, ...]]:
    """The jobs on a node around its event; raises ReadingStops where that is not asked."""
    event = slots.event
    asks_jobs = slots.jobs.mentioned or _WHO_RAN.search(slots.text)
    known = event.kind in (Event.DOWN, Event.DRAIN) and not (event.open or event.whole)
    if not (asks_jobs and known) or slots.checks.mentioned or len(windows) > 1:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "Around an event I can take readings, or list the jobs of a node: before, after or when"
            " it went down or was drained. For how long before or after?",
        )
    slots = _with_node(slots)
    inside = windows[0] if windows else None
    jobs, notes = jobs_request(slots, (inside or TimeWindow(now - LOOK_BACK, now, True),), now, "")
    if jobs.measures or jobs.groups or jobs.ranking:
        raise stop(Why.NOT_UNDERSTOOD, "Around an event I can list the jobs, and not count them.")
    first = _first(event, slots, inside, now)
    assert isinstance(first, ChecksRequest)
    before, after = event.before, event.after
    if event.then:
        before, after = RESULTS_APART, 0.0
    jobs = replace(jobs, which=replace(jobs.which, nodes=first.nodes, time=JobTime.OVERLAPS))
    return EventThenJobs(first, jobs, before, after, inside, event.at_end), notes


def without_event_job(slots: Slots) -> Slots:
    """``slots`` without the word "job" where it only names the event."""
    alone = slots.event.job is not None and len(_JOB.findall(slots.text)) == 1
    return replace(slots, jobs=JobWords()) if alone else slots


def _with_node(slots: Slots) -> Slots:
    """``slots`` with the event's node as what is asked about, where no other is named."""
    if not slots.event.node or slots.entities.found:
        return slots
    named = Entity(EntityKind.NODE, slots.event.node)
    return replace(slots, entities=NamedEntities((named,), (), ()), names_nodes=True)


def _first(
    event: EventWords, slots: Slots, inside: TimeWindow | None, now: datetime
) -> ChecksRequest | JobsRequest:
    if event.kind is Event.JOB:
        assert event.job is not None
        return JobsRequest(JobFilter(ids=(event.job,)), columns=_JOB_COLUMNS)
    nodes = (event.node,) if event.node else slots.entities.of(EntityKind.NODE)
    if len(nodes) != 1:
        raise stop(Why.NOT_UNDERSTOOD, "I need one node whose event gives the time.")
    last = inside.end if inside is not None else now
    start = (inside.start if inside is not None else now) - LOOK_BACK
    window = TimeWindow(start, last, inside.includes_end if inside is not None else True)
    plain = ChecksRequest(CheckResultKind.PERIODS, window, nodes=nodes)
    if event.kind is Event.DRAIN:
        return replace(plain, drained=True)
    return replace(plain, checks=("alive::ping",), states=(1, 2, 3))


def around(
    chain: EventThenReadings, start: datetime, end: datetime | None
) -> tuple[TimeWindow, ...] | None:
    """The windows of the readings around a state from ``start`` to ``end``; None without an end.

    Before and after are two windows where values are computed, and one for a series.
    """
    if chain.whole:
        return (TimeWindow(start, end, True),) if end is not None else None
    moment = end if chain.at_end else start
    if moment is None:
        return None
    before, after = timedelta(seconds=chain.before), timedelta(seconds=chain.after)
    if chain.before and chain.after and chain.readings.wanted is Wanted.SERIES:
        return (TimeWindow(moment - before, moment + after, True),)
    windows = [TimeWindow(moment - before, moment)] if chain.before else []
    windows += [TimeWindow(moment, moment + after, True)] if chain.after else []
    return tuple(windows)


def of_job_nodes(readings: ReadingsRequest, nodes: tuple[str, ...]) -> ReadingsRequest:
    """``readings`` of the nodes of the event's job, where no node is named."""
    owners = tuple(
        replace(one, names=nodes)
        if one.kind is EntityKind.NODE and not one.names and not one.racks
        else one
        for one in readings.owners
    )
    return replace(readings, owners=owners)


def jobs_around(chain: EventThenJobs, start: datetime, end: datetime | None) -> JobsRequest:
    """The jobs of ``chain`` that ran around a state from ``start`` to ``end``."""
    moment = end if chain.at_end and end is not None else start
    before, after = timedelta(seconds=chain.before), timedelta(seconds=chain.after)
    window = TimeWindow(moment - before, moment + after, True)
    return replace(chain.jobs, which=replace(chain.jobs.which, window=window))
