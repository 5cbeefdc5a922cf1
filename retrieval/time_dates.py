"""Calendar dates, months and years as people write them."""

from dataclasses import replace

from retrieval.time_calendar import is_date
from retrieval.time_days import Calendar
from retrieval.time_tokens import Words, remembered
from retrieval.time_words import (
    COUNTED_NOUNS,
    MONTHS,
    NAMING_NOUNS,
    NUMBERED_NOUNS,
    ORDINAL_ENDINGS,
    SHORT_MONTHS,
    SHORT_WEEKDAYS,
    VERB_LIKE_MONTHS,
    WEEKDAYS,
)

_YEARS = range(1970, 2100)
_SHORT_YEARS = range(20, 36)
"""Two digits that are a year behind a month; 20 to 23 might be hours, which need a mark."""
_MONTH_SIGNS = (
    "in",
    "since",
    "during",
    "last",
    "early",
    "mid",
    "late",
    "of",
    "until",
    "throughout",
)
_YEAR_SIGNS = ("in", "during", "throughout", "since", "year", "for", "before", "after", "until")


def year_of(words: Words, i: int) -> int | None:
    """The four-digit year that stands at ``i``."""
    value = words.number(i)
    if value is None or words.digits(i) != 4 or value not in _YEARS:
        return None
    clock = words.at(i + 1) == ":" and words.glued(i + 1) and words.glued(i + 2)
    return None if clock or words.at(i + 1) == "%" else value


def month_of(words: Words, i: int) -> int | None:
    """The month whose name, long or short, stands at ``i``."""
    return MONTHS.get(words.at(i)) or SHORT_MONTHS.get(words.at(i))


def day_number(words: Words, i: int) -> tuple[int, int] | None:
    """A one- or two-digit number, with or without an ordinal ending, and the index after it."""
    value = words.number(i)
    if value is None or words.digits(i) > 2:
        return None
    if words.at(i + 1) in ORDINAL_ENDINGS and words.glued(i + 1):
        return value, i + 2
    if (
        words.at(i + 1) == "."
        and words.glued(i + 1)
        and (month_of(words, i + 2) or (words.at(i + 2) == "-" and month_of(words, i + 5)))
    ):
        return value, i + 2
    return value, i + 1


@remembered
def calendar_at(words: Words, i: int, *, day_first: bool) -> tuple[Calendar, int] | None:
    """The date, month or year that starts at ``i``, and the index after it."""
    weekday = WEEKDAYS.get(words.at(i), SHORT_WEEKDAYS.get(words.at(i)))
    if weekday is not None:
        inner = words.after(words.after(i + 1, ".", ","), "the")
        found = _date_at(words, inner, day_first=day_first)
        if found is None or found[0].day is None:
            return None
        return replace(found[0], weekday=weekday), found[1]
    return _date_at(words, i, day_first=day_first)


def _date_at(words: Words, i: int, *, day_first: bool) -> tuple[Calendar, int] | None:
    if words.number(i) is not None:
        return _year_led(words, i) or _numeric(words, i, day_first=day_first) or _day_led(words, i)
    return _month_led(words, i) if month_of(words, i) else _day_alone(words, i)


def _year_led(words: Words, i: int) -> tuple[Calendar, int] | None:
    year = year_of(words, i)
    if year is None or words.is_name(i):
        return None
    sign = words.at(i + 1)
    if sign in {"-", "/", "."} and words.glued(i + 1) and words.digits(i + 2) == 2:
        month = words.number(i + 2) if words.glued(i + 2) else None
        day = words.number(i + 4) if words.at(i + 3) == sign and words.glued(i + 4) else None
        if month is not None and day is not None and words.digits(i + 4) <= 2:
            return Calendar(year, month, day), i + 5
        if month is not None and sign == "-" and 1 <= month <= 12 and not words.glued(i + 3):
            return Calendar(year, month), i + 3
        if month is not None and sign == "-" and words.at(i + 3) != "-" and 1 <= month <= 12:
            return Calendar(year, month), i + 3
        return None
    named = month_of(words, i + 1)
    if named and words.number(i + 2) is not None and words.digits(i + 2) <= 2:
        last = day_number(words, i + 2)
        return (Calendar(year, named, last[0]), last[1]) if last else None
    return _year_alone(words, i, year)


def _year_alone(words: Words, i: int, year: int) -> tuple[Calendar, int] | None:
    said = words.at(i - 1) in _YEAR_SIGNS or words.before(i, "whole of", "all of", "end of") != i
    said = said or words.before(i, "start of", "beginning of", "half of", "quarter of") != i
    return (Calendar(year), i + 1) if said and words.ends_phrase(i + 1) else None


