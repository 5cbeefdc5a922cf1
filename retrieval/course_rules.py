"""Slots to a request for the course of values over time: which periods, which moments."""

import re
from collections.abc import Sequence
from dataclasses import replace

from retrieval.condition_words import DURATION_UNITS, Bound
from retrieval.data_request import ReadingsRequest
from retrieval.gap_words import SILENCE
from retrieval.group_rules import ranking_of, speaks_of_sum
from retrieval.job_request import JobFilter
from retrieval.measures import (
    OF_CHANGE,
    OF_MISSING,
    Applies,
    Comparison,
    Condition,
    Course,
    Group,
    Ranking,
    Wanted,
)
from retrieval.metric_choice import Chosen
from retrieval.request import EntityKind, TimeWindow
from retrieval.share_words import ShareOf
from retrieval.slots import Slots
from retrieval.understanding import Why, stop
from retrieval.units import in_unit

_IN_TIME = frozenset({"s", "h", "min"})
_SINGLE = frozenset(
    {Course.FIRST_PERIOD, Course.LAST_PERIOD, Course.FIRST_AND_LAST, Course.LONGEST_PERIOD}
)

_DENIED = re.compile(r"(?:never|not|no\s+longer)\b", re.IGNORECASE)
"""Who was never above a bound for an hour is not who was below it for an hour."""


def without_lengths(slots: Slots, chosen: Sequence[Chosen]) -> tuple[Slots, float]:
    """``slots`` without a bound on how long a period lasts, and that bound in seconds.

    "Above 1.2 kW for more than 10 minutes" sets two bounds, of which one is on the period.
    """
    missing = bool(set(slots.course.asked) & OF_MISSING)
    several = len(slots.bounds) != (1 if missing else 2)
    if len(chosen) != 1 or several or (chosen[0].quantity.unit in _IN_TIME and not missing):
        return slots, 0.0
    lengths = [bound for bound in slots.bounds if bound.unit in DURATION_UNITS]
    rest = tuple(bound for bound in slots.bounds if bound not in lengths)
    if len(lengths) != 1 or len(rest) != (0 if missing else 1):
        return slots, 0.0
    if not missing and (slots.asks_how_long or slots.while_bound or slots.measures):
        return slots, 0.0
    if any(_DENIED.match(bound.condition.words) for bound in rest):
        raise stop(
            Why.NOT_UNDERSTOOD,
            "I can tell which did so for longer than a time, but not which never did. Please ask"
            " for those that did.",
        )
    return replace(slots, bounds=rest), seconds_of(lengths[0])


def seconds_of(bound: Bound) -> float:
    """The length that a period must have at least; raises ReadingStops for a bound from above."""
    seconds = in_unit(bound.condition.bound, bound.unit, "s")
    longer = bound.condition.comparison in (Comparison.ABOVE, Comparison.AT_LEAST)
    if seconds is None or not longer:
        raise stop(
            Why.NOT_UNDERSTOOD,
            f"I can list periods that last longer than a time, not '{bound.condition.words}'.",
        )
    return seconds


def course_of(slots: Slots, condition: Condition | None, longer: float) -> Course | None:
    """What of the course of values is asked; raises ReadingStops where a bound is missing."""
    asked = slots.course.asked
    if set(asked) & OF_MISSING:
        if condition is not None:
            raise stop(Why.NOT_UNDERSTOOD, "A gap has no values that could keep a bound.")
        return asked[0]
    if Course.BETWEEN_TIMES in asked:
        return None
    if set(asked) & OF_CHANGE:
        if condition is not None or len(asked) > 1:
            raise stop(
                Why.NOT_UNDERSTOOD,
                "I can tell when a value changed or stepped most, but not against a bound, and one"
                " direction at a time.",
            )
        return asked[0]
    who = slots.asks_owners or slots.counts_owners or slots.asks_days
    if slots.silent and condition is None and not who and (slots.asks_when or slots.asks_how_long):
        return Course.GAPS
    if condition is None:
        if not asked:
            return None
        raise stop(
            Why.NOT_UNDERSTOOD,
            "Periods, and how often, need one bound on one quantity: above or below which value?",
        )
    if slots.correlation or slots.silent or (slots.while_bound and slots.measures):
        return None
    if Course.NEIGHBOURS in asked:
        return Course.NEIGHBOURS
    if slots.course.often is not None:
        return _of_many(slots, asked)
    single = [course for course in asked if course in _SINGLE]
    if len(single) > 1:
        raise stop(Why.NOT_UNDERSTOOD, "Please ask for the first, last and longest one by one.")
    if single and not (slots.asks_how_long and single[0] is not Course.LONGEST_PERIOD):
        return single[0]
    alone = not (longer or slots.asks_when or slots.asks_how_long)
    if asked == (Course.PERIOD_COUNT,) and alone:
        return Course.PERIOD_COUNT
    if asked or longer or slots.asks_when or _tells_itself(slots):
        return Course.PERIODS
    return None


