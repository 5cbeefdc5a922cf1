"""The words that say when a digest is due: "weekdays at 08:00 Europe/Rome"."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from bot.digests.digest import When
from bot.digests.schedule import Schedule

_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_DAY = r"(?:sun|mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur)(?:day)?s?\b"
_JOINED = r"(?:\s*,\s*|\s+and\s+|\s*&\s*)"
_TIME = r"(?:\d{1,2}(?::|\.)\d{2}(?:\s?[ap]m)?|\d{1,2}\s?[ap]m|noon|midnight)\b"
_AT = rf"\s*,?\s+(?:at\s+)?(?P<times>{_TIME}(?:{_JOINED}(?:at\s+)?{_TIME})*)"
_EACH = r"(?:on\s+|every\s+|each\s+)?"
EXAMPLES = (
    "daily 08:00",
    "weekdays at 08:00 Europe/Rome",
    "weekly Monday 09:00",
    "monthly on the 1st at 07:00",
    "hourly",
    'cron "0 8 * * 1-5"',
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """What stood at the beginning of a text, and how many characters it takes."""

    cron: str
    said: str
    length: int


@dataclass(frozen=True, slots=True)
class Unusable:
    """Why words about a schedule cannot be taken, for whoever wrote them."""

    text: str


def read_schedule(text: str) -> Spoken | Unusable | None:
    """The schedule that ``text`` begins with; None where it begins with something else."""
    for pattern, make in _SHAPES:
        found = pattern.match(text)
        if found is None:
            continue
        made = make(found)
        if isinstance(made, Unusable):
            return made
        return Spoken(made[0], made[1], found.end())
    if _NO_TIME.match(text):
        return Unusable("At what time? As in: daily 08:00, weekly Monday 09:00")
    return None


def read_zone(text: str) -> tuple[str, int] | None:
    """The time zone that ``text`` begins with, and its length; None where there is none."""
    found = re.match(r"(?:in\s+|at\s+)?([A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*)(?:\s+time)?\b", text)
    name = _zones().get(found[1].lower()) if found else None
    return (name, found.end()) if found and name else None


def as_when(spoken: Spoken, zone: ZoneInfo) -> When | Unusable:
    """The schedule by the clocks of ``zone``."""
    try:
        return When(Schedule(spoken.cron, zone.key), spoken.said)
    except ValueError as error:
        text = f"{error}. Five fields are expected: minute, hour, day of the month, month, weekday"
        return Unusable(f'{text}. As in: cron "0 8 * * 1-5"')


@cache
def _zones() -> dict[str, str]:
    return {name.lower(): name for name in available_timezones() if name != "localtime"}


_Made = tuple[str, str] | Unusable


def _cron(found: re.Match[str]) -> _Made:
    fields = " ".join((found["quoted"] or found["bare"]).split())
    return fields, f'cron "{fields}"'


def _hourly(found: re.Match[str]) -> _Made:
    minute = int(found["minute"] or 0)
    if minute > 59:
        return Unusable(f"An hour has no minute {minute}. As in: hourly at :15")
    return f"{minute} * * * *", f"hourly at :{minute:02}"


def _every(found: re.Match[str]) -> _Made:
    number, is_hours = int(found["number"]), found["unit"].startswith("h")
    whole, unit = (24, "hours") if is_hours else (60, "minutes")
    if number < 1 or whole % number:
        fitting = ", ".join(str(n) for n in range(1, whole) if whole % n == 0)
        return Unusable(f"Every {number} {unit} does not fit: take one of {fitting}")
    said = f"every {number} {unit}"
    return (f"0 */{number} * * *" if is_hours else f"*/{number} * * * *"), said


def _daily(found: re.Match[str]) -> _Made:
    return _at(found["times"], "* * *", "daily")


def _weekdays(found: re.Match[str]) -> _Made:
    return _at(found["times"], "* * 1-5", "weekdays")


def _weekends(found: re.Match[str]) -> _Made:
    return _at(found["times"], "* * 6,0", "weekends")


def _weekly(found: re.Match[str]) -> _Made:
    named = sorted({_day_number(name) for name in re.findall(_DAY, found["days"], re.IGNORECASE)})
    said = "weekly on " + _listed([_DAYS[number] for number in named])
    return _at(found["times"], f"* * {','.join(map(str, named))}", said)


def _monthly(found: re.Match[str]) -> _Made:
    if found["day"] is None:
        return _at(found["times"], "L * *", "monthly on the last day")
    day = int(found["day"])
    if not 1 <= day <= 28:
        return Unusable(
            f"Not every month has a day {day}. As in: monthly on the 1st at 07:00,"
            " monthly on the last day at 07:00"
        )
    return _at(found["times"], f"{day} * *", f"monthly on day {day}")


def _at(times: str, days: str, said: str) -> _Made:
    clocks = []
    for written in re.findall(_TIME, times, re.IGNORECASE):
        clock = _clock(written.lower())
        if clock is None:
            return Unusable(f"{written!r} is no time of day. As in: 08:00, 17:30, 8 am, noon")
        clocks.append(clock)
    minutes = {minute for _, minute in clocks}
    if len(minutes) > 1:
        return Unusable(
            "Several times of one digest need the same minute, as in 08:00 and 20:00;"
            " else create a digest for each"
        )
    hours = sorted({hour for hour, _ in clocks})
    shown = _listed([f"{hour:02}:{clocks[0][1]:02}" for hour in hours])
    return f"{clocks[0][1]} {','.join(map(str, hours))} {days}", f"{said} at {shown}"


def _clock(written: str) -> tuple[int, int] | None:
    if written in ("noon", "midnight"):
        return (12 if written == "noon" else 0), 0
    found = re.fullmatch(r"(\d{1,2})(?:[:.](\d{2}))?\s?([ap]m)?", written)
    assert found is not None
    hour, minute, half = int(found[1]), int(found[2] or 0), found[3]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    return (hour, minute) if hour <= 23 and minute <= 59 else None


def _day_number(name: str) -> int:
    return next(n for n, day in enumerate(_DAYS) if day[:3].lower() == name[:3].lower())


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _shape(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_FIELD = r"[\d*/,\-#?A-Za-z]+"
_SHAPES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], _Made]], ...] = (
    (
        _shape(rf'cron\s+(?:"(?P<quoted>[^"]*)"|(?P<bare>{_FIELD}(?:\s+{_FIELD}){{4}})(?!\S))'),
        _cron,
    ),
    (
        _shape(r"(?:hourly|(?:every|each)\s+hour)\b(?:\s+at\s+:?(?P<minute>\d{1,2})\b(?![:.]))?"),
        _hourly,
    ),
    (_shape(r"every\s+(?P<number>\d{1,3})\s*(?P<unit>h|hours?|min|minutes?)\b"), _every),
    (_shape(rf"(?:daily|(?:every|each)\s+day){_AT}"), _daily),
    (
        _shape(rf"{_EACH}(?:weekdays?|working\s+days?|mon(?:day)?\s*(?:-|to)\s*fri(?:day)?){_AT}"),
        _weekdays,
    ),
    (_shape(rf"{_EACH}weekends?{_AT}"), _weekends),
    (_shape(rf"(?:weekly\s*,?\s+)?{_EACH}(?P<days>{_DAY}(?:{_JOINED}{_DAY})*){_AT}"), _weekly),
    (
        _shape(
            r"(?:monthly|every\s+month)\s+(?:on\s+)?(?:the\s+|day\s+)?"
            rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?|last(?:\s+day)?){_AT}"
        ),
        _monthly,
    ),
)
_NO_TIME = _shape(
    rf"(?:daily|weekly|monthly|{_EACH}(?:day|weekdays?|weekends?|month|week|{_DAY}))\b"
)
