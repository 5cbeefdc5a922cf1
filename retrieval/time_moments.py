"""One point or stretch as people say it: a date with hours, a part of a day, ``an hour ago``."""

from dataclasses import dataclass, replace

from retrieval.time_clocks import Clock, Zone, clock_at, zone_at
from retrieval.time_days import Calendar, Days
from retrieval.time_lengths import Length, length_at
from retrieval.time_periods import weekday_of
from retrieval.time_reading import Granularity
from retrieval.time_stretches import days_at
from retrieval.time_tokens import Words, remembered
from retrieval.time_words import PARTS

_PART_WORDS = tuple(sorted((part for part in PARTS if part != "last night"), key=len, reverse=True))
_PART_STARTS = frozenset(part.split()[0] for part in _PART_WORDS)
_NIGHT_STARTS = frozenset({"last", "yesterday", "overnight", "tonight", "this", "earlier"})
_NOW_PHRASES = ("right now", "at the moment", "at present", "as of now", "this moment", "now")


@dataclass(frozen=True, slots=True)
class Moment:
    """A point or stretch of time as said, not yet laid on the calendar."""

    first: int
    last: int
    """Index after its last token."""
    days: Days | None = None
    clock: Clock | None = None
    part: str | None = None
    zone: Zone | None = None
    ago: Length | None = None
    """So long before now."""
    now: bool = False
    opened: str = ""
    """``from`` or ``between``, when that word stands between the date and the clock time."""

    @property
    def has_day(self) -> bool:
        """Whether it says on which day it lies."""
        return self.days is not None or self.now or self.ago is not None

    @property
    def is_whole_days(self) -> bool:
        """Whether it is a date or period without a time of day."""
        return self.days is not None and self.clock is None and self.part is None


@remembered
def moment_at(
    words: Words,
    i: int,
    *,
    day_first: bool,
    bare: bool = False,
    dated: bool = False,
    ending: bool = False,
) -> Moment | None:
    """The moment that starts at ``i``.

    With ``bare`` a number alone is an hour; with ``dated`` a date after a comma is not its own;
    with ``ending`` it ends a range, so that ``from`` or ``between`` after it opens another one.
    """
    return (
        _now_or_ago(words, i)
        or _special_night(words, i)
        or _date_led(words, i, day_first=day_first, ending=ending)
        or _clock_led(words, i, day_first=day_first, bare=bare, dated=dated)
        or _part_led(words, i, day_first=day_first)
    )


def _now_or_ago(words: Words, i: int) -> Moment | None:
    j = words.after(i, *_NOW_PHRASES)
    if j != i:
        return Moment(i, j, now=True)
    found = length_at(words, i)
    if found and found[0].is_hours and words.at(found[1]) == "ago":
        return Moment(i, found[1] + 1, ago=found[0])
    return None


def _special_night(words: Words, i: int) -> Moment | None:
    """``last night``, ``tonight``, ``this morning``: a day and its part in one."""
    if words.at(i) not in _NIGHT_STARTS:
        return None
    j = words.after(i, "last night", "yesterday night", "overnight")
    if j != i:
        return Moment(i, j, days=_day("yesterday"), part="last night")
    j = words.after(i, "tonight", "this night")
    if j != i:
        return Moment(i, j, days=_day("today"), part="last night")
    for name in _PART_WORDS:
        j = words.after(i, f"this {name}", f"earlier this {name}")
        if j != i:
            return Moment(i, j, days=_day("today"), part=name)
    return None


def _day(word: str) -> Days:
    found = days_at(Words(word), 0, day_first=True)
    if found is None:
        raise AssertionError(word)
    return found[0]


def _date_led(words: Words, i: int, *, day_first: bool, ending: bool) -> Moment | None:
    found = days_at(words, i, day_first=day_first)
    if found is None:
        return None
    days, j = found
    moment = Moment(i, j, days=days)
    if days.granularity is Granularity.DAY:
        clocked = _with_clock(words, moment)
        if clocked is not None and ending and clocked.opened in {"from", "between"}:
            return moment
        moment = clocked or _with_part(words, moment, i) or moment
    return with_zone(words, moment)


