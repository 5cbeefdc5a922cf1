"""Quarters and weeks by number or by a day in them: ``Q2 2022``, ``week of 6 June``."""

from datetime import date

from retrieval.time_calendar import DAY, DateSpan, Known, quarter_span, week_span
from retrieval.time_dates import calendar_at, year_of
from retrieval.time_days import Named
from retrieval.time_reading import Granularity
from retrieval.time_tokens import Words
from retrieval.time_words import NAMING_NOUNS, ORDINALS


def week_at(words: Words, i: int, *, day_first: bool) -> tuple[Named, int] | None:
    """The week told by its number or by a day in it, and the index after it."""
    return _numbered_week(words, i) or _week_of(words, i, day_first=day_first)


def quarter_at(words: Words, i: int) -> tuple[Named, int] | None:
    """The quarter that starts at ``i`` (``2022-Q2``, ``second quarter``), and where it ends."""
    year = year_of(words, i)
    if year is not None:
        j = words.after(i + 1, "-", "/")
        found = _quarter_name(words, j)
        return (_quarter_in(found[0], year), found[1]) if found else None
    found = _quarter_name(words, i)
    if found is None:
        return None
    j = words.after(found[1], "of", "in", "/", "-", ",")
    year = year_of(words, j)
    if year is not None:
        return _quarter_in(found[0], year), j + 1
    return (_quarter_in(found[0], None), found[1]) if words.ends_phrase(found[1]) else None


def _quarter_name(words: Words, i: int) -> tuple[int, int] | None:
    value = words.number(i + 1)
    named = words.at(i - 1) in NAMING_NOUNS or (
        words.glued(i) and words.at(i - 1) not in {"-", "/", "("}
    )
    if words.at(i) == "q" and words.glued(i + 1) and words.digits(i + 1) == 1 and not named:
        free = not words.glued(i + 2) or words.at(i + 2) in {"/", "-", ",", ".", "?", ")", ";"}
        return (value, i + 2) if value in {1, 2, 3, 4} and value and free else None
    number, j = ordinal_at(words, i)
    return (number, j + 1) if words.at(j) == "quarter" and number in {1, 2, 3, 4} else None


def ordinal_at(words: Words, i: int) -> tuple[int, int]:
    """1 to 5 for ``first`` or ``1st``, -1 for ``last``, 0 for none; and the index after it."""
    if words.at(i) in ORDINALS:
        return ORDINALS[words.at(i)], i + 1
    value = words.number(i)
    if value and words.glued(i + 1) and words.at(i + 1) in {"st", "nd", "rd", "th"}:
        return value, i + 2
    return 0, i


def _quarter_in(quarter: int, year: int | None) -> Named:
    def span(known: Known) -> DateSpan:
        if year is not None:
            return quarter_span(year, quarter)
        found = quarter_span(known.year or known.today.year, quarter)
        latest = known.today.year
        while found[0] > known.today:
            found, latest = quarter_span(latest, quarter), latest - 1
        return found

    return Named(span, Granularity.QUARTER)


def _numbered_week(words: Words, i: int) -> tuple[Named, int] | None:
    """``week 22``, ``ISO week 22 of 2022``, ``2022-W22``."""
    year = year_of(words, i)
    if year is not None:
        j = words.after(i + 1, "- w", "w")
        number = words.number(j) if j != i + 1 and words.glued(j) else None
        return (_iso_week(number, year), j + 1) if number and number <= 53 else None
    j = words.after(i, "iso week", "calendar week", "week")
    number = words.number(j)
    if j == i or not number or number > 53:
        return None
    if not words.ends_phrase(j + 1) and words.at(j + 1) != "of":
        return None
    after = words.after(j + 1, "of", ",", "in")
    year = year_of(words, after)
    return (_iso_week(number, year), after + 1) if year else (_iso_week(number, None), j + 1)


def _iso_week(number: int, year: int | None) -> Named:
    def span(known: Known) -> DateSpan | None:
        for some_year in (year,) if year else (known.year, known.today.year, known.today.year - 1):
            first = (
                week_span(date(some_year, 1, 4))[0] + 7 * (number - 1) * DAY if some_year else None
            )
            if first and (year or first <= known.today):
                return first, first + 7 * DAY
        return None

    return Named(span, Granularity.WEEK)


def _week_of(words: Words, i: int, *, day_first: bool) -> tuple[Named, int] | None:
    j = words.after(i, "week of", "week starting", "week beginning", "week containing")
    if j == i:
        return None
    found = calendar_at(words, words.after(j, "on", "the"), day_first=day_first)
    if found is None or found[0].day is None:
        return None
    day = found[0]
    rolling = words.at(j - 1) in {"starting", "beginning"}

    def span(known: Known) -> DateSpan | None:
        first = day.span(known)
        if first is None:
            return None
        return (first[0], first[0] + 7 * DAY) if rolling else week_span(first[0])

    return Named(span, Granularity.WEEK), found[1]