def _of_many(slots: Slots, asked: tuple[Course, ...]) -> Course:
    """What is told of the things that kept a bound so often: when, or how many times."""
    if set(asked) - {Course.PERIOD_COUNT, Course.PERIODS}:
        raise stop(
            Why.NOT_UNDERSTOOD, "I can say who did so so often, but not the longest or first."
        )
    timed = slots.asks_when or slots.asks_how_long or Course.PERIODS in asked
    return Course.PERIODS if timed else Course.PERIOD_COUNT


def _tells_itself(slots: Slots) -> bool:
    """Whether a bound without a word on what is asked of it is told by its periods.

    So is "did it exceed", and an alarm.
    """
    names_owners = slots.asks_owners or slots.counts_owners or slots.asks_days or slots.asks_index
    shared = slots.share.of is not ShareOf.NOTHING
    if names_owners or slots.asks_how_long or slots.measures or shared:
        return False
    return slots.asks_whether or not slots.bounds


def course_request(
    slots: Slots,
    chosen: Sequence[Chosen],
    windows: tuple[TimeWindow, ...],
    course: Course,
    condition: Condition | None,
    longer: float = 0.0,
    during: JobFilter | None = None,
) -> ReadingsRequest:
    """The request for ``course`` of the one quantity that is ``chosen``."""
    one = chosen[0]
    if len(chosen) > 1:
        raise stop(Why.NOT_UNDERSTOOD, "I can follow one quantity at a time; please ask in parts.")
    if slots.at_instant:
        raise stop(Why.NOT_UNDERSTOOD, "A moment has no course over time. From when to when?")
    if condition is not None:
        condition = replace(condition, applies=Applies.SAMPLE)
    sums = speaks_of_sum(slots, one) and condition is not None
    _refuse_unfit(slots, one, course)
    return ReadingsRequest(
        wanted=Wanted.COURSE,
        quantities=(one.quantity,),
        owners=(one.owners,),
        windows=windows,
        groups=_keys(slots, one, sums),
        condition=condition,
        course=course,
        longer=longer,
        often=slots.course.often,
        ranking=_ranking(slots),
        during=during,
        combined=sums,
    )


def _refuse_unfit(slots: Slots, one: Chosen, course: Course) -> None:
    """Raise ReadingStops where what is asked of the course cannot be told of ``one``."""
    if one.quantity.summed:
        raise stop(
            Why.NOT_UNDERSTOOD,
            f"I can follow single sensors over time, but {one.quantity.label} is a sum of several.",
        )
    whose = one.owners
    if course is Course.NEIGHBOURS and (
        whose.kind is not EntityKind.NODE
        or len(whose.names) != 1
        or whose.racks
        or len(one.quantity.metrics) > 1
    ):
        raise stop(Why.NOT_UNDERSTOOD, "Neighbours are those of one node: name it, and one metric.")
    if course in OF_CHANGE and speaks_of_sum(slots, one):
        raise stop(
            Why.NOT_UNDERSTOOD,
            "I can tell how the power of single nodes changes, but not yet that of a rack or the"
            " machine as a whole. Please ask about 'nodes', or compare two times.",
        )


def _keys(slots: Slots, one: Chosen, sums: bool) -> tuple[Group, ...]:
    """What tells the rows apart: each sensor, or what sensors are added up over."""
    many = len(one.quantity.metrics) > 1 and not one.quantity.summed
    keys = [] if sums else [Group.OWNER, *([Group.INDEX] if many else [])]
    racks = EntityKind.RACK in slots.all_asked or Group.RACK in slots.groups
    if racks or (sums and len(one.owners.racks) > 1):
        keys.insert(0, Group.RACK)
    return tuple(keys)


def _ranking(slots: Slots) -> Ranking | None:
    """How things are ranked by their periods: "which node exceeded 30 °C most often"."""
    named = bool(slots.asks_owners or slots.counted_owners) and not slots.ranked
    if set(slots.course.asked) & (OF_CHANGE | {Course.LONGEST_GAP}) and named:
        return Ranking(True, slots.counted_owners[0] if slots.counted_owners else None)
    if slots.superlatives and not slots.ranked:
        number = slots.counted_owners[0] if slots.counted_owners is not None else 1
        return Ranking(slots.superlatives[0], number)
    return ranking_of(slots)


def implied_note(slots: Slots) -> tuple[str, ...]:
    """That a metric was taken to tell what is missing, where the question names none."""
    implied = [m for m in slots.mentions if m.span == (0, 0) and SILENCE.search(m.words.lower())]
    return tuple(
        f"No metric was named: what is missing is told by {mention.candidates[0].label}."
        for mention in implied
    )


def asks_change(slots: Slots, windows: tuple[TimeWindow, ...], has_bound: bool) -> bool:
    """Whether the change from one time to another is asked; raises ReadingStops without two."""
    if Course.BETWEEN_TIMES not in slots.course.asked:
        return False
    if len(windows) != 2 or has_bound:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "A change from one time to another needs two times, such as '10:00 to 11:00 and 12:00"
            " to 13:00'. I can also tell when a value changed most, or its rate of change.",
        )
    return True
