"""By what single jobs are put in order: their lengths, their size, their times, or hours."""

import re

from retrieval.job_filters import job_time
from retrieval.job_request import JobColumn, JobMeasure, JobTime
from retrieval.measures import Ranking
from retrieval.ranking_words import FIRST, LAST
from retrieval.request import EntityKind
from retrieval.slots import Slots
from retrieval.understanding import Why, stop

_MOST = re.compile(
    r"\b(?:most|fewest|(?:highest|largest|lowest)\s+number\s+of)\s+(?P<what>gpus|cores|nodes)\b"
)
_BY = re.compile(
    r"\bby\s+(?:the\s+|their\s+|its\s+)?(?:(?:number|count)\s+of\s+)?(?P<what>gpus?|cores?|nodes?|size)"
    r"(?:\s+counts?)?\b(?![-\s]*hours?\b)"
)
_COUNTS = {
    "gpu": JobColumn.GPUS,
    "core": JobColumn.CORES,
    "node": JobColumn.NODE_COUNT,
    "size": JobColumn.NODE_COUNT,
}
_MOMENTS = {JobTime.ENDED: JobColumn.END, JobTime.SUBMITTED: JobColumn.SUBMIT}
_LARGE = frozenset({"largest", "biggest", "smallest"})
_LONG = frozenset({"longest", "shortest"})
_LENGTH = re.compile(r"\b(?:longest|shortest)\b")
_WAITING_JOB = re.compile(r"\b(?:longest|shortest)[-\s]+(?:waiting|queued|pending)\s+jobs?\b")
_SEVERAL = re.compile(r"\bjobs\b")
_OWN = _LARGE | _LONG | {FIRST, LAST}
HOURS = frozenset(
    {
        *(JobMeasure.NODE_HOURS, JobMeasure.CORE_HOURS),
        *(JobMeasure.THREAD_HOURS, JobMeasure.GPU_HOURS),
    }
)


def ranks_jobs(slots: Slots) -> bool:
    """Whether single jobs are to be put in order."""
    if slots.ranked is not None:
        return slots.ranked.noun is EntityKind.JOB
    counted = slots.counted_owners is not None and slots.counted_owners[1] is EntityKind.JOB
    if slots.superlatives and _WAITING_JOB.search(slots.text.lower()):
        return True
    if slots.superlatives and (slots.asks_owners is EntityKind.JOB or counted):
        return True
    alone = not slots.groups and not set(slots.jobs.measures) - HOURS
    return alone and slots.order.said and slots.order.noun is EntityKind.JOB


def ranked_by_jobs(slots: Slots) -> JobColumn | None:
    """By what of their own jobs are ranked before readings are taken during them.

    None where a reading ranks them: "top 5 jobs by energy", "the hungriest jobs".
    """
    ranked = slots.ranked
    if ranked is None or ranked.noun is not EntityKind.JOB:
        return None
    own = slots.jobs.waiting or slots.jobs.running_time or ranked.adjective in _OWN
    counted = _BY.search(slots.text.lower()) or _MOST.search(slots.text.lower())
    return job_order(slots) if own or counted else None


def job_ranking(slots: Slots) -> Ranking:
    """Which way, and how many, where jobs or groups of them are put in order."""
    if slots.ranked is not None:
        ends = slots.superlatives
        descending = ends[0] if ends else slots.ranked.descending
        return Ranking(descending, slots.order.limit or slots.ranked.limit)
    if slots.superlatives:
        limit = 10 if ranks_jobs(slots) and _SEVERAL.search(slots.text.lower()) else 1
        limit = slots.counted_owners[0] if slots.counted_owners is not None else limit
        return Ranking(slots.superlatives[0], limit)
    return Ranking(bool(slots.order.descending), slots.order.limit)


def job_order(slots: Slots) -> JobColumn | None:
    """By what single jobs are ranked: "the longest job", "which job waited longest".

    None where no jobs are ranked, or where they are by the hours that they used. Raises
    ReadingStops where it is not said by what.
    """
    if not ranks_jobs(slots) or HOURS & set(slots.jobs.measures):
        return None
    adjective = slots.ranked.adjective if slots.ranked is not None else ""
    if adjective in (FIRST, LAST):
        # "the first job that failed" is the one that ended first
        return _MOMENTS.get(job_time(slots), JobColumn.START)
    if slots.jobs.waiting:
        return JobColumn.WAIT
    named = _MOST.search(slots.text.lower()) or _BY.search(slots.text.lower())
    if named is not None:
        return _COUNTS[named["what"].removesuffix("s") if named["what"] != "size" else "size"]
    if EntityKind.NODE in slots.counts_owners or adjective in _LARGE:
        return JobColumn.NODE_COUNT
    if slots.jobs.running_time or adjective in _LONG or _LENGTH.search(slots.text.lower()):
        return JobColumn.RUN
    raise stop(
        Why.NOT_UNDERSTOOD,
        "By what should the jobs be put in order: by run time, waiting time, number of nodes,"
        " node-hours, energy, or a reading of their nodes?",
    )
