"""Times told by their distance: ``last 24 hours``, ``the hour before 10:00``, ``day before``."""

from dataclasses import replace

from retrieval.time_expressions import Expression, Shape, Shift, goes_on, opening
from retrieval.time_lengths import Length, length_at
from retrieval.time_moments import Moment, moment_at
from retrieval.time_periods import period_at
from retrieval.time_reading import Granularity
from retrieval.time_stretches import whole_at
from retrieval.time_tokens import Words
from retrieval.time_words import words_of

_ROLLING = frozenset({"last", "past", "previous", "preceding", "latest", "trailing"})
_OWN_TIME = words_of(
    "job jobs run runs execution each every its their his her that this it them outage incident "
    "period interval day days"
)
"""``the last 10 minutes of job 5`` does not end at now."""
_CALENDAR_UNITS = frozenset({"day", "week", "month", "quarter", "year"})
_BACK = frozenset({"previous", "preceding", "prior", "last"})
_FORTH = frozenset({"next", "following", "subsequent"})
_SAME_OF = words_of(
    """
    period time times hour hours day days dates date week month interval range span window
    timeframe moment
    """
)
_CLAUSE_OPENERS = words_of(
    """
    which that i the each what is was how who show plot get
    """
)
_JOINING = ("of the", "in the", "on the", "during the", "from the", "for the", "of", "in", "on",
            "during", "from", "for", "the")  # fmt: skip


def relative_at(words: Words, i: int, *, day_first: bool) -> Expression | None:
    """The expression at ``i`` that counts from now, from a moment, or from another window."""
    if words.number(i) is not None and length_at(words, i) is None:
        return None
    return (
        _same(words, i, day_first=day_first)
        or _around(words, i, day_first=day_first)
        or _inside(words, i, day_first=day_first)
        or _neighbour(words, i)
        or _apart(words, i)
        or _rolling(words, i, day_first=day_first)
        or _turn_of_day(words, i, day_first=day_first)
    )


def _rolling(words: Words, i: int, *, day_first: bool) -> Expression | None:
    if words.at(i) not in _ROLLING:
        return None
    found = length_at(words, i + 1)
    if found is None or words.at(found[1]) in {"before", "prior"}:
        return None
    length, j = found
    inner = words.after(j, "of the", "of")
    if inner != j and (words.at(inner) in _OWN_TIME or whole_at(words, inner, day_first=day_first)):
        return None
    whole = not length.counted and not length.is_hours and words.at(i + 1) in _CALENDAR_UNITS
    if whole and words.at(i) == "last" and length.unit == "day":
        whole = False
    if whole and words.at(i) not in {"past", "trailing"}:
        return None
    _, first = opening(words, i)
    return Expression(Shape.ROLLING, first, goes_on(words, j), length=length)


def _around(words: Words, i: int, *, day_first: bool) -> Expression | None:
    """``the hour before 10:00``, ``two days after 1 June``."""
    found = length_at(words, words.after(i, "last", "first"))
    if found is None or words.at(i - 1) in {"than", "every", "each", "per"}:
        return None
    sign, j = _direction(words, found[1])
    if not sign:
        return None
    moment = moment_at(words, words.after(j, "the"), day_first=day_first)
    moment = moment or moment_at(words, j, day_first=day_first)
    if moment is None or moment.now or moment.ago:
        return None
    _, first = opening(words, i)
    return Expression(
        Shape.AROUND, first, moment.last, replace(moment, first=j), length=found[0], sign=sign
    )


def _direction(words: Words, j: int) -> tuple[int, int]:
    end = words.after(j, "before", "preceding", "prior to", "leading up to", "up to")
    if end != j:
        return -1, end
    end = words.after(j, "after", "following")
    return (1, end) if end != j else (0, j)


def _inside(words: Words, i: int, *, day_first: bool) -> Expression | None:
    """``the last two hours of 1 June``, ``first hour of yesterday``."""
    if words.at(i) not in {"first", "last"}:
        return None
    found = length_at(words, i + 1)
    if found is None or not found[0].is_hours or words.at(found[1]) not in {"of", "on"}:
        return None
    inner = whole_at(words, found[1] + 1, day_first=day_first)
    if inner is None:
        return None
    _, first = opening(words, i)
    return Expression(
        Shape.AROUND,
        first,
        inner[1],
        Moment(found[1] + 1, inner[1], days=inner[0]),
        length=found[0],
        sign=1 if words.at(i) == "first" else -1,
        inside=True,
    )


def _same(words: Words, i: int, *, day_first: bool) -> Expression | None:
    """``the same period of the previous month``, ``same time yesterday``."""
    if words.at(i) != "same" or words.at(i + 1) not in _SAME_OF:
        return None
    j = words.after(i + 2, "period", "range", "window", "span", "interval", "of day", "of the day")
    _, first = opening(words, i)
    return _same_neighbour(words, j, first) or _same_onto(words, j, first, day_first=day_first)


def _same_neighbour(words: Words, j: int, first: int) -> Expression | None:
    start = words.after(j, *_JOINING)
    found = _moved(words, start) or _unit_beside(words, start) or _length_beside(words, start)
    if found is None:
        return None
    length, sign, end = found
    return _shift(Shift(length, sign, same=True, words=_label(length, sign)), first, end)


