"""Clock times and the zones that people put beside them."""

from dataclasses import dataclass, replace
from datetime import timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from retrieval.time_tokens import Words, remembered
from retrieval.time_words import (
    CITY_ZONES,
    DOUBTFUL_ZONES,
    LENGTH_WORDS,
    ODD_OFFSETS,
    ZONE_HOURS,
)

_HALVES = (
    ("am", ("am", "a . m .", "a . m", "in the morning", "this morning")),
    ("pm", ("pm", "p . m .", "p . m", "in the afternoon", "in the evening")),
    ("night", ("at night",)),
)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day as said; hour 24 is the end of the day."""

    hour: int
    minute: int = 0
    second: int = 0
    loose: bool = False
    """An hour up to 12 that may lie in either half of the day."""
    bare: bool = False
    """A number alone; only its surroundings make it an hour."""
    midnight: bool = False
    half: str = ""
    """``am`` or ``pm`` as said."""
    short: bool = False
    """``8:30``: up to 12 and without a leading zero, so a later ``pm`` may govern it too."""

    @property
    def possible(self) -> bool:
        """Whether a clock shows it."""
        if self.hour == 24:
            return self.minute == self.second == 0
        return self.hour < 24 and self.minute < 60 and self.second < 60

    @property
    def of_day(self) -> timedelta:
        """Time since the day began."""
        return timedelta(hours=self.hour, minutes=self.minute, seconds=self.second)

    def in_half(self, half: str) -> "Clock":
        """The same time in the morning, the afternoon, or at night."""
        hour = self.hour
        if half == "night":
            half = "pm" if 6 <= hour <= 11 else "am"
        if half == "pm" and hour < 12:
            hour += 12
        elif half == "am" and hour == 12:
            hour = 0
        return replace(self, hour=hour, loose=False, bare=False, half=half)


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone as said; ``zone`` is None for the site's own (``local``) or one we do not know."""

    word: str
    zone: tzinfo | None = None
    name: str = ""
    local: bool = False

    @property
    def known(self) -> bool:
        """Whether times can be read in it."""
        return self.local or self.zone is not None


UTC_ZONE = Zone("UTC", ZoneInfo("UTC"), "UTC")


@remembered
def clock_at(words: Words, i: int, *, bare: bool = False) -> tuple[Clock, int] | None:
    """The time of day that starts at ``i`` and the index after it.

    With ``bare`` a number of one or two digits is an hour too.
    """
    named = _named_clock(words, i)
    if named is not None:
        return named
    hour = words.number(i)
    if hour is None or words.digits(i) > 2 or words.is_name(i) or _is_length(words, i):
        return None
    found = _colon_clock(words, i, hour) or _spoken_clock(words, i, hour)
    if found is not None:
        return found
    fits = bare and hour <= 24 and words.ends_phrase(i + 1)
    return (Clock(hour, loose=_is_loose(words, i), bare=True), i + 1) if fits else None


def _is_loose(words: Words, i: int) -> bool:
    return (words.number(i) or 0) <= 12 and not words.raw(i).startswith("0")


def _named_clock(words: Words, i: int) -> tuple[Clock, int] | None:
    j = i + 1 if words.number(i) == 12 and words.at(i + 1) in {"noon", "midnight"} else i
    if words.at(j) in {"noon", "midday"}:
        return Clock(12), j + 1
    if words.at(j) == "midnight":
        return Clock(0, midnight=True), j + 1
    return None


def _is_length(words: Words, i: int) -> bool:
    back = i - 1
    if words.at(back) in {"of", "for", "is", "was", "="}:
        back -= 1
    return words.at(back) in LENGTH_WORDS


def _colon_clock(words: Words, i: int, hour: int) -> tuple[Clock, int] | None:
    """``08:00``, ``8:00:30.5``, ``10h30``, ``8.30 pm``."""
    sign = words.at(i + 1)
    minute = words.number(i + 2)
    closed = words.glued(i + 1) and words.glued(i + 2) and words.digits(i + 2) == 2
    if sign not in {":", "h", "."} or minute is None or not closed:
        return None
    if words.glued(i) and words.at(i - 1) in {":", "."}:
        return None
    second, j = 0, i + 3
    if words.at(j) == sign == ":" and words.glued(j) and words.digits(j + 1) == 2:
        if not words.glued(j + 1):
            return Clock(hour, minute), j
        second, j = words.number(j + 1) or 0, j + 2
        if words.at(j) == "." and words.glued(j) and words.glued(j + 1):
            j = j + 2 if words.number(j + 1) is not None else j
    if words.at(j) == ":" and words.glued(j) and words.glued(j + 1):
        return None
    if words.at(j) == "%" or (words.at(j) == "." and words.glued(j + 1) and words.number(j + 1)):
        return None
    clock = Clock(hour, minute, second, short=_is_loose(words, i))
    half, end = half_at(words, j)
    if sign == "." and not half:
        return None
    j = words.after(j, "h", "hrs") if words.glued(j) else words.after(j, "hrs", "o ' clock")
    return (clock.in_half(half), end) if half and hour <= 12 else (clock, max(j, end))


