"""Days, months and periods as said, and how they find their place on the calendar."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from retrieval.time_calendar import (
    DateSpan,
    Known,
    day_span,
    is_date,
    month_span,
    months_later,
    year_span,
)
from retrieval.time_reading import Granularity


@dataclass(frozen=True, slots=True)
class Calendar:
    """A day, month or year; what the words leave out is None."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    """The weekday that the text gives beside the date."""
    month_first: bool = False
    """``June 1``: a bare number after a dash is a further day."""
    swapped: tuple[int, int] | None = None
    """Month and day of ``03/04/2022`` under the other order, where that is a date too."""

    @property
    def granularity(self) -> Granularity:
        """The smallest unit that is given."""
        if self.day is not None:
            return Granularity.DAY
        return Granularity.YEAR if self.month is None else Granularity.MONTH

    def lacks_month(self, other: "Calendar") -> bool:
        """Whether this is a bare day whose month the other date gives."""
        return self.month is None and self.day is not None and other.month is not None

    def span(self, known: Known) -> DateSpan | None:
        """First day and the day after the last; None for a date that the calendar lacks."""
        if self.year is not None:
            return self._in(self.year, self.month)
        if self.month is None:
            return self._day_of_some_month(known)
        for year in (known.year, known.today.year, *range(known.today.year - 1, 1970, -1)):
            found = self._in(year, self.month) if year is not None else None
            if found and (found[0] <= known.today):
                return found
            if year is not None and year < known.today.year - 8:
                break
        return None

    def _in(self, year: int, month: int | None) -> DateSpan | None:
        if month is None:
            return year_span(year)
        if not 1 <= month <= 12:
            return None
        if self.day is None:
            return month_span(year, month)
        return day_span(date(year, month, self.day)) if is_date(year, month, self.day) else None

    def _day_of_some_month(self, known: Known) -> DateSpan | None:
        if self.day is None or not 1 <= self.day <= 31:
            return None
        if known.month:
            return self._in(*known.month)
        first = known.today.replace(day=1)
        for back in range(3):
            found = self._in(*_year_month(months_later(first, -back)))
            if found and found[0] <= known.today:
                return found
        return None


@dataclass(frozen=True, slots=True)
class Named:
    """A period that has a name rather than a date: ``last week``, ``first half of June``."""

    span: Callable[[Known], DateSpan | None]
    granularity: Granularity
    rivals: Callable[[Known], tuple[DateSpan, ...]] = lambda _known: ()
    """Other periods that the same words may mean."""
    from_now: timedelta | None = None
    """A rival that is a stretch of time up to now."""
    current: bool = False
    """It is under way: ``today``, ``this week``."""
    weekly: bool = False
    """A weekday alone, which comes each week: in a range, that before the other end."""
    edge: str = ""
    """``start`` or ``end`` where the period is one edge of another, and a point in a range."""


Days = Calendar | Named


def _year_month(day: date) -> tuple[int, int]:
    return day.year, day.month