def _same_onto(words: Words, j: int, first: int, *, day_first: bool) -> Expression | None:
    """``the same time yesterday``, ``the same hours on 2 June``."""
    k = words.after(j, "on the", "on", "of the", "of")
    found = whole_at(words, k, day_first=day_first)
    if found is None or found[0].granularity is not Granularity.DAY:
        return None
    onto = Moment(k, found[1], days=found[0])
    length = Length("day", 86400.0)
    return _shift(
        Shift(length, -1, same=True, words="same time of day", onto=onto), first, found[1]
    )


def _moved(words: Words, j: int) -> tuple[Length, int, int] | None:
    """``previous month``, ``following day``, ``last 2 weeks``."""
    word = words.at(j)
    sign = -1 if word in _BACK else 1 if word in _FORTH else 0
    found = length_at(words, j + 1) if sign else None
    return (found[0], sign, found[1]) if found else None


def _unit_beside(words: Words, j: int) -> tuple[Length, int, int] | None:
    """``week before``, ``day after``."""
    found = length_at(words, j)
    if found is None or found[0].counted:
        return None
    return _beside(words, found)


def _length_beside(words: Words, j: int) -> tuple[Length, int, int] | None:
    """``an hour earlier``, ``two weeks later``, ``a month ago``."""
    found = length_at(words, j)
    return _beside(words, found, ago=True) if found and found[0].counted else None


def _beside(
    words: Words, found: tuple[Length, int], *, ago: bool = False
) -> tuple[Length, int, int] | None:
    length, j = found
    end = words.after(j, "before", "earlier", "prior", "previously", *(("ago",) if ago else ()))
    sign = -1
    if end == j:
        end, sign = words.after(j, "after", "later", "afterwards"), 1
    pointed = words.after(end, "that", "this", "it")
    if pointed != end and not words.at(pointed).isalnum():
        return length, sign, pointed
    if end == j or (words.at(end - 1) in {"before", "after", "prior"} and not _stops(words, end)):
        return None
    return length, sign, end


def _stops(words: Words, j: int) -> bool:
    return words.ends_phrase(j) and words.at(j) not in _CLAUSE_OPENERS


def _neighbour(words: Words, i: int) -> Expression | None:
    """``the previous day``, ``the day after``, ``the following week``."""
    kind, first = opening(words, i)
    found = _moved(words, i) if words.at(i) not in {"last"} else None
    if found is not None and (
        found[0].counted or (words.at(i) == "next" and words.at(i - 1) != "the")
    ):
        return None
    if found is not None and words.at(found[2]) in {"of", "before", "after"}:
        return None
    if found is None and words.at(i - 1) == "the":
        found = _unit_beside(words, i)
    if found is None or words.at(i - 1) in {"each", "every", "per"}:
        return None
    length, sign, end = found
    shift = Shift(length, sign, same=False, words=_label(length, sign))
    otherwise = None
    if sign < 0 and words.at(i) in _BACK:
        named = period_at(words, i, day_first=True)
        if named:
            otherwise = Expression(
                Shape.POINT, first, named[1], Moment(i, named[1], days=named[0]), opened=kind
            )
        elif length.is_hours:
            otherwise = Expression(Shape.ROLLING, first, end, length=length)
        elif length.unit == "day":
            otherwise = _yesterday(first, i, end)
    if sign > 0 and words.at(i) == "next":
        named = period_at(words, i, day_first=True)
        if named:
            otherwise = Expression(Shape.POINT, first, named[1], Moment(i, named[1], days=named[0]))
    return replace(_shift(shift, first, end), otherwise=otherwise)


def _yesterday(first: int, i: int, end: int) -> Expression | None:
    found = period_at(Words("yesterday"), 0, day_first=True)
    return Expression(Shape.POINT, first, end, Moment(i, end, days=found[0])) if found else None


def _apart(words: Words, i: int) -> Expression | None:
    """``an hour earlier``."""
    found = _length_beside(words, i)
    if found is None or words.at(found[2] - 1) == "ago" or words.at(i - 1) in {"than", "by"}:
        return None
    length, sign, end = found
    _, first = opening(words, i)
    return _shift(Shift(length, sign, same=True, words=_label(length, sign)), first, end)


def _shift(shift: Shift, first: int, last: int) -> Expression:
    return Expression(Shape.SHIFT, first, last, shift=shift)


def _label(length: Length, sign: int) -> str:
    return f"{length.spoken()} {'earlier' if sign < 0 else 'later'}"


def _turn_of_day(words: Words, i: int, *, day_first: bool) -> Expression | None:
    """``midnight between 31 May and 1 June``, ``the night from Monday to Tuesday``."""
    opened = words.at(i + 1) if words.at(i) in {"midnight", "night"} else ""
    if opened != "between" and (opened not in {"from", "of"} or words.at(i) == "midnight"):
        return None
    joint = "and" if opened == "between" else "to"
    before = whole_at(words, i + 2, day_first=day_first)
    number = words.number(i + 2)
    j = before[1] if before else i + 3
    if (before is None and number is None) or words.at(j) != joint:
        return None
    after = whole_at(words, j + 1, day_first=day_first)
    if after is None:
        return None
    _, first = opening(words, i)
    shape = Shape.TURN_OF_DAY if words.at(i) == "midnight" else Shape.NIGHT_BETWEEN
    return Expression(shape, first, after[1], Moment(j + 1, after[1], days=after[0]))
