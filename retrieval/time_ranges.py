"""Points, ranges and lists of times in a text, with the words that open and close them."""

from dataclasses import replace

from retrieval.time_clocks import Clock
from retrieval.time_dates import day_number, month_of, year_of
from retrieval.time_days import Calendar
from retrieval.time_expressions import Expression, Shape, closing, goes_on, opening
from retrieval.time_lengths import length_at
from retrieval.time_moments import Moment, moment_at
from retrieval.time_stretches import days_at
from retrieval.time_tokens import Words
from retrieval.time_words import CHANGE_WORDS, NAMING_NOUNS

_JOINTS = ("up to", "up until", "to", "until", "till", "through", "thru", "-", "→")
_SHAPES = {
    "since": Shape.SINCE,
    "until": Shape.UNTIL,
    "before": Shape.BEFORE,
    "after": Shape.AFTER,
}


def joint(words: Words, j: int, *, between: bool) -> int:
    """The index past the word that joins two ends (``to``, a dash, ``and``), or ``j``."""
    j_comma = words.after(j, ", until", ", to")
    if j_comma != j:
        return j_comma
    end = words.after(j, *_JOINTS)
    if end == j and words.at(j) == "/" and year_of(words, j + 1):
        end = j + 1
    if end == j and between:
        end = words.after(j, "and")
    return words.after(end, "the end of the day") if end != j else j


def range_at(words: Words, i: int, *, day_first: bool) -> Expression | None:
    """The point or range that starts at ``i``."""
    start = moment_at(words, i, day_first=day_first)
    if start is None and words.number(i) is None:
        return None
    kind, first = opening(words, i)
    if start is None:
        start = _bare_start(words, i, kind, day_first=day_first)
    if start is None:
        return None
    between = "between" in {kind, start.opened}
    j = joint(words, start.last, between=between)
    end = _second(words, j, start, day_first=day_first) if j != start.last else None
    if end is None and start.clock is not None and start.clock.bare:
        start = _settled(words, start, kind)
    if start is None or (end is None and _needs_more(words, start)):
        return None
    if end is not None:
        last = closing(words, end.last)
        return Expression(Shape.RANGE, first, last, start, end, opened=kind)
    return _point(words, start, kind, first)


def _needs_more(words: Words, start: Moment) -> bool:
    """``now`` alone is a filler unless it ends a sentence."""
    if not start.now or start.last - start.first > 1:
        return False
    return start.first == 0 or words.at(start.last) not in {"", "?", ".", "!", ")", ";"}


def _settled(words: Words, start: Moment, kind: str) -> Moment | None:
    """A bare hour that stands alone: only with a day, a zone or ``at`` before the day."""
    return start if start.days is not None or start.zone is not None else None


def _point(words: Words, start: Moment, kind: str, first: int) -> Expression:
    shape = _SHAPES.get(kind, Shape.POINT)
    after = goes_on(words, start.last)
    if kind in {"from", "since", "after"} and after != start.last:
        return Expression(_SHAPES.get(kind, Shape.SINCE), first, after, start, opened=kind)
    opened = start.opened or kind
    if opened in {"from", "since"} and start.clock is not None:
        found = length_at(words, words.after(start.last, "for", "for the next", "for another"))
        if words.at(start.last) == "for" and found and found[0].counted:
            return Expression(
                Shape.AROUND, first, found[1], start, length=found[0], sign=1, opened=kind
            )
        shape = Shape.SINCE
    last = closing(words, start.last)
    return Expression(shape, first, last, start, opened=opened)


def _second(words: Words, j: int, start: Moment, *, day_first: bool) -> Moment | None:
    """The moment that ends a range which began with ``start``."""
    further = _further_day(words, j, start)
    if further is not None:
        return further
    hours = start.clock is not None
    for k in dict.fromkeys((j, words.after(j, "the", "about", "around"))):
        end = moment_at(
            words, k, day_first=day_first, bare=hours, dated=start.days is not None, ending=True
        )
        if end is not None and end.clock is not None and not hours and not start.has_day:
            return None
        if end is not None and not hours and end.clock is not None and end.days is not None:
            dated = days_at(words, k, day_first=day_first)
            if dated is not None and words.at(dated[1]) == "at":
                return Moment(j, dated[1], days=dated[0])  # the hours hold for each of the days
        if end is not None:
            return replace(end, first=j)
    return None


def _further_day(words: Words, j: int, start: Moment) -> Moment | None:
    """The bare number that ends ``June 1-7, 2022``."""
    days = start.days
    if not isinstance(days, Calendar) or not days.month_first or not start.is_whole_days:
        return None
    day = day_number(words, words.after(j, "the"))
    if day is None or not 1 <= day[0] <= 31:
        return None
    k = day[1]
    year = year_of(words, words.after(k, ",", "of"))
    if year is not None and days.year is None:
        k = words.after(k, ",", "of") + 1
    elif not words.ends_phrase(k) or (words.at(k) == ":" and words.glued(k + 1)):
        return None
    return Moment(j, k, days=replace(days, year=year or days.year, day=day[0], weekday=None))


