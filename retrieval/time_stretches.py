"""Stretches of a longer period: ``first week of June``, ``second half of 2022``, ``end of May``."""

from collections.abc import Callable
from itertools import pairwise

from retrieval.time_calendar import DAY, DateSpan, Known, day_span
from retrieval.time_dates import calendar_at
from retrieval.time_days import Calendar, Days, Named
from retrieval.time_lengths import Length, length_at
from retrieval.time_periods import period_at
from retrieval.time_quarters import ordinal_at
from retrieval.time_reading import Granularity
from retrieval.time_tokens import Words, remembered
from retrieval.time_words import WEEKDAYS

_EDGES = {
    "start": "start",
    "beginning": "start",
    "early": "start",
    "end": "end",
    "late": "end",
    "middle": "middle",
    "mid": "middle",
}
_ADJECTIVES = frozenset({"early", "mid", "late"})
_EDGE_DAYS = {
    Granularity.WEEK: (2, 1),
    Granularity.MONTH: (10, 7, 1),
    Granularity.QUARTER: (30, 10),
    Granularity.YEAR: (31, 90),
}
_GRANULARITIES = {
    "day": Granularity.DAY,
    "week": Granularity.WEEK,
    "month": Granularity.MONTH,
    "quarter": Granularity.QUARTER,
    "year": Granularity.YEAR,
}


@remembered
def days_at(words: Words, i: int, *, day_first: bool) -> tuple[Days, int] | None:
    """The date or period that starts at ``i`` and the index after it."""
    return _stretch_at(words, i, day_first=day_first) or whole_at(words, i, day_first=day_first)


@remembered
def whole_at(words: Words, i: int, *, day_first: bool) -> tuple[Days, int] | None:
    """A date, or a period that is not part of another."""
    start = words.after(i, "the month of", "the year", "month of", "the date", "the")
    for first in (i,) if start == i else (i, start):
        found = period_at(words, first, day_first=day_first)
        dated = calendar_at(words, first, day_first=day_first)
        if dated and (not found or dated[1] > found[1]):
            return dated
        if found:
            return found
    return None


def _stretch_at(words: Words, i: int, *, day_first: bool) -> tuple[Days, int] | None:
    start = words.after(i, "the")
    edge = _EDGES.get(words.at(start))
    if edge is not None:
        return _edge_at(words, start, edge, day_first=day_first)
    number, j = ordinal_at(words, start)
    if not number:
        return None
    half = words.after(j, "half of", "half in")
    if half != j and number in {1, 2, -1}:
        found = whole_at(words, half, day_first=day_first)
        return (_half(found[0], first=number == 1), found[1]) if found else None
    named = _nth_weekday_at(words, j, number, day_first=day_first)
    if named is not None:
        return named
    length = length_at(words, j)
    if length is None or length[0].is_hours or words.at(j) == "quarter":
        return None
    inner = words.after(length[1], "of", "in")
    found = whole_at(words, inner, day_first=day_first) if inner != length[1] else None
    if found is None or _is_day(found[0]) or (length[0].counted and number not in {1, -1}):
        return None
    return Named(_nth(found[0], number, length[0]), _GRANULARITIES[length[0].unit]), found[1]


def _nth_weekday_at(
    words: Words, j: int, number: int, *, day_first: bool
) -> tuple[Days, int] | None:
    """``last Friday of May``, ``first Monday in June``, from behind the ordinal."""
    weekday, inner = WEEKDAYS.get(words.at(j)), words.after(j + 1, "of", "in")
    if weekday is None or inner == j + 1:
        return None
    found = whole_at(words, inner, day_first=day_first)
    if found is None or found[0].granularity in {Granularity.DAY, Granularity.WEEK}:
        return None
    return Named(_nth_weekday(found[0], number, weekday), Granularity.DAY), found[1]


def _nth_weekday(days: Days, number: int, weekday: int) -> Callable[[Known], DateSpan | None]:
    def span(known: Known) -> DateSpan | None:
        whole = days.span(known)
        if whole is None:
            return None
        if number < 0:
            last = whole[1] - DAY
            day = last - (last.weekday() - weekday) % 7 * DAY
        else:
            first = whole[0] + (weekday - whole[0].weekday()) % 7 * DAY
            day = first + 7 * (number - 1) * DAY
        return day_span(day) if whole[0] <= day < whole[1] else None

    return span


def _is_day(days: Days) -> bool:
    return days.granularity is Granularity.DAY


def _edge_at(words: Words, i: int, edge: str, *, day_first: bool) -> tuple[Days, int] | None:
    adjective = words.at(i) in _ADJECTIVES
    j = words.after(i + 1, "-") if adjective else words.after(i + 1, "of")
    if j == i + 1 and not adjective:
        return None
    found = whole_at(words, j, day_first=day_first)
    if found is None or _is_day(found[0]):
        return None
    if adjective and not isinstance(found[0], Calendar):
        return None
    return _edge(found[0], edge), found[1]


def _half(days: Days, *, first: bool) -> Named:
    def span(known: Known) -> DateSpan | None:
        whole = days.span(known)
        if whole is None:
            return None
        middle = whole[0] + (whole[1] - whole[0]) // 2
        if days.granularity is Granularity.MONTH:
            middle = whole[0] + 15 * DAY
        if days.granularity is Granularity.YEAR:
            middle = whole[0].replace(month=7)
        return (whole[0], middle) if first else (middle, whole[1])

    return Named(span, Granularity.DAY)


def _nth(days: Days, number: int, length: Length) -> Callable[[Known], DateSpan | None]:
    """The nth week (day, month, ...) of a period, counted from its start; -1 is the last."""

    def span(known: Known) -> DateSpan | None:
        whole = days.span(known)
        if whole is None:
            return None
        if number < 0:
            return max(whole[0], length.from_day(whole[1], -1)), whole[1]
        first = whole[0]
        for _ in range(number - 1):
            first = length.from_day(first, 1)
        last = min(whole[1], length.from_day(first, 1))
        return (first, last) if first < last else None

    return span


def _edge(days: Days, edge: str) -> Named:
    widths = _EDGE_DAYS.get(days.granularity, (1,))

    def spans(known: Known) -> tuple[DateSpan, ...]:
        whole = days.span(known)
        if whole is None:
            return ()
        first, last = whole
        if edge == "start":
            return tuple((first, min(last, first + width * DAY)) for width in widths)
        if edge == "end":
            return tuple((max(first, last - width * DAY), last) for width in widths)
        third = (last - first) // 3
        centre = first + (last - first) // 2
        return (first + third, last - third), (centre - 2 * DAY, centre + 3 * DAY)

    def span(known: Known) -> DateSpan | None:
        found = spans(known)
        return found[0] if found else None

    def rivals(known: Known) -> tuple[DateSpan, ...]:
        return tuple(other for taken, other in pairwise(spans(known)) if taken != other)

    return Named(span, Granularity.DAY, rivals, edge="" if edge == "middle" else edge)
