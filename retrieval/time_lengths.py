"""Lengths of time: ``two hours``, ``90 min``, ``half a day``, ``24h``."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

from retrieval.time_calendar import DAY, as_instant, as_local, months_later
from retrieval.time_tokens import Words, remembered
from retrieval.time_words import NUMBERS, UNIT_MONTHS, UNIT_SECONDS, UNITS

_LONGEST_DAYS: Final = 366 * 20


@dataclass(frozen=True, slots=True)
class Length:
    """So many seconds, and so many calendar months."""

    unit: str
    """``second`` to ``year``; a fortnight counts in weeks."""
    seconds: float = 0
    months: int = 0
    counted: bool = False
    """The text gives a number (``last 1 hour``, not ``last hour``)."""

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
    """The length that starts at ``i`` and the index after it; a unit alone is one of it."""
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
        return _found(1, words, i, counted=False) if len(words.at(i)) > 2 else None
    j = words.after(j, "-", "full", "whole")
    if len(words.at(j)) == 1 and not words.glued(j) and words.at(j) not in {"h", "d", "s"}:
        return None
    return _found(amount, words, j, counted=True)


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
