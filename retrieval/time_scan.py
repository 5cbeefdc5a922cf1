"""The walk over a text that finds each expression of time, and zones that stand alone."""

from dataclasses import dataclass, replace
from typing import Final

from retrieval.time_clocks import Zone, zone_at
from retrieval.time_expressions import Expression
from retrieval.time_ranges import list_at, range_at
from retrieval.time_relative import relative_at
from retrieval.time_tokens import Words
from retrieval.time_words import (
    LOOSE_ZONES,
    MONTHS,
    NUMBERS,
    ORDINAL_ENDINGS,
    ORDINALS,
    PARTS,
    SHORT_MONTHS,
    SHORT_WEEKDAYS,
    UNITS,
    WEEKDAYS,
    words_of,
)

_STARTS: Final = words_of(
    """
    today yesterday tomorrow this next current coming now right as overnight tonight noon
    midday midnight week weekend night q start beginning end early mid late middle half
    couple few iso calendar same last past previous preceding prior following subsequent
    latest trailing earlier
    """
).union(
    MONTHS, SHORT_MONTHS, WEEKDAYS, SHORT_WEEKDAYS, NUMBERS, ORDINALS,
    (word for word in UNITS if len(word) > 2), (part.split()[0] for part in PARTS),
)  # fmt: skip
_AFTER_NUMBERS: Final = words_of(
    """
    : . / - st nd rd th am pm a p o oclock h noon midnight in at of day to until till through thru
    and or & , → vs versus up half full whole
    """
).union(MONTHS, SHORT_MONTHS)
_MONTH_NAMES: Final = frozenset(MONTHS) | frozenset(SHORT_MONTHS)
_BEFORE_HOURS: Final = words_of("at since until before after from between")
_MOST_EXPRESSIONS: Final = 50
_ZONE_STARTS: Final = frozenset({"in", "(", "all", "times"}) | LOOSE_ZONES


@dataclass(frozen=True, slots=True)
class Scan:
    """The expressions of a text in order, and the zone that the text names for all of them."""

    expressions: tuple[Expression, ...]
    zone: Zone | None
    zone_tokens: tuple[tuple[int, int], ...]


def scan(words: Words, *, day_first: bool) -> Scan:
    """The first 50 expressions of time in the text, none overlapping another."""
    found: list[Expression] = []
    zone: Zone | None = None
    zone_tokens: list[tuple[int, int]] = []
    i = taken = 0
    while i < len(words) and len(found) < _MOST_EXPRESSIONS:
        here = _expressions_at(words, i, day_first=day_first)
        if here and here[-1].last > i:
            for expression in here:
                found.append(replace(expression, first=max(expression.first, taken)))
                taken = expression.last
            i = taken
            continue
        loose = zone_at(words, i) if words.at(i) in _ZONE_STARTS else None
        if loose and loose[0].known and _is_for_all(words, i, loose[1]):
            zone = zone or loose[0]
            zone_tokens.append((i, loose[1]))
            i = taken = loose[1]
        else:
            i += 1
    return Scan(tuple(found), zone, tuple(zone_tokens))


def _is_for_all(words: Words, i: int, j: int) -> bool:
    word = words.at(j - 1) if words.at(j - 1) not in {")", "]"} else words.at(j - 2)
    return word in LOOSE_ZONES or word == "time" or words.number(j - 1) is not None


def _is_number_of_time(words: Words, i: int) -> bool:
    """Whether what stands around a number lets it be part of a time."""
    if words.number(i) is None:
        return False
    near = words.at(i + 1)
    if words.is_name(i) and near not in _MONTH_NAMES and near not in ORDINAL_ENDINGS:
        return False
    if words.is_in_names(i) and near in {",", "and", "or", "&", "-", "to"}:
        return False
    if words.at(i - 1) == "-" and words.glued(i) and words.number(i - 2) and words.glued(i - 1):
        return near in _MONTH_NAMES
    if words.digits(i) == 4:
        return True
    return (
        near in _AFTER_NUMBERS
        or near in UNITS
        or (words.digits(i) <= 2 and words.at(i - 1) in _BEFORE_HOURS)
    )


def _expressions_at(words: Words, i: int, *, day_first: bool) -> list[Expression] | None:
    word = words.at(i)
    if word == "the":
        ordinal = words.number(i + 1) is not None or words.at(i + 1) == "weekend"
        if not ordinal:
            return None
    elif word not in _STARTS and not _is_number_of_time(words, i):
        return None
    if word == "may" and words.at(i + 1) in {"i", "be", "have", "not"}:
        return None
    one = relative_at(words, i, day_first=day_first)
    if one is not None:
        return [one]
    several = list_at(words, i, day_first=day_first)
    if several:
        return several
    one = range_at(words, i, day_first=day_first)
    return [one] if one is not None else None
