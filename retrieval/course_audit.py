"""Holds a request for the course of values against the question: nothing read may be dropped."""

import re

from retrieval.data_request import Asked, ReadingsRequest
from retrieval.measures import OF_CHANGE, OF_MISSING, Comparison, Course, Group, Measure
from retrieval.request import EntityKind
from retrieval.share_words import ShareOf
from retrieval.site_request import CheckResultKind, ChecksRequest
from retrieval.slots import Slots
from retrieval.time_reading import Granularity

_LONGEST = re.compile(r"\b(?:longest|shortest)\b", re.IGNORECASE)
_KEYS = frozenset({Group.OWNER, Group.INDEX, Group.RACK, Group.PARTITION})
_RANKED = OF_CHANGE | {
    Course.PERIOD_COUNT,
    Course.REBOOTS,
    Course.LONGEST_PERIOD,
    Course.LONGEST_GAP,
}
_NO_OWNERS = frozenset({EntityKind.JOB, EntityKind.USER})


def course_unused(slots: Slots, request: ReadingsRequest) -> tuple[str, ...]:
    """What the question says that a request for a course does not take up, in words."""
    course = request.course
    ranks = request.ranking is not None and course in _RANKED
    asked = set(slots.all_asked) | {slots.asks_owners}
    extremes = slots.ranked is not None and slots.ranked.by_mean
    checks = (
        (bool(set(slots.measures) - _told(request)), "the measure"),
        (bool(slots.superlatives or slots.counted_owners) and not ranks, "highest or lowest"),
        (slots.ranked is not None and (not ranks or extremes), "the ranking"),
        (slots.asks_how_long and course is Course.PERIOD_COUNT, "how long"),
        (slots.asks_when and course is Course.PERIOD_COUNT, "when"),
        (slots.asks_days or slots.groups_ranked, "on which days"),
        (bool(slots.counts_owners) and not _counted(request), "how many"),
        (slots.course.often is not None and not _keeps_often(request), "how often"),
        (bool(asked & _NO_OWNERS), "which jobs or users"),
        (slots.jobs.mentioned and (request.during is None or course in OF_MISSING), "jobs"),
        (slots.checks.mentioned, "monitoring checks"),
        (slots.silent and course not in OF_MISSING, "without data"),
        (slots.difference, "the difference"),
        (slots.correlation, "the correlation"),
        (bool(slots.resolution or slots.bucket_words), "the interval"),
        (slots.asks_how_long and course is Course.NEIGHBOURS, "how long"),
        (slots.asks_when and course is Course.NEIGHBOURS, "when"),
        (slots.added_up or slots.together or slots.as_a_whole, "the sum"),
        (any(w.granularity is Granularity.INSTANT for w in slots.times.windows), "the moment"),
        (bool(set(slots.groups) - _KEYS), "the grouping"),
        (slots.share.of is not ShareOf.NOTHING, "the share"),
        (slots.order.said and not ranks, "the order"),
    )
    return tuple(words for failed, words in checks if failed)


def _counted(request: ReadingsRequest) -> bool:
    """Whether the answer says how many things there are."""
    return bool(request.longer or request.often or request.course is Course.GAPS)


def _keeps_often(request: ReadingsRequest) -> bool:
    periods = (Course.PERIODS, Course.PERIOD_COUNT, Course.REBOOTS)
    return request.often is not None and request.course in periods


def course_lost(slots: Slots, asked: Asked) -> tuple[str, ...]:
    """What a question asks of a course that a request of another kind has no place for."""
    changes = isinstance(asked, ReadingsRequest) and asked.change
    taken = {Course.BETWEEN_TIMES} if changes else set()
    if isinstance(asked, ChecksRequest) and asked.kind is CheckResultKind.PERIODS:
        taken = {Course.PERIODS, asked.course}
        if asked.often is not None:
            taken.add(Course.PERIOD_COUNT)
    lost = [course.value for course in slots.course.asked if course not in taken]
    if slots.course.often is not None and not (
        isinstance(asked, ChecksRequest) and asked.often is not None
    ):
        lost.append("how often")
    if changes and slots.superlatives:
        lost.append("highest or lowest")
    told = isinstance(asked, ChecksRequest) and asked.course is Course.LONGEST_PERIOD
    if slots.bounds and not (slots.jobs.mentioned or told) and _LONGEST.search(slots.text):
        lost.append("the longest")
    return tuple(lost)


def _told(request: ReadingsRequest) -> set[Measure]:
    """The measures that are told of each period anyway."""
    condition = request.condition
    if condition is None or request.course is Course.PERIOD_COUNT:
        return set()
    low = condition.comparison in (Comparison.BELOW, Comparison.AT_MOST)
    return {Measure.MINIMUM if low else Measure.MAXIMUM}
