"""Writes times at an axis in the zone of the site."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator
from matplotlib.ticker import Formatter, Locator

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def local_time(days: float, zone: ZoneInfo) -> datetime:
    """The time so many days after 1970 in UTC, as matplotlib counts, in a zone."""
    return (EPOCH + timedelta(days=float(days))).astimezone(zone)


def days_of(text: str) -> float:
    """An ISO time as days after 1970 in UTC; without an offset it is in UTC."""
    time = datetime.fromisoformat(text)
    time = time if time.tzinfo else time.replace(tzinfo=UTC)
    return (time - EPOCH) / timedelta(days=1)


def time_locator(zone: ZoneInfo) -> Locator:
    """Ticks at round times of a zone."""
    return AutoDateLocator(tz=zone, minticks=4, maxticks=10)  # type: ignore[no-untyped-call]


class LocalTimes(Formatter):
    """Clock times or days, with the date, year or offset below where it changes."""

    def __init__(self, zone: ZoneInfo, shift_days: float = 0.0) -> None:
        self._zone = zone
        self._shift = shift_days

    def __call__(self, x: float, pos: int | None = None) -> str:
        """A single time, for whoever asks for one."""
        return self.format_ticks([x])[0]

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """The labels of all ticks of an axis."""
        times = [local_time(value - self._shift, self._zone) for value in values]
        times = [_whole_second(time) for time in times]
        if all((time.hour, time.minute, time.second) == (0, 0, 0) for time in times):
            return _days(times)
        with_seconds = any(time.second for time in times)
        labels = []
        for number, time in enumerate(times):
            before = times[number - 1] if number else None
            below = []
            if before is None or before.date() != time.date():
                below.append(f"{time.day} {MONTHS[time.month - 1]}")
            if before is not None and before.utcoffset() != time.utcoffset():
                below.append(offset_text(time))
            clock = f"{time:%H:%M:%S}" if with_seconds else f"{time:%H:%M}"
            labels.append("\n".join([clock, *below]))
        return labels


def _whole_second(time: datetime) -> datetime:
    return (time + timedelta(microseconds=500_000)).replace(microsecond=0)


def _days(times: Sequence[datetime]) -> list[str]:
    months = all(time.day == 1 for time in times) and len(times) > 1
    labels = []
    for number, time in enumerate(times):
        month = MONTHS[time.month - 1]
        text = month if months else f"{time.day} {month}"
        if number == 0 or times[number - 1].year != time.year:
            text += f"\n{time.year}"
        labels.append(text)
    return labels


def offset_text(time: datetime) -> str:
    """The offset from UTC, such as UTC+02:00."""
    minutes = round((time.utcoffset() or timedelta()).total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    return f"UTC{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def zone_text(zone: ZoneInfo, first: float, last: float) -> str:
    """The zone and its offset between two times, and when the offset changes."""
    if zone.key in ("UTC", "Etc/UTC"):
        return "UTC"
    start, end = local_time(first, zone), local_time(last, zone)
    if start.utcoffset() == end.utcoffset():
        return f"{zone.key}, {offset_text(start)}"
    early, late = start.astimezone(UTC), end.astimezone(UTC)
    while late - early > timedelta(seconds=1):
        middle = early + (late - early) / 2
        if middle.astimezone(zone).utcoffset() == start.utcoffset():
            early = middle
        else:
            late = middle
    change = (late + timedelta(seconds=30)).astimezone(zone)
    when = f"{change.day} {MONTHS[change.month - 1]} {change:%H:%M}"
    return f"{zone.key}, {offset_text(start)}, from {when} {offset_text(end)}"


def set_time_axis(axes: Axes, zone: ZoneInfo) -> None:
    """Ticks at round local times along the horizontal axis."""
    axes.xaxis.set_major_locator(time_locator(zone))
    axes.xaxis.set_major_formatter(LocalTimes(zone))


def category_of_time(value: float, zone: ZoneInfo, *, is_day: bool) -> str:
    """A time as the name of a category, with its weekday where it is a whole day."""
    time = _whole_second(local_time(value, zone))
    day = f"{time.day} {MONTHS[time.month - 1]}"
    if is_day:
        return f"{('Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun')[time.weekday()]}\n{day}"
    return f"{time:%H:%M}\n{day}"