def _numeric(words: Words, i: int, *, day_first: bool) -> tuple[Calendar, int] | None:
    first, sign = words.number(i), words.at(i + 1)
    second, third = words.number(i + 2), words.number(i + 4)
    closed = all(words.glued(i + step) for step in range(1, 5)) and words.at(i + 3) == sign
    if first is None or second is None or third is None or not closed:
        return None
    if sign not in {"/", "-", "."} or max(words.digits(i), words.digits(i + 2)) > 2:
        return None
    if words.at(i + 5) == sign and words.glued(i + 5) and words.number(i + 6) is not None:
        return None
    if words.digits(i + 4) == 2 and sign == "/":
        third += 2000
    elif words.digits(i + 4) != 4 or third not in _YEARS:
        return None
    if words.glued(i) and words.at(i - 1) != "(":
        return None
    pairs = ((second, first), (first, second))
    good = [pair for pair in pairs if is_date(third, *pair)]
    if sign == "." or len(good) < 2 or first == second:
        month, day = good[0] if good and sign != "." else pairs[0]
        return Calendar(third, month, day), i + 5
    (month, day), other = (pairs[0], pairs[1]) if day_first else (pairs[1], pairs[0])
    return Calendar(third, month, day, swapped=other), i + 5


def _day_led(words: Words, i: int) -> tuple[Calendar, int] | None:
    day = day_number(words, i)
    if day is None or (words.is_name(i) and not _follows_plain_noun(words, i)):
        return None
    j = words.after(day[1], "of", "-", "day of")
    month = month_of(words, j)
    if not month or (words.at(j) == "second"):
        return None
    j = words.after(j + 1, ".") if words.at(j) in SHORT_MONTHS else j + 1
    year, j = _trailing_year(words, j)
    return Calendar(year, month, day[0]), j


def _follows_plain_noun(words: Words, i: int) -> bool:
    """Whether the noun before a day rarely has a number: ``all nodes 1 June``."""
    before = words.at(i - 1)
    return before in NAMING_NOUNS and before not in NUMBERED_NOUNS and not words.glued(i)


def _trailing_year(words: Words, j: int) -> tuple[int | None, int]:
    for start in (j, words.after(j, ",", "-", "/", "of", "in", "'")):
        year = year_of(words, start)
        if year is not None and not (words.at(start + 1) == "-" and words.glued(start + 2)):
            return year, start + 1
        if year is not None and words.digits(start + 2) != 2:
            return year, start + 1
    return _short_year(words, j)


def _short_year(words: Words, j: int) -> tuple[int | None, int]:
    """The year of ``1 Jun 22`` and ``1 June '22``: two digits that can be nothing else."""
    value = words.number(j)
    at = words.after(j, "'")
    quoted = at != j and words.glued(at)
    value = words.number(at) if quoted else value
    if value is None or words.digits(at) != 2 or value not in _SHORT_YEARS:
        return None, j
    hour = words.at(at + 1) in {":", ".", "h", "am", "pm", "-", "to"} and not quoted
    counted = words.at(at + 1) in COUNTED_NOUNS and not quoted
    return (None, j) if hour or counted else (2000 + value, at + 1)


def _month_led(words: Words, i: int) -> tuple[Calendar, int] | None:
    month = month_of(words, i)
    short = words.at(i) in SHORT_MONTHS
    j = words.after(i + 1, ".") if short and words.number(i + 2) is not None else i + 1
    start = words.after(j, "the")
    day = day_number(words, start)
    if day and day[0] >= 1 and not _is_clock_or_count(words, start, day[1]):
        year, end = _trailing_year(words, day[1])
        return Calendar(year, month, day[0], month_first=True), end
    year, end = _trailing_year(words, j)
    if year is not None:
        return Calendar(year, month), end
    return (Calendar(None, month), i + 1) if _is_month(words, i, short=short) else None


def _is_clock_or_count(words: Words, i: int, after: int) -> bool:
    """Whether the number after a month is an hour or counts something: ``in June 10 nodes``."""
    if after == i + 1:
        if words.at(after) in COUNTED_NOUNS | {"am", "pm", "%"}:
            return words.at(after) != "of"
        if words.at(after) in {":", "."} and words.glued(after) and words.glued(after + 1):
            return words.number(after + 1) is not None
        return words.at(after) == "h" and words.glued(after)
    return False


def _is_month(words: Words, i: int, *, short: bool) -> bool:
    """Whether a month's name without day and year is meant as a month."""
    if short:
        return words.at(i - 1) in {"in", "since", "during", "last", "of"} and words.ends_phrase(
            i + 1
        )
    if words.at(i) not in VERB_LIKE_MONTHS:
        return True
    if words.at(i - 1) in _MONTH_SIGNS or words.before(i, "mid -", "month of") != i:
        return True
    joined = words.at(i + 1) in {"and", "to", "-", "vs", "until", "through"}
    partner = month_of(words, words.after(i + 2, "the"))
    if joined and partner and words.at(i + 2) not in VERB_LIKE_MONTHS:
        return True
    capital = words.raw(i)[:1].isupper() and i > 0 and words.at(i - 1) not in {".", "?", "!"}
    return capital and words.ends_phrase(i + 1)


def _day_alone(words: Words, i: int) -> tuple[Calendar, int] | None:
    """``the 3rd``, where nothing after it could be the third of something."""
    if words.at(i) != "the" or words.at(i - 1) not in {
        "on",
        "from",
        "and",
        "until",
        "to",
        "since",
        "vs",
        "between",
        "with",
    }:
        return None
    day = day_number(words, i + 1)
    if day is None or day[1] != i + 3 or not 1 <= day[0] <= 31:
        return None
    return (Calendar(day=day[0]), day[1]) if words.ends_phrase(day[1]) else None