def _bare_start(words: Words, i: int, kind: str, *, day_first: bool) -> Moment | None:
    """A bare number that the other end of its range makes a day or an hour."""
    number = day_number(words, i)
    if number is None or words.is_in_names(i) or words.is_name(i):
        return None
    j = joint(words, number[1], between=kind == "between")
    if j == number[1]:
        return _bare_hour(words, i, day_first=day_first)
    if words.at(j - 1) == "-" and words.glued(j - 1) != words.glued(j):
        return None
    end = moment_at(words, words.after(j, "the"), day_first=day_first, bare=True, ending=True)
    if end is None:
        return None
    if kind == "at" and words.at(j - 1) in {"to", "till"} and end.clock is not None:
        return None  # ``at 10 to 8`` is ten minutes to eight
    if end.clock is not None and _dated_first(words, words.after(j, "the"), day_first=day_first):
        end = replace(end, clock=None)
    if isinstance(end.days, Calendar) and end.days.day is not None and end.clock is None:
        if end.days.month is None or end.days.month_first:
            return None
        days = replace(end.days, day=number[0], weekday=None, swapped=None)
        return Moment(i, number[1], days=days)
    if end.clock is None or number[1] != i + 1 or number[0] > 24:
        return None
    alone = end.clock.bare and not end.has_day and end.zone is None
    if alone and not _is_hour_talk(words, i, kind, end):
        return None
    return moment_at(words, i, day_first=day_first, bare=True) or _hour(words, i, number[0])


def _dated_first(words: Words, i: int, *, day_first: bool) -> bool:
    """Whether a day with its month stands at ``i``: ``5 June`` of ``from 1 to 5 June 14:00``."""
    found = days_at(words, i, day_first=day_first)
    days = found[0] if found else None
    return isinstance(days, Calendar) and days.day is not None and days.month is not None


def _hour(words: Words, i: int, hour: int) -> Moment:
    loose = hour <= 12 and not words.raw(i).startswith("0")
    return Moment(i, i + 1, clock=Clock(hour, loose=loose, bare=True))


def _is_hour_talk(words: Words, i: int, kind: str, end: Moment) -> bool:
    """Whether ``from 9 to 10``, without any other sign, speaks of hours."""
    if kind != "from" or not words.ends_phrase(end.last):
        return False
    _, first = opening(words, i)
    before = {words.at(first - 1), words.at(first - 2)}
    return not before & (CHANGE_WORDS | NAMING_NOUNS)


def _bare_hour(words: Words, i: int, *, day_first: bool) -> Moment | None:
    """``at 9 on 1 June``, ``since 8 UTC``."""
    if words.at(i - 1) not in {"at", "since", "until", "before", "after", "from"}:
        return None
    moment = moment_at(words, i, day_first=day_first, bare=True)
    return moment if moment and (moment.days is not None or moment.zone is not None) else None


def list_at(words: Words, i: int, *, day_first: bool) -> list[Expression] | None:
    """The days of ``1, 2 and 3 June`` or ``June 1 and 2, 2022``, one expression each."""
    number = day_number(words, i)
    if number is None:
        return _month_first_list(words, i, day_first=day_first) if month_of(words, i) else None
    if words.is_in_names(i) or _was_tried(words, i):
        return None
    days, ends, j = [(i, number[0])], [number[1]], number[1]
    for _ in range(31):
        k = words.after(words.after(j, ","), "and", "&", "or", "vs", "versus")
        k = words.after(words.after(k, "."), "the", "on the")
        further = day_number(words, k)
        if k == j or further is None:
            return None
        final = moment_at(words, k, day_first=day_first)
        if final and final.is_whole_days and isinstance(final.days, Calendar):
            full = final.days.day and final.days.month
            return _listed(words, days, ends, final) if full else None
        days.append((k, further[0]))
        ends.append(further[1])
        j = further[1]
    return None


def _was_tried(words: Words, i: int) -> bool:
    """Whether ``i`` lies inside a list of numbers whose start was no list of days."""
    return words.at(i - 1) in {",", "and", "&", "or"} and (words.number(i - 2) or 32) <= 31


def _month_first_list(words: Words, i: int, *, day_first: bool) -> list[Expression] | None:
    start = moment_at(words, i, day_first=day_first)
    if start is None:
        return None
    moments, j = [start], start.last
    while True:
        k = words.after(words.after(j, ","), "and", "&", "or", "vs", "versus")
        further = _further_day(words, k, start) if k != j else None
        if further is None:
            break
        moments.append(further)
        j = further.last
    years = [one.days.year for one in moments if isinstance(one.days, Calendar) and one.days.year]
    if len(moments) == 1:
        return None
    kind, first = opening(words, i)
    found = []
    for moment in moments:
        days = moment.days
        if isinstance(days, Calendar) and years:
            moment = replace(moment, days=replace(days, year=years[-1]))
        start_at = first if moment.first == i else moment.first
        found.append(Expression(Shape.POINT, start_at, moment.last, moment, opened=kind))
    return None if kind == "between" else found


def _listed(
    words: Words, days: list[tuple[int, int]], ends: list[int], final: Moment
) -> list[Expression] | None:
    calendar = final.days
    if not isinstance(calendar, Calendar) or calendar.month_first:
        return None
    kind, first = opening(words, days[0][0])
    if kind == "between":
        return None
    found = []
    for place, (i, day) in enumerate(days):
        last = ends[place]
        moment = Moment(i, last, days=replace(calendar, day=day, weekday=None))
        found.append(Expression(Shape.POINT, i if place else first, last, moment, opened=kind))
    end = closing(words, final.last)
    return [*found, Expression(Shape.POINT, final.first, end, final, opened=kind)]
