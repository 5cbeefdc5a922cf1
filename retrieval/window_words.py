"""Windows of time in words: in UTC, and in the site's zone where that is another."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from retrieval.request import TimeWindow


def window_label(window: TimeWindow, zone: ZoneInfo) -> str:
    """``window`` as people write it: "on 2022-06-01 (UTC)", "2022-06-01 08:00 to 09:00 UTC"."""
    label = _in_zone(window, ZoneInfo("UTC"), "UTC")
    start = window.start.astimezone(zone)
    if start.utcoffset() in (None, timedelta(0)):
        return label
    return f"{label} ({_in_zone(window, zone, start.tzname() or str(zone))})"


def _in_zone(window: TimeWindow, zone: ZoneInfo, name: str) -> str:
    start, end = window.start.astimezone(zone), window.end.astimezone(zone)
    if start == end:
        return f"at {_moment(start)} {name}"
    if not window.includes_end and _is_midnight(start) and _is_midnight(end):
        last = end - timedelta(days=1)
        if last.date() == start.date():
            return f"on {start:%Y-%m-%d} {name}"
        return f"from {start:%Y-%m-%d} to {last:%Y-%m-%d} {name}"
    if start.date() == end.date():
        return f"from {_moment(start)} to {_clock(end)} {name}"
    return f"from {_moment(start)} to {_moment(end)} {name}"


def _is_midnight(moment: datetime) -> bool:
    return moment.time().replace(tzinfo=None).isoformat() == "00:00:00"


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d} {_clock(moment)}"


def _clock(moment: datetime) -> str:
    return f"{moment:%H:%M:%S}" if moment.second else f"{moment:%H:%M}"
