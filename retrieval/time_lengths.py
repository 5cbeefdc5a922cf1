"""Lengths of time: ``two hours``, ``90 min``, ``half a day``, ``24h``."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

from retrieval.time_calendar import DAY, as_instant, as_local, months_later
from retrieval.time_tokens import Words, remembered
from retrieval.time_words import NUMBERS, UNIT_MONTHS, UNIT_SECONDS, UNITS

_LONGEST_DAYS: Final = 366 * 20
_COMPLETE: Final = ("full", "whole", "complete", "completed")


@dataclass(frozen=True, slots=True)
class Length:
    """So many seconds, and so many calendar months."""

    unit: str
    """``second`` to ``year``; a fortnight counts in weeks."""
    seconds: float = 0
    months: int = 0
    counted: bool = False
    """The text gives a number (``last 1 hour``, not ``last hour``)."""
    complete: bool = False
    """Only units that are over count: ``last three full days`` ends at midnight."""

    @property
    def days(self) -> int:
        """Whole days, for a length in days or weeks."""
        return int(self.seconds // 86400)

    @property
    def is_hours(self) -> bool:
        """Whether it is said in hours or less."""
        return self.unit in {"second", "minute", "hour"}

    def from_instant(self, instant: datetime, zone: tzinfo, sign: int) -> datetime:
        """The instant so much later (``sign`` 1) or earlier (-1); months count on the calendar."""
        if not self.months:
            return instant + sign * timedelta(seconds=self.seconds)
        local = as_local(instant, zone)
        day = months_later(local.date(), sign * self.months)
        return as_instant(datetime.combine(day, local.time()), zone)

    def from_day(self, day: date, sign: int) -> date:
        """The day so much later or earlier."""
        if self.months:
            return months_later(day, sign * self.months)
        return day + sign * self.days * DAY

    def spoken(self) -> str:
        """``2 days``, for a label."""
        size = self.months / UNIT_MONTHS[self.unit] if self.months else self._in_units()
        return f"{size:g} {self.unit}{'' if size == 1 else 's'}"

    def _in_units(self) -> float:
        return self.seconds / UNIT_SECONDS[self.unit]


def _length(amount: float, word: str, *, counted: bool) -> Length | None:
    unit, count = UNITS[word]
    if unit in UNIT_MONTHS:
        months = int(amount * count * UNIT_MONTHS[unit])
        if not 0 < months <= 240:
            return None
        return Length(unit, months=months, counted=counted)
    seconds = amount * count * UNIT_SECONDS[unit]
    if not 0 < seconds <= _LONGEST_DAYS * 86400:
        return None
    return Length(unit, seconds, counted=counted)


@remembered
def length_at(words: Words, i: int) -> tuple[Length, int] | None:
    """The length that starts at ``i`` and the index after it; a unit alone is one of it.

    Smaller units behind it add to it: ``1h30m``, ``2 days and 3 hours``, ``an hour and a half``.
    """
    found = _one_length(words, i)
    while found is not None and not found[0].months and not found[0].complete:
        further = _further_length(words, *found)
        if further is None:
            return found
        found = further
    return found


def _further_length(words: Words, so_far: Length, j: int) -> tuple[Length, int] | None:
    half = words.after(j, "and a half")
    if half != j and words.at(half) not in UNITS:
        return _added(so_far, UNIT_SECONDS[so_far.unit] / 2, so_far.unit), half
    k = words.after(j, "and", ",")
    amount, _ = _amount_at(words, k)
    more = _one_length(words, k) if amount and so_far.counted else None
    if so_far.counted and words.glued(j) and words.number(j) and words.at(j + 1) in UNITS:
        more = _found(words.number(j) or 0, words, j + 1, counted=True)
    if more is None or more[0].months or more[0].complete:
        return None
    if UNIT_SECONDS[more[0].unit] >= UNIT_SECONDS[so_far.unit]:
        return None
    return _added(so_far, more[0].seconds, more[0].unit), more[1]


def _added(length: Length, seconds: float, unit: str) -> Length:
    return replace(length, unit=unit, seconds=length.seconds + seconds, counted=True)


def _one_length(words: Words, i: int) -> tuple[Length, int] | None:
    half = words.after(i, "half an", "half a", "a half", "half")
    if half != i and words.at(half) in UNITS:
        return _found(0.5, words, half, counted=True)
    some = words.after(i, "a couple of", "couple of", "couple")
    if some != i and words.at(some) in UNITS:
        return _found(2, words, some, counted=True)
    few = words.after(i, "a few", "few")
    if few != i and words.at(few) in UNITS:
        return _found(3, words, few, counted=True)
    amount, j = _amount_at(words, i)
    if amount is None:
        return _unit_alone(words, i)
    unit = words.after(j, "-", *_COMPLETE)
    if len(words.at(unit)) == 1 and not words.glued(unit) and words.at(unit) not in {"h", "d", "s"}:
        return None
    found = _found(amount, words, unit, counted=True)
    complete = words.at(j) in _COMPLETE
    return (replace(found[0], complete=True), found[1]) if found and complete else found


def _unit_alone(words: Words, i: int) -> tuple[Length, int] | None:
    """``hour``, ``full hour``: one of the unit, without a number."""
    unit = words.after(i, *_COMPLETE)
    if len(words.at(unit)) <= 2:
        return None
    found = _found(1, words, unit, counted=unit != i)
    return (replace(found[0], complete=True), found[1]) if found and unit != i else found


def _found(amount: float, words: Words, j: int, *, counted: bool) -> tuple[Length, int] | None:
    if words.at(j) not in UNITS:
        return None
    length = _length(amount, words.at(j), counted=counted)
    return None if length is None else (length, j + 1)


def _amount_at(words: Words, i: int) -> tuple[float | None, int]:
    if words.at(i) in NUMBERS:
        return NUMBERS[words.at(i)], i + 1
    value = words.number(i)
    if value is None or words.is_name(i):
        return None, i
    if words.at(i + 1) == "." and words.glued(i + 2) and words.number(i + 2) is not None:
        return float(f"{value}.{words.raw(i + 2)}"), i + 3
    return value, i + 1
