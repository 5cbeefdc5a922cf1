"""Periods with a name: ``yesterday``, ``last week``, ``Monday``, ``Q2``, ``the weekend``."""

from collections.abc import Callable
from datetime import date, timedelta

from retrieval.time_calendar import (
    DAY,
    DateSpan,
    Known,
    day_span,
    month_span,
    months_later,
    quarter_span,
    week_span,
    year_span,
)
from retrieval.time_dates import calendar_at
from retrieval.time_days import Calendar, Named
from retrieval.time_lengths import Length, length_at
from retrieval.time_quarters import quarter_at, week_at
from retrieval.time_reading import Granularity
from retrieval.time_tokens import Words, remembered
from retrieval.time_words import SHORT_WEEKDAYS, WEEKDAYS

_DAY_WORDS = (
    ("the day before yesterday", -2),
    ("day before yesterday", -2),
    ("the day after tomorrow", 2),
    ("day after tomorrow", 2),
    ("yesterday", -1),
    ("today", 0),
    ("tomorrow", 1),
)
_TURNS = {"last": -1, "previous": -1, "preceding": -1, "this": 0, "current": 0, "next": 1,
          "coming": 1}  # fmt: skip
_UNIT_SPANS: dict[str, tuple[Granularity, Callable[[date], DateSpan]]] = {
    "day": (Granularity.DAY, day_span),
    "week": (Granularity.WEEK, week_span),
    "month": (Granularity.MONTH, lambda day: month_span(day.year, day.month)),
    "quarter": (Granularity.QUARTER, lambda day: quarter_span(day.year, (day.month + 2) // 3)),
    "year": (Granularity.YEAR, lambda day: year_span(day.year)),
}
_UNIT_LENGTHS = {"day": (1, 0), "week": (7, 0), "month": (0, 1), "quarter": (0, 3), "year": (0, 12)}


def unit_span(unit: str, day: date, turn: int = 0) -> DateSpan:
    """The calendar unit that holds the day, or the one ``turn`` units later."""
    days, months = _UNIT_LENGTHS[unit]
    first = _UNIT_SPANS[unit][1](day)[0]
    return _UNIT_SPANS[unit][1](months_later(first + turn * days * DAY, turn * months))


@remembered
def period_at(words: Words, i: int, *, day_first: bool) -> tuple[Named, int] | None:
    """The named period that starts at ``i`` and the index after it."""
    return (
        _day_word(words, i)
        or _turned_unit(words, i)
        or _weekday(words, i)
        or _weekend(words, i, day_first=day_first)
        or quarter_at(words, i)
        or week_at(words, i, day_first=day_first)
        or _days_ago(words, i)
    )


def _day_word(words: Words, i: int) -> tuple[Named, int] | None:
    for phrase, shift in _DAY_WORDS:
        j = words.after(i, phrase)
        if j != i:
            j = words.after(j, "so far") if shift == 0 else j
            return Named(_shifted(shift), Granularity.DAY, current=shift == 0), j
    return None


def _shifted(shift: int) -> Callable[[Known], DateSpan]:
    return lambda known: day_span(known.today + shift * DAY)


def _turned_unit(words: Words, i: int) -> tuple[Named, int] | None:
    """``last week``, ``this month``, ``the week before last``, ``month to date``."""
    unit = words.at(i)
    if unit in _UNIT_SPANS:
        j = words.after(i, f"{unit} before last")
        if j != i:
            return _named_unit(unit, -2), j
        j = words.after(i, f"{unit} to date")
        return (_named_unit(unit, 0), j) if j != i else None
    turn, unit = _TURNS.get(words.at(i)), words.at(i + 1)
    if turn is None or unit not in _UNIT_SPANS or (unit == "day" and turn < 0):
        return None
    if unit == "day" and turn == 0 and words.at(i + 2) in _TURNS:
        return None
    if words.at(i + 2) == "of" or (turn == 0 and words.at(i + 2) == "before"):
        return None
    return _named_unit(unit, turn), words.after(i + 2, "so far", "to date") if turn == 0 else i + 2


def _named_unit(unit: str, turn: int) -> Named:
    from_now = timedelta(days=7) if unit == "week" and turn in {-1, 0} else None
    return Named(
        lambda known: unit_span(unit, known.today, turn),
        _UNIT_SPANS[unit][0],
        from_now=from_now,
        current=turn == 0,
    )


def weekday_of(words: Words, i: int) -> int | None:
    """0 to 6 for a weekday's name; a short one counts only where it can be nothing else."""
    found = WEEKDAYS.get(words.at(i))
    if found is not None:
        return found
    led = words.at(i - 1) in {"on", "last", "since", "until", "this", "next", "from", "between"}
    return SHORT_WEEKDAYS.get(words.at(i)) if led and words.raw(i)[:1].isupper() else None


def _weekday(words: Words, i: int) -> tuple[Named, int] | None:
    turn = _TURNS.get(words.at(i))
    weekday = weekday_of(words, i if turn is None else i + 1)
    if weekday is None or words.at(i - 1) in {"every", "each", "per", "any"}:
        return None
    if turn is not None:
        return Named(
            _turned_weekday(weekday, turn), Granularity.DAY, _other_weekday(weekday, turn)
        ), i + 2
    j = words.after(i + 1, "of last week", "in last week", "last week", "of this week", "this week")
    if j != i + 1:
        turn = -1 if "last" in {words.at(j - 2), words.at(j - 1)} else 0
        return Named(_weekday_in_week(weekday, turn), Granularity.DAY), j
    latest = Named(
        lambda known: day_span(_latest(weekday, known.today)), Granularity.DAY, weekly=True
    )
    return latest, i + 1


def _latest(weekday: int, today: date) -> date:
    return today - (today.weekday() - weekday) % 7 * DAY


def _weekday_in_week(weekday: int, turn: int) -> Callable[[Known], DateSpan]:
    return lambda known: day_span(week_span(known.today)[0] + (weekday + 7 * turn) * DAY)


def _turned_weekday(weekday: int, turn: int) -> Callable[[Known], DateSpan]:
    if turn == 0:
        return _weekday_in_week(weekday, 0)
    if turn < 0:
        return lambda known: day_span(_latest(weekday, known.today - DAY))
    return lambda known: day_span(_latest(weekday, known.today) + 7 * DAY)


def _other_weekday(weekday: int, turn: int) -> Callable[[Known], tuple[DateSpan, ...]]:
    """``last Monday`` said on a Wednesday may also mean Monday of last week."""

    def rivals(known: Known) -> tuple[DateSpan, ...]:
        if turn >= 0:
            return ()
        taken, other = _turned_weekday(weekday, turn)(known), _weekday_in_week(weekday, -1)(known)
        return (other,) if other != taken else ()

    return rivals


def _weekend(words: Words, i: int, *, day_first: bool) -> tuple[Named, int] | None:
    j = words.after(i, "the weekend of", "weekend of")
    if j != i:
        found = calendar_at(words, words.after(j, "the"), day_first=day_first)
        if found is None or found[0].day is None:
            return None
        return Named(_weekend_of(found[0]), Granularity.DAY), found[1]
    turn = _TURNS.get(words.at(i), None if words.at(i) != "the" else -1)
    if words.at(i + 1) != "weekend" or turn is None:
        return None
    latest = words.at(i) == "the"

    def span(known: Known) -> DateSpan:
        saturday = week_span(known.today)[0] + 5 * DAY
        if latest and known.today >= saturday:
            return saturday, saturday + 2 * DAY
        return saturday + 7 * turn * DAY, saturday + (7 * turn + 2) * DAY

    return Named(span, Granularity.DAY), i + 2


def _weekend_of(day: Calendar) -> Callable[[Known], DateSpan | None]:
    def span(known: Known) -> DateSpan | None:
        found = day.span(known)
        if found is None:
            return None
        saturday = week_span(found[0])[0] + 5 * DAY
        return saturday, saturday + 2 * DAY

    return span


def _days_ago(words: Words, i: int) -> tuple[Named, int] | None:
    found = length_at(words, i)
    if found is None or words.at(found[1]) != "ago" or found[0].is_hours:
        return None
    length, j = found[0], found[1] + 1
    if length.unit in {"month", "year"}:
        return Named(_unit_ago(length), _UNIT_SPANS[length.unit][0], _day_ago_rival(length)), j
    return Named(lambda known: day_span(length.from_day(known.today, -1)), Granularity.DAY), j


def _unit_ago(length: Length) -> Callable[[Known], DateSpan]:
    return lambda known: unit_span(length.unit, length.from_day(known.today, -1))


def _day_ago_rival(length: Length) -> Callable[[Known], tuple[DateSpan, ...]]:
    return lambda known: (day_span(length.from_day(known.today, -1)),)