def _spoken_clock(words: Words, i: int, hour: int) -> tuple[Clock, int] | None:
    """``3pm``, ``6 in the morning``, ``9 o'clock``, ``14h``."""
    j = words.after(i + 1, "o ' clock", "oclock")
    half, end = half_at(words, j)
    if half and 1 <= hour <= 12:
        return Clock(hour).in_half(half), end
    if half and hour <= 24 and words.at(end - 1) not in {"am", "pm"}:
        return Clock(hour), end
    if j != i + 1 and hour <= 24:
        return Clock(hour, loose=_is_loose(words, i)), j
    said = words.at(i - 1) in {"at", "from", "between", "to", "and", "-", "until", "since"}
    if words.at(i + 1) == "h" and words.glued(i + 1) and said and hour <= 24:
        return Clock(hour), i + 2
    return None


def half_at(words: Words, j: int) -> tuple[str, int]:
    """``am``, ``pm`` or ``night`` (or ``""``) at ``j``, and the index after it."""
    for half, phrases in _HALVES:
        end = words.after(j, *phrases)
        if end != j:
            return half, end
    return "", j


@remembered
def zone_at(words: Words, i: int) -> tuple[Zone, int] | None:
    """The zone named right at ``i``, bare, after ``in``, a comma, or in brackets."""
    opened = words.at(i) in {"(", "["}
    j = words.after(words.after(i, "(", "[", ","), "all times in", "times in", "in", "all times")
    found = _zone_word(words, j, glued=j == i)
    if found is None:
        return None
    zone, end = found
    if opened:
        return (zone, end + 1) if words.at(end) in {")", "]"} else None
    if words.at(i) == "," and not zone.known:
        return None
    return zone, end


def _zone_word(words: Words, i: int, *, glued: bool) -> tuple[Zone, int] | None:
    word = words.at(i)
    if word in {"utc", "gmt"}:
        offset = _offset_at(words, i + 1)
        return offset if offset else (UTC_ZONE, words.after(i + 1, "time"))
    if word == "z" and words.glued(i) and words.number(i - 1) is not None:
        return UTC_ZONE, i + 1
    if word in ZONE_HOURS and (words.raw(i).isupper() or word in {"cet", "cest"}):
        return _fixed(words.raw(i), 60 * ZONE_HOURS[word]), i + 1
    if word in DOUBTFUL_ZONES and words.raw(i).isupper():
        return Zone(words.raw(i)), i + 1
    if glued and words.glued(i) and (word == "+" or (word == "-" and _is_iso(words, i))):
        return _offset_at(words, i)
    return _zone_name(words, i)


def _is_iso(words: Words, i: int) -> bool:
    """Whether the clock time before ``i`` follows a ``T``; else a dash joins two times."""
    back = i - 1
    while (
        back > i - 8
        and words.glued(back)
        and (words.number(back) is not None or words.at(back) in {":", "."})
    ):
        back -= 1
    return words.at(back) == "t"


def _zone_name(words: Words, i: int) -> tuple[Zone, int] | None:
    """``local time``, ``Rome time``, ``Europe/Rome``."""
    local = words.after(i, "local time", "site time", "site local time")
    if local == i and words.at(i) == "local" and words.ends_phrase(i + 1):
        local = i + 1
    if local != i:
        return Zone("local", local=True), local
    if words.at(i + 1) == "/" and words.glued(i + 1) and words.glued(i + 2):
        return _iana_name(words, i)
    for last in (i, i + 1):
        end = words.after(last + 1, "time", "local time")
        if end != last + 1 and words.raw(i)[:1].isupper():
            name = CITY_ZONES.get(words.at(last))
            if name is None and (last > i or not words.raw(i)[1:].islower()):
                continue
            place = " ".join(words.raw(step) for step in range(i, end))
            return (Zone(place, ZoneInfo(name), name) if name else Zone(place)), end
    return None


def _iana_name(words: Words, i: int) -> tuple[Zone, int] | None:
    end = i + 3
    name = words.raw(i) + "/" + words.raw(i + 2)
    while words.at(end) == "_" and words.glued(end) and words.glued(end + 1):
        name += "_" + words.raw(end + 1)
        end += 2
    if not all(part[:1].isupper() and part.isascii() for part in name.split("/")):
        return None
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
    return Zone(name, zone, name), words.after(end, "time")


def _offset_at(words: Words, i: int) -> tuple[Zone, int] | None:
    sign, hours = words.at(i), words.number(i + 1)
    if sign not in {"+", "-"} or hours is None or not words.glued(i + 1):
        return None
    end, minutes = i + 2, 0
    if words.digits(i + 1) == 4:
        hours, minutes = divmod(hours, 100)
    elif words.at(end) == ":" and words.glued(end) and words.digits(end + 1) == 2:
        minutes, end = words.number(end + 1) or 0, end + 2
    if words.digits(i + 1) not in {1, 2, 4} or hours > 14 or minutes > 59:
        return None
    total = (60 * hours + minutes) * (1 if sign == "+" else -1)
    return _fixed(f"UTC{sign}{hours:02}:{minutes:02}", total), end


def _fixed(word: str, minutes: int) -> Zone:
    if minutes == 0:
        return replace(UTC_ZONE, word=word)
    if minutes % 60 == 0 and -12 <= minutes // 60 <= 14:
        name = f"Etc/GMT{-minutes // 60:+d}"
        return Zone(word, ZoneInfo(name), name)
    if minutes in ODD_OFFSETS:
        return Zone(word, ZoneInfo(ODD_OFFSETS[minutes]), ODD_OFFSETS[minutes])
    return Zone(word, timezone(timedelta(minutes=minutes)), "UTC")
