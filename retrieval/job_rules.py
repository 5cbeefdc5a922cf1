"""Slots to a JobsRequest, and to chains that start from jobs."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from retrieval.job_filters import job_filter
from retrieval.job_order import HOURS, job_order, job_ranking, ranks_jobs
from retrieval.job_request import JobColumn, JobFilter, JobMeasure, JobsRequest, JobTime
from retrieval.job_share_rules import job_shares_request
from retrieval.measures import Group
from retrieval.query_text import is_lower_bound
from retrieval.request import EntityKind, TimeWindow
from retrieval.share_words import ShareOf
from retrieval.slots import Slots
from retrieval.understanding import Why, stop
from retrieval.units import unit_named

_GROUPS = (
    Group.OWNER,
    Group.RACK,
    Group.USER,
    Group.STATE,
    Group.PARTITION,
    Group.QOS,
    Group.NODE_COUNT,
    Group.GPUS,
    Group.CORES,
    Group.HOUR,
    Group.DAY,
    Group.WEEK,
)
_LISTED = (
    JobColumn.USER,
    JobColumn.STATE,
    JobColumn.START,
    JobColumn.END,
    JobColumn.NODE_COUNT,
)
_KEYS = {
    EntityKind.USER: Group.USER,
    EntityKind.PARTITION: Group.PARTITION,
    EntityKind.NODE: Group.OWNER,
    EntityKind.RACK: Group.RACK,
}
_COLUMN_GROUPS = {
    JobColumn.STATE: Group.STATE,
    JobColumn.USER: Group.USER,
    JobColumn.PARTITION: Group.PARTITION,
    JobColumn.QOS: Group.QOS,
}
_BY_COUNT = re.compile(
    r"\bby\s+(?:the\s+|their\s+)?(?:number|count)\s+of\s+jobs\b|\b(?:most|fewest)\s+jobs\b"
)
_WHO = re.compile(r"\bwho\b")
_COLUMN_OF = {
    EntityKind.USER: JobColumn.USER,
    EntityKind.PARTITION: JobColumn.PARTITION,
    EntityKind.NODE: JobColumn.NODES,
}
_SIZES = {JobColumn.NODE_COUNT: "SIZE", JobColumn.GPUS: "GPUS", JobColumn.CORES: "CORES"}
_COUNTED = (
    (EntityKind.JOB, JobMeasure.COUNT),
    (EntityKind.NODE, JobMeasure.NODES),
    (EntityKind.USER, JobMeasure.USERS),
)
_NOTES = {
    JobTime.OVERLAPS: "Jobs that were running at any moment of the window count.",
    JobTime.STARTED: "Jobs that started in the window count.",
    JobTime.ENDED: "Jobs that ended in the window count.",
    JobTime.SUBMITTED: "Jobs that were submitted in the window count.",
}


def jobs_request(
    slots: Slots, windows: tuple[TimeWindow, ...], now: datetime, chart: str
) -> tuple[JobsRequest, tuple[str, ...]]:
    """The request over jobs that ``slots`` amount to, with the readings that it takes."""
    window = windows[0] if windows else None
    which = job_filter(slots, window)
    if window is not None and which.time is not JobTime.ENDED:
        which = replace(which, until=now)
    words = slots.jobs
    measures = _measures(slots)
    order = job_order(slots)
    more: Sequence[str] = ()
    if slots.share.of is ShareOf.OWNERS:
        request, more = job_shares_request(slots, which, _groups(slots), now)
    elif chart in ("histogram", "box") and (words.running_time or words.waiting):
        request = _lengths(slots, which)
    elif order is not None:
        request = _ranked_jobs(slots, which, order)
    elif measures or _groups(slots) or _ranks_groups(slots) or chart:
        request = _grouped(slots, which, measures, chart)
    else:
        request = _listed(slots, which)
    notes = [_NOTES[request.which.time]] if window is not None else []
    if words.executed:
        notes.append("'Executed' is taken as started.")
    notes += more
    if HOURS & set(request.measures):
        request, more = _clipped(request)
        notes += more
    if any(not is_lower_bound(bound.comparison) for _, bound in request.having):
        notes.append("What has no such job at all is not listed.")
    if window is not None and any(m.name.startswith("RUN_") for m in request.measures):
        notes.append("Run times are those of whole jobs, also where they reach out of the window.")
        if which.until is not None and window.end >= now:
            notes.append("Of a job that still runs, the run time is that until now.")
    unit = unit_named(slots.unit_wish) if slots.unit_wish else None
    several = windows if len(windows) > 1 else ()
    request = replace(request, unit=unit or request.unit, windows=several, now=now)
    return request, tuple(dict.fromkeys(notes))


def _ranked_jobs(slots: Slots, which: JobFilter, order: JobColumn) -> JobsRequest:
    columns = (*slots.jobs.columns, *_LISTED, order, JobColumn.NODES)
    return JobsRequest(
        which,
        columns=tuple(dict.fromkeys(columns)),
        ranking=job_ranking(slots),
        order_by=order,
    )


def _measures(slots: Slots) -> list[JobMeasure]:
    words = slots.jobs
    measures = list(words.measures)
    for spoken, prefix in ((words.waiting, "WAIT"), (words.running_time, "RUN")):
        if not spoken or words.wait_seconds or words.run_seconds:
            continue
        names = [f"{prefix}_{measure.name}" for measure in slots.measures]
        names += [f"{prefix}_TOTAL"] if slots.added_up else []
        chosen = [JobMeasure[name] for name in names if name in JobMeasure.__members__]
        if not chosen and slots.superlatives:
            chosen = [JobMeasure[f"{prefix}_{'MAX' if slots.superlatives[0] else 'MIN'}IMUM"]]
        if not chosen and slots.entities.of(EntityKind.JOB):
            continue
        measures += chosen or [JobMeasure[f"{prefix}_AVERAGE"]]
    measures += _of_sizes(slots)
    measures += [measure for measure, _ in words.having]
    for counted, measure in _COUNTED:
        if counted in slots.counts_owners and not (words.having or words.sizes):
            measures.append(measure)
    return list(dict.fromkeys(measures))


def _of_sizes(slots: Slots) -> list[JobMeasure]:
    """What is computed from how many nodes, GPUs or cores each job has."""
    ends = ["MAXIMUM" if highest else "MINIMUM" for highest in slots.superlatives]
    wanted = [measure.name for measure in slots.measures] or ends
    names = [f"{_SIZES[column]}_{name}" for column in slots.jobs.sizes for name in wanted]
    return [JobMeasure[name] for name in names if name in JobMeasure.__members__]


def _groups(slots: Slots) -> list[Group]:
    """What jobs are grouped by: as asked, or by the several things that are named."""
    groups = [g for g in slots.groups if g in _GROUPS]
    named = (
        (Group.USER, slots.entities.of(EntityKind.USER)),
        (Group.PARTITION, slots.entities.of(EntityKind.PARTITION)),
        (Group.STATE, slots.jobs.states),
    )
    groups += [group for group, names in named if len(names) > 1]
    one_by_one = EntityKind.NODE, EntityKind.JOB
    named_jobs = slots.entities.of(EntityKind.JOB)
    if slots.asks_owners in _KEYS and slots.asks_owners not in one_by_one and not named_jobs:
        groups.append(_KEYS[slots.asks_owners])
    if slots.jobs.having:
        kinds = (slots.asks_owners, *slots.counts_owners)
        groups += [_KEYS[kind] for kind in kinds if kind in _KEYS]
        groups += [Group.USER] if _WHO.search(slots.text.lower()) and not groups else []
    if slots.asks_days:
        groups.append(Group.DAY)
    if JobMeasure.NODE_HOURS in slots.jobs.measures and not set(groups) & {Group.OWNER, Group.RACK}:
        # of a job on some nodes and on others, only the hours on those that are named count
        places = ((Group.OWNER, EntityKind.NODE), (Group.RACK, EntityKind.RACK))
        groups += [group for group, kind in places if slots.entities.of(kind)][:1]
    return list(dict.fromkeys(groups))


def _ranks_groups(slots: Slots) -> bool:
    ranked = slots.ranked is not None and slots.ranked.noun is not EntityKind.JOB
    return ranked or bool(slots.superlatives and slots.asks_owners in _KEYS)


def _grouped(slots: Slots, which: JobFilter, measures: list[JobMeasure], chart: str) -> JobsRequest:
    groups = _groups(slots)
    ranking = None
    if slots.ranked is not None:
        ranking = job_ranking(slots)
        groups = [_KEYS.get(slots.ranked.noun, Group.USER), *groups]
    elif slots.superlatives and (slots.asks_owners in _KEYS or _ranks(slots, groups)):
        ranking = job_ranking(slots)
        if slots.asks_owners in _KEYS:
            groups = [_KEYS[slots.asks_owners], *groups]
    elif slots.order.said and groups:
        ranking = job_ranking(slots)
    if ranks_jobs(slots):
        ranking, groups = job_ranking(slots), [Group.JOB, Group.USER]
    if chart and not groups:
        shown = [_COLUMN_GROUPS[c] for c in slots.jobs.columns if c in _COLUMN_GROUPS]
        groups = shown or ([] if measures else [Group.DAY])
    elif groups:
        groups += [_COLUMN_GROUPS[c] for c in unnamed_columns(slots) if c in _COLUMN_GROUPS]
    if ranking is not None and _BY_COUNT.search(slots.text.lower()):
        measures = [JobMeasure.COUNT, *(m for m in measures if m is not JobMeasure.COUNT)]
    if slots.jobs.having and (not groups or JobMeasure.NODES in measures):
        bound = slots.jobs.having[0][1].words
        raise stop(Why.NOT_UNDERSTOOD, f"Of what should '{bound}' hold: of users, of partitions?")
    wanted = tuple(measures) or (JobMeasure.COUNT,)
    order = wanted[0] if ranking is not None else None
    return JobsRequest(
        which,
        wanted,
        (),
        tuple(dict.fromkeys(groups)),
        ranking,
        order,
        having=slots.jobs.having,
    )


def _ranks(slots: Slots, groups: Sequence[Group]) -> bool:
    """Whether "highest" puts the groups in order: the longest time of each has none."""
    if slots.jobs.waiting or slots.jobs.running_time or slots.jobs.sizes:
        return slots.asks_days or slots.groups_ranked
    return bool(groups)


def _lengths(slots: Slots, which: JobFilter) -> JobsRequest:
    """The length of each job, for a chart of how they are distributed."""
    if slots.jobs.running_time and slots.jobs.waiting:
        raise stop(Why.NOT_UNDERSTOOD, "Run times or waiting times? I can draw one of them.")
    by = {group: column for column, group in _COLUMN_GROUPS.items()}
    groups = _groups(slots)
    if len(groups) > 1 or not set(groups) <= set(by):
        told = " and ".join(group.value for group in groups)
        raise stop(
            Why.NOT_UNDERSTOOD, f"I cannot draw the lengths of single jobs by {told} in one chart."
        )
    length = JobColumn.WAIT if slots.jobs.waiting else JobColumn.RUN
    return JobsRequest(which, columns=(length, *(by[group] for group in groups)), unit="h")


def unnamed_columns(slots: Slots) -> list[JobColumn]:
    """The columns that are spoken of, but for those whose value the question gives."""
    given = {
        JobColumn.USER: bool(slots.entities.of(EntityKind.USER)),
        JobColumn.STATE: bool(slots.jobs.states),
        JobColumn.PARTITION: bool(slots.entities.of(EntityKind.PARTITION)),
    }
    return [column for column in slots.jobs.columns if not given.get(column, False)]


def _listed(slots: Slots, which: JobFilter) -> JobsRequest:
    asked = [_COLUMN_OF[kind] for kind in slots.all_asked if kind in _COLUMN_OF]
    columns = tuple(dict.fromkeys((*slots.jobs.columns, *asked)))
    lengths = slots.jobs.running_time or slots.jobs.waiting or slots.asks_how_long
    only_nodes = columns == (JobColumn.NODES,) and slots.asks_owners is not EntityKind.JOB
    if only_nodes and not lengths and (which.ids or slots.asks_owners is EntityKind.NODE):
        return JobsRequest(which, columns=(JobColumn.NODES,))
    shown = columns if which.ids and columns else (*columns, *_LISTED)
    if which.ids and not columns:
        shown = (*_LISTED, JobColumn.PARTITION, JobColumn.RUN, JobColumn.NODES)
    if slots.jobs.running_time or slots.asks_how_long:
        shown = (*shown, JobColumn.RUN)
    if slots.jobs.waiting:
        shown = (*shown, JobColumn.WAIT)
    return JobsRequest(which, columns=tuple(dict.fromkeys(shown)))


def _clipped(request: JobsRequest) -> tuple[JobsRequest, list[str]]:
    notes = []
    if JobMeasure.CORE_HOURS in request.measures:
        notes.append(
            "CPU hours are hours of physical cores: the table counts hardware threads,"
            " four to a core."
        )
    if request.which.window is None or request.which.time is not JobTime.OVERLAPS:
        return request, notes
    notes.append("Of each job only the part within the window counts.")
    return replace(request, clipped=True), notes
