"""Writes a window of time in the site's zone and in UTC, for the line under a title."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def window_text(start: datetime, end: datetime, zone: str) -> str:
    """Such as ``1 Jun 2022 10:00-17:00 CEST (08:00-15:00 UTC)``; UTC alone when that is the zone.

    Both times carry a zone.
    """
    local = ZoneInfo(zone)
    first, last = start.astimezone(local), end.astimezone(local)
    first_utc, last_utc = start.astimezone(UTC), end.astimezone(UTC)
    if first.utcoffset() == last.utcoffset() == first_utc.utcoffset():
        return f"{_span(first_utc, last_utc)} UTC"
    names = first.tzname() or zone
    if first.tzname() != last.tzname():
        names = f"{first.tzname()}/{last.tzname()}"
    same_days = (first.date(), last.date()) == (first_utc.date(), last_utc.date())
    one_day = first.date() == last.date()
    utc = _clocks(first_utc, last_utc) if same_days and one_day else _span(first_utc, last_utc)
    return f"{_span(first, last)} {names} ({utc} UTC)"


def _span(first: datetime, last: datetime) -> str:
    if first.date() == last.date():
        return f"{_day(first)} {first.year} {_clocks(first, last)}"
    year = "" if first.year == last.year else f" {first.year}"
    return f"{_day(first)}{year} {_clock(first)} – {_day(last)} {last.year} {_clock(last)}"  # noqa: RUF001


def _clocks(first: datetime, last: datetime) -> str:
    return f"{_clock(first)}–{_clock(last)}"  # noqa: RUF001


def _clock(time: datetime) -> str:
    return f"{time:%H:%M:%S}" if time.second else f"{time:%H:%M}"


def _day(time: datetime) -> str:
    return f"{time.day} {_MONTHS[time.month - 1]}"
