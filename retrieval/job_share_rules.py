"""Shares of jobs: which jobs are the part, and of which they are a part."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from retrieval.job_request import JobFilter, JobMeasure, JobsRequest, JobTime
from retrieval.measures import Group
from retrieval.request import EntityKind
from retrieval.slots import Slots
from retrieval.understanding import ReadingStops, Why, stop

STILL_RUNNING = "Jobs that had not ended by now have no final state and do not count."
_BOUNDED = ("node_count", "run_seconds", "wait_seconds", "gpu_count")
_NAMED = (EntityKind.USER, EntityKind.PARTITION, EntityKind.NODE, EntityKind.RACK)
_NOUN_BEHIND = re.compile(r"\s+(?:(?:single|one|multi)-node\s+)?(?:jobs?|workloads?)\b")
_JOINED = re.compile(r"\b(?:and|or|but|nor|then)\b|[,;]")
_RAN_LONG = re.compile(
    r"\bran\s+(?:for\s+)?(?:longer|shorter|more|less|fewer|over|under|at\s+(?:least|most))\b"
)


def job_shares_request(
    slots: Slots, which: JobFilter, groups: Sequence[Group], now: datetime
) -> tuple[JobsRequest, tuple[str, ...]]:
    """How many jobs each group has, of all of them, with what must be said of that.

    Raises ReadingStops where it is not clear which jobs are the part, and of which.
    """
    states = slots.jobs.states
    others = tuple(group for group in groups if group is not Group.STATE)
    bounded = any(getattr(which, name) is not None for name in _BOUNDED)
    if not states:
        if bounded or not groups:
            raise stop(
                Why.NOT_UNDERSTOOD,
                "I can give the share of jobs that ended in a state, or the shares of users,"
                " partitions or the like. Which one do you want?",
            )
        which, notes = _of_outcomes(slots, which, now) if Group.STATE in groups else (which, ())
        return JobsRequest(which, (JobMeasure.COUNT,), (), tuple(groups), share_of=()), notes
    named = any(slots.entities.of(kind) for kind in _NAMED)
    if slots.share.states and slots.jobs.states_at:
        raise _unclear(slots)
    if _leads(slots) and (others or named or bounded):
        raise _unclear(slots)
    if bounded and not slots.share.states and not _bounds_lead(slots):
        raise _unclear(slots)
    which, notes = _of_outcomes(slots, which, now)
    by = (*others, Group.STATE)
    whole = replace(which, states=())
    return JobsRequest(whole, (JobMeasure.COUNT,), (), by, share_of=states), notes


def _leads(slots: Slots) -> bool:
    """Whether a state stands before the noun: "failed jobs" may be the part or the whole."""
    text = slots.text.lower()
    return any(_NOUN_BEHIND.match(text, end) for _, end in slots.jobs.states_at)


def _bounds_lead(slots: Slots) -> bool:
    """Whether the bounds tell the whole: "of the jobs longer than 1 h" so many failed."""
    last = max(end for _, end in slots.jobs.bounded_at)
    first = min(start for start, _ in slots.jobs.states_at)
    return last <= first and not _JOINED.search(slots.text.lower(), last, first)


def _unclear(slots: Slots) -> ReadingStops:
    return stop(
        Why.NOT_UNDERSTOOD,
        "It is not clear which jobs are the part and which the whole. Please ask as in 'what share"
        " of the jobs of user 17 failed' or 'what share of the jobs longer than 1 hour failed'.",
    )


def _of_outcomes(
    slots: Slots, which: JobFilter, now: datetime
) -> tuple[JobFilter, tuple[str, ...]]:
    """``which`` for jobs that have a final state, with what must be said of that."""
    if slots.at_instant:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "Jobs that run at a moment have no final state yet. From when to when should jobs have"
            " ended?",
        )
    # In "ran longer than 1 h" the verb tells a length, and no relation to the time.
    if which.time is JobTime.OVERLAPS and _RAN_LONG.search(slots.text.lower()):
        which = replace(which, time=JobTime.ENDED)
    if which.time is JobTime.ENDED or which.window is None:
        return which, ()
    return replace(which, ended_by=now), (STILL_RUNNING,)
