"""Moments laid on the calendar of a zone: from what was said to instants."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo

from retrieval.time_calendar import (
    DAY,
    DateSpan,
    Known,
    as_instant,
    as_local,
    came_twice,
    midnight,
    spoken_day,
    spoken_time,
    was_skipped,
)
from retrieval.time_clocks import Clock, Zone
from retrieval.time_days import Calendar, Days, Named
from retrieval.time_moments import Moment
from retrieval.time_reading import Granularity, ProblemKind
from retrieval.time_words import PARTS

Bounds = tuple[datetime, datetime, bool]
"""Start and end in UTC, and whether the end is included."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where and when the words are read."""

    now: datetime
    zone: tzinfo
    name: str
    known: Known

    def in_zone(self, zone: Zone | None) -> "Frame":
        """The same frame in the zone that an expression names, if it names one."""
        if zone is None or zone.zone is None:
            return self
        today = as_local(self.now, zone.zone).date()
        return replace(self, zone=zone.zone, name=zone.name, known=replace(self.known, today=today))

    def day_bounds(self, span: DateSpan) -> Bounds:
        """The instants at which whole days begin and end."""
        first, last = (as_instant(midnight(day), self.zone) for day in span)
        return first, last, False


@dataclass(frozen=True, slots=True)
class Laid:
    """A stretch of time as instants, with what else the words may mean."""

    start: datetime
    end: datetime
    includes_end: bool
    granularity: Granularity
    name: str
    rivals: tuple[Bounds, ...] = ()
    again: tuple[Bounds, ...] = ()
    """The same clock times after the clocks went back."""
    notes: tuple[str, ...] = ()
    current: bool = False
    """Said of a period under way: that it ends at now needs no note."""

    @property
    def bounds(self) -> Bounds:
        """Start, end, and whether the end is included."""
        return self.start, self.end, self.includes_end


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why an expression gives no window."""

    kind: ProblemKind
    message: str
    options: tuple[Bounds, ...] = field(default=())


def lay_moment(moment: Moment, frame: Frame) -> Laid | Trouble:
    """The instants of one moment; a clock time starts and ends at itself."""
    if moment.now or moment.ago is not None:
        instant = frame.now
        if moment.ago is not None:
            instant = moment.ago.from_instant(instant, frame.zone, -1)
        return Laid(instant, instant, True, Granularity.INSTANT, frame.name)
    if moment.days is None:
        return Trouble(ProblemKind.IMPOSSIBLE_DATE, "Which day is meant? Give a date.")
    span = moment.days.span(frame.known)
    if span is None:
        return _impossible_day(moment.days, frame)
    notes = _day_notes(moment.days, span, frame.known)
    if moment.clock is not None:
        return _with_notes(_lay_clock(span, moment.clock, frame), notes)
    if moment.part is not None:
        return _with_notes(_lay_part(span, moment.part, frame), notes)
    start, end, _ = frame.day_bounds(span)
    rivals: tuple[Bounds, ...] = ()
    current = isinstance(moment.days, Named) and moment.days.current
    if isinstance(moment.days, Named):
        rivals = tuple(frame.day_bounds(other) for other in moment.days.rivals(frame.known))
        if moment.days.from_now is not None:
            rivals += ((frame.now - moment.days.from_now, frame.now, True),)
    granularity = moment.days.granularity
    return Laid(start, end, False, granularity, frame.name, rivals, (), notes, current)


def _with_notes(laid: Laid | Trouble, notes: tuple[str, ...]) -> Laid | Trouble:
    return replace(laid, notes=notes + laid.notes) if isinstance(laid, Laid) else laid


def _lay_clock(span: DateSpan, clock: Clock, frame: Frame) -> Laid | Trouble:
    if not clock.possible:
        said = f"{clock.hour:02}:{clock.minute:02}"
        return Trouble(
            ProblemKind.IMPOSSIBLE_CLOCK_TIME, f"No clock shows {said}. Give a time up to 24:00."
        )
    local = midnight(span[0]) + clock.of_day
    instant = as_instant(local, frame.zone)
    if was_skipped(local, frame.zone):
        return Trouble(
            ProblemKind.NONEXISTENT_CLOCK_TIME,
            f"{spoken_time(local)} did not exist in {frame.name}: the clocks were put forward. "
            f"Give a time before or after the change, or a time in UTC.",
            ((instant, instant, True),),
        )
    again: tuple[Bounds, ...] = ()
    if came_twice(local, frame.zone):
        other = as_instant(local, frame.zone, second_time=True)
        again = ((other, other, True),)
    return Laid(instant, instant, True, Granularity.INSTANT, frame.name, again=again)


def _lay_part(span: DateSpan, part: str, frame: Frame) -> Laid:
    first, *others = (_hours(span, hours, frame) for hours in PARTS[part])
    return Laid(*first, Granularity.PART_OF_DAY, frame.name, tuple(others))


def _hours(span: DateSpan, hours: tuple[int, int], frame: Frame) -> Bounds:
    first, last = (
        as_instant(midnight(span[0]) + h * timedelta(hours=1), frame.zone) for h in hours
    )
    return first, last, False


def _day_notes(days: Days, span: DateSpan, known: Known) -> tuple[str, ...]:
    if not isinstance(days, Calendar):
        return ()
    notes = []
    if days.year is None and not (known.year_is_said and known.year == span[0].year):
        if days.day is None:
            notes.append(f"The year was not given: {span[0]:%B %Y} was taken.")
        else:
            notes.append(f"The year was not given: {spoken_day(span[0])} was taken.")
    if days.weekday is not None and span[0].weekday() != days.weekday:
        notes.append(f"{spoken_day(span[0])} was a {span[0]:%A}; the date was taken.")
    return tuple(notes)


def _impossible_day(days: Days, frame: Frame) -> Trouble:
    if not isinstance(days, Calendar) or days.month is None or not 1 <= days.month <= 12:
        return Trouble(ProblemKind.IMPOSSIBLE_DATE, "There is no such date. Give another one.")
    whole = replace(days, day=None).span(frame.known)
    options: tuple[Bounds, ...] = ()
    message = "There is no such date. Give another one."
    if whole is not None and days.day is not None:
        last = whole[1] - DAY
        message = (
            f"There is no {days.day} {last:%B %Y}; that month ends on the {last.day}. "
            "Give another date."
        )
        options = (frame.day_bounds((last, whole[1])),)
    return Trouble(ProblemKind.IMPOSSIBLE_DATE, message, options)


def first_trouble(*found: Laid | Trouble | None) -> Trouble | None:
    """The first of the results that is no window."""
    return next((one for one in found if isinstance(one, Trouble)), None)


def joined_notes(laid: Iterable[Laid]) -> tuple[str, ...]:
    """The notes of several moments, each once."""
    return tuple(dict.fromkeys(note for one in laid for note in one.notes))
