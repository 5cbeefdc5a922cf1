"""Which jobs a question is about, and how they stand to its time."""

from retrieval.data_request import ReadingsRequest
from retrieval.job_request import JobFilter, JobTime
from retrieval.measures import Group, Measure
from retrieval.request import EntityKind, TimeWindow
from retrieval.slots import Slots


def job_filter(slots: Slots, window: TimeWindow | None) -> JobFilter:
    """The jobs that the question is about."""
    words = slots.jobs
    entities = slots.entities
    return JobFilter(
        ids=tuple(int(name) for name in entities.of(EntityKind.JOB)),
        users=entities.of(EntityKind.USER),
        states=words.states,
        partitions=entities.of(EntityKind.PARTITION),
        nodes=entities.of(EntityKind.NODE),
        racks=entities.of(EntityKind.RACK),
        node_count=words.width,
        run_seconds=words.run_seconds,
        wait_seconds=words.wait_seconds,
        gpu_count=words.gpu_count,
        time=job_time(slots, timed=window is not None),
        window=window,
    )


def job_time(slots: Slots, *, timed: bool = True) -> JobTime:
    """How the jobs stand to the window, if the question is ``timed``."""
    words = slots.jobs
    if words.executed:
        return JobTime.STARTED
    if words.time is not None:
        # "ended" and "completed" are both in "jobs that completed"; a state alone means the end.
        return words.time
    if slots.at_instant:
        return JobTime.OVERLAPS
    if words.states and timed:
        return JobTime.ENDED
    if set(slots.groups) & {Group.DAY, Group.HOUR, Group.WEEK}:
        return JobTime.STARTED
    return JobTime.OVERLAPS


def during_notes(request: ReadingsRequest) -> tuple[str, ...]:
    """What must be said of readings that are taken while jobs run."""
    told = []
    if request.windows and Group.JOB in request.groups:
        told.append("Of each job only the readings within the window count.")
    if Measure.ENERGY in request.measures:
        told.append("A node adds no energy to a job during which it has a single sample.")
    return tuple(told)