def _with_clock(words: Words, moment: Moment) -> Moment | None:
    j = moment.last
    iso = words.glued(j) and words.at(j) in {"t", "_"}
    k = j + 1 if iso else words.after(j, ", at", "at", "@", "around", ",", ":", "-")
    zone = None if iso else zone_at(words, k)
    if zone and zone[0].known:
        k = words.after(zone[1], ",")
    opened = words.at(k) if words.at(k) in {"from", "between"} else ""
    k = words.after(k, "from", "between")
    roughly = words.at(k) if words.at(k) in {"about", "around"} else ""
    roughly = roughly or ("around" if words.at(k - 1) == "around" else "")
    k = words.after(k, "about", "around", "the", "at")
    found = clock_at(words, k, bare=bool(opened) or words.at(k - 1) == "at")
    if found is None or (words.at(j) == "-" and words.glued(j) and not words.glued(k)):
        return None
    clock, end = found
    if clock.bare and opened and not _has_partner(words, end, opened):
        return None
    own = zone[0] if zone and zone[0].known else None
    return replace(moment, last=end, clock=clock, opened=opened or roughly, zone=own)


def _has_partner(words: Words, j: int, opened: str) -> bool:
    """Whether a second bare time follows, as after ``1 June from 9``."""
    joints = {"and", "-", "to"} if opened == "between" else {"-", "to", "until", "till", "am", "pm"}
    if words.at(j) not in joints:
        return False
    return clock_at(words, j + 1, bare=True) is not None


def _with_part(words: Words, moment: Moment, i: int) -> Moment | None:
    k = words.after(moment.last, ",")
    k = words.after(k, "in the", "during the", "at", "' s", "over", "in")
    if words.at(k) not in _PART_STARTS:
        return None
    for name in _PART_WORDS:
        end = words.after(k, name)
        if end != k and not (k == moment.last and words.at(k - 1) == ","):
            weekday = weekday_of(words, i) is not None or (
                words.at(i) in {"last", "this"} and weekday_of(words, i + 1) is not None
            )
            night = name == "night" and weekday
            return replace(moment, last=end, part="last night" if night else name)
    return None


def _clock_led(words: Words, i: int, *, day_first: bool, bare: bool, dated: bool) -> Moment | None:
    found = clock_at(words, i, bare=bare)
    if found is None:
        return None
    moment = with_zone(words, Moment(i, found[1], clock=found[0]))
    return with_date(words, moment, day_first=day_first, dated=dated)


def with_date(words: Words, moment: Moment, *, day_first: bool, dated: bool = False) -> Moment:
    """The moment with the date that follows it (``10:00 on 1 June``), if one does."""
    j = moment.last
    k = words.after(j, ", on", "on", "of", "(", ",", "for")
    if dated and words.at(j) == ",":
        return moment
    bracket = words.at(j) == "("
    k = words.after(k, "the", "the day of")
    for start in (k, j):
        found = days_at(words, start, day_first=day_first)
        if found and found[0].granularity is Granularity.DAY and not _is_period_word(found[0]):
            follower = _with_clock(words, Moment(start, found[1], days=found[0]))
            if follower is not None and dated:
                return moment
            end = words.after(found[1], ")") if bracket else found[1]
            joined = replace(moment, last=end, days=found[0])
            return joined if moment.zone else with_zone(words, joined)
    return moment


def _is_period_word(days: Days) -> bool:
    return not isinstance(days, Calendar) and bool(days.edge)


def _part_led(words: Words, i: int, *, day_first: bool) -> Moment | None:
    """``morning of 1 June``, ``in the evening``."""
    if words.at(i) not in _PART_STARTS:
        return None
    for name in _PART_WORDS:
        j = words.after(i, name)
        if j == i:
            continue
        k = words.after(j, "of the day of", "of the", "of", "on the", "on", ",")
        found = days_at(words, k, day_first=day_first)
        if found and found[0].granularity is Granularity.DAY:
            return with_zone(words, Moment(i, found[1], days=found[0], part=name))
        said = words.before(i, "in the", "during the", "over the", "through the") != i
        if (said or name.endswith("hours")) and words.at(j) not in {"of", "shift"}:
            return with_zone(words, Moment(i, j, part=name))
    return None


def with_zone(words: Words, moment: Moment) -> Moment:
    """The moment with the zone that stands right after it, if one does."""
    found = zone_at(words, moment.last)
    if found is None or (moment.zone is not None):
        return moment
    if moment.clock is None and not found[0].known:
        return moment
    return replace(moment, last=found[1], zone=found[0])
