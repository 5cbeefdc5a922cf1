"""Days, weeks and months as dates, and local times as instants."""

import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

DAY: Final = timedelta(days=1)
EARLIEST: Final = datetime(2020, 1, 1, tzinfo=UTC)
"""Where a window without a start begins; no lake that we know reaches further back."""
LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)

DateSpan = tuple[date, date]
"""First day, and the day after the last."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a date may lean on when it leaves something out."""

    today: date
    year: int | None = None
    """Year of another date in the text, or of the earlier question."""
    year_is_said: bool = False
    """The text itself gives ``year``; it needs no note."""
    month: tuple[int, int] | None = None
    """Year and month to which ``the 3rd`` belongs."""


def day_span(day: date) -> DateSpan:
    """One whole day."""
    return day, day + DAY


def week_span(day: date) -> DateSpan:
    """The ISO week (Monday to Sunday) that holds the day."""
    monday = day - day.weekday() * DAY
    return monday, monday + 7 * DAY


def month_span(year: int, month: int) -> DateSpan:
    """One calendar month."""
    first = date(year, month, 1)
    return first, months_later(first, 1)


def quarter_span(year: int, quarter: int) -> DateSpan:
    """One quarter, 1 to 4."""
    first = date(year, 3 * quarter - 2, 1)
    return first, months_later(first, 3)


def year_span(year: int) -> DateSpan:
    """One calendar year."""
    return date(year, 1, 1), date(year + 1, 1, 1)


def months_later(day: date, count: int) -> date:
    """The same day some months later (or earlier), or the last of that month if it is shorter."""
    months = day.year * 12 + day.month - 1 + count
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def is_date(year: int, month: int, day: int) -> bool:
    """Whether the calendar has such a day."""
    return 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]


def as_instant(local: datetime, zone: tzinfo, *, second_time: bool = False) -> datetime:
    """A wall-clock time as UTC; one that a clock change skipped moves on by the change."""
    return local.replace(tzinfo=zone, fold=int(second_time)).astimezone(UTC)


def as_local(instant: datetime, zone: tzinfo) -> datetime:
    """The wall-clock time of an instant, without a zone."""
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)


def midnight(day: date) -> datetime:
    """The first wall-clock time of a day."""
    return datetime(day.year, day.month, day.day)  # noqa: DTZ001 (wall-clock time, zone comes later)


def was_skipped(local: datetime, zone: tzinfo) -> bool:
    """Whether the clocks jumped over this wall-clock time."""
    return as_local(as_instant(local, zone), zone) != local


def came_twice(local: datetime, zone: tzinfo) -> bool:
    """Whether the clocks went back over this wall-clock time."""
    first, second = as_instant(local, zone), as_instant(local, zone, second_time=True)
    return first != second and not was_skipped(local, zone)


def spoken_day(day: date) -> str:
    """``1 June 2022``."""
    return f"{day.day} {calendar.month_name[day.month]} {day.year}"


def spoken_time(local: datetime) -> str:
    """``1 June 2022 08:00``, with seconds only where there are some."""
    clock = local.strftime("%H:%M:%S" if local.second else "%H:%M")
    return f"{spoken_day(local.date())} {clock}"


def spoken_window(start: datetime, end: datetime, zone: tzinfo) -> str:
    """Two instants as a person would say them in a zone: ``1 June 2022, 08:00 to 12:00``."""
    first, last = as_local(start, zone), as_local(end, zone)
    if first == last:
        return spoken_time(first)
    if first.time() == last.time() == midnight(first.date()).time():
        final = last.date() - DAY
        if final == first.date():
            return spoken_day(final)
        return f"{spoken_day(first.date())} to {spoken_day(final)}"
    if first.date() == last.date():
        return f"{spoken_day(first.date())}, {first:%H:%M} to {last:%H:%M}"
    return f"{spoken_time(first)} to {spoken_time(last)}"
