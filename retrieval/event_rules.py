"""Slots to a chain: an event of a node or job is found first, then readings around it."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from retrieval.asking import ChartHint
from retrieval.data_request import EventThenReadings, ReadingsRequest
from retrieval.entity_rules import NamedEntities
from retrieval.event_words import Event, EventWords
from retrieval.job_request import JobColumn, JobFilter, JobsRequest
from retrieval.job_words import JobWords
from retrieval.measures import Wanted
from retrieval.reading_rules import readings_request
from retrieval.request import Entity, EntityKind, TimeWindow
from retrieval.site_request import CheckResultKind, ChecksRequest
from retrieval.slots import Slots
from retrieval.state_rules import LOOK_BACK
from retrieval.understanding import Why, stop

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
