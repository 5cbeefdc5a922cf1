"""Slots to periods of a state: how long and when nodes were drained, down or not OK."""

import re
from dataclasses import replace
from datetime import datetime

from retrieval.condition_words import DURATION_UNITS
from retrieval.course_rules import seconds_of
from retrieval.measures import Course
from retrieval.request import TimeWindow
from retrieval.site_request import CheckResultKind, ChecksRequest
from retrieval.slots import Slots
from retrieval.time_reading import LOOK_BACK
from retrieval.understanding import Why, stop

_TOLD = frozenset(
    {
        *(Course.PERIODS, Course.PERIOD_COUNT, Course.LONGEST_PERIOD),
        *(Course.FIRST_PERIOD, Course.LAST_PERIOD),
    }
)

_PAST = re.compile(
    r"\b(?:did|was|were|had|went|often|times|total|first|last|longest)\b", re.IGNORECASE
)
"""What speaks of all periods that there were, and not of one that lasts."""
_LASTS = re.compile(
    r"\b(?:since|still|now|currently|at\s+the\s+moment|is|are|has|have)\b", re.IGNORECASE
)


def asks_periods(slots: Slots) -> bool:
    """Whether the periods of a state are asked, rather than who was in it."""
    said = slots.asks_how_long or slots.asks_when or slots.checks.causes or slots.course.asked
    return bool(said or slots.course.often or _lengths(slots))


def _lengths(slots: Slots) -> bool:
    """Whether the one bound is on how long the state lasts."""
    return len(slots.bounds) == 1 and slots.bounds[0].unit in DURATION_UNITS


def as_periods(
    request: ChecksRequest, slots: Slots, now: datetime
) -> tuple[ChecksRequest, tuple[str, ...]]:
    """``request`` as one for the periods in which it held; a moment asks for what lasts then."""
    asked = set(slots.course.asked) - {Course.PERIODS}
    if asked - _TOLD or len(asked) > 1:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "Of states I can tell the periods: when, how long, how often, the longest, the first"
            " and the last; one of them at a time.",
        )
    course = next(iter(asked), Course.PERIODS)
    timed = slots.asks_when or slots.asks_how_long or Course.PERIODS in slots.course.asked
    if slots.course.often is not None:
        if course not in (Course.PERIODS, Course.PERIOD_COUNT):
            raise stop(Why.NOT_UNDERSTOOD, "I can say who was so so often, and when, no more.")
        course = Course.PERIODS if timed else Course.PERIOD_COUNT
    elif course is Course.PERIOD_COUNT and timed:
        course = Course.PERIODS
    if slots.checks.causes and not request.drained:
        raise stop(Why.NOT_UNDERSTOOD, "I can tell the failing checks of drained nodes only.")
    states = request.states
    if request.drained and not request.checks:
        states = ()
    request = replace(
        request,
        kind=CheckResultKind.PERIODS,
        states=states,
        instant=False,
        share=False,
        causes=slots.checks.causes,
        course=course,
        often=slots.course.often,
        longer=seconds_of(slots.bounds[0]) if _lengths(slots) else 0.0,
    )
    if not slots.times.windows and _PAST.search(slots.text) and not _LASTS.search(slots.text):
        window = TimeWindow(now - LOOK_BACK, now, True)
        return replace(request, window=window), (
            f"No time was named: the {LOOK_BACK.days} days before now were looked at.",
        )
    if not slots.times.windows or request.window.start == request.window.end:
        end = request.window.end if slots.times.windows else now
        window = TimeWindow(end - LOOK_BACK, end, True)
        return replace(request, window=window, ongoing=True), ()
    return request, ()
