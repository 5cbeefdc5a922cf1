"""Expressions laid on the calendar: one stretch of time each, or what is wrong with it."""

from dataclasses import replace
from datetime import timedelta

from retrieval.time_calendar import DAY, EARLIEST, LONG_AGO, as_instant, as_local, midnight
from retrieval.time_clocks import Clock
from retrieval.time_days import Calendar, Named
from retrieval.time_expressions import Expression, Shape
from retrieval.time_laying import Bounds, Frame, Laid, Trouble, joined_notes, lay_moment
from retrieval.time_moments import Moment
from retrieval.time_nearby import lay_about, lay_complete
from retrieval.time_reading import Granularity, ProblemKind

_EVENING, _NOON = timedelta(hours=18), timedelta(hours=12)
_SWAP = "The end lies before the start. Give the earlier time first."
_SAME = "The start and the end are the same moment. Give the day of each."
_LONG = "The end lies before the start within one year. Give the earlier day first, or both years."
_WHICH_WEEK = "Which week is meant? Choose the latest one, or give the dates of both days."
_HALF_YEAR = timedelta(days=183)


def lay(expression: Expression, frame: Frame) -> Laid | Trouble:
    """The stretch of time of an expression that is no shift; its day must be known."""
    start, end = expression.start, expression.end
    unknown = next(
        (one.zone for one in (start, end) if one and one.zone and not one.zone.known), None
    )
    if unknown is not None:
        return Trouble(
            ProblemKind.UNKNOWN_ZONE,
            f"It is not clear which time zone {unknown.word} is. Name a city, or an offset such as "
            "UTC+02:00.",
        )
    if expression.shape is Shape.ROLLING and expression.length is not None:
        if expression.length.complete:
            return lay_complete(expression.length, frame)
        first = expression.length.from_instant(frame.now, frame.zone, -1)
        return Laid(first, frame.now, True, Granularity.RELATIVE, frame.name)
    if start is None:
        return Trouble(ProblemKind.IMPOSSIBLE_DATE, "Which time is meant? Give a date.")
    if expression.shape is Shape.RANGE and end is not None:
        return _lay_range(start, end, frame)
    frame = frame.in_zone(start.zone)
    if expression.shape is Shape.UNTIL and start.clock is not None and start.clock.midnight:
        start = replace(start, clock=Clock(24))
    laid = lay_moment(start, frame)
    if isinstance(laid, Trouble):
        return laid
    if expression.shape is Shape.POINT:
        return lay_about(laid) if expression.opened in {"around", "about"} else laid
    if expression.shape is Shape.AROUND:
        return _lay_around(expression, laid, frame)
    if expression.shape in {Shape.TURN_OF_DAY, Shape.NIGHT_BETWEEN}:
        return _lay_turn(expression, start, laid, frame)
    return _lay_open(expression, start, laid, frame)


def _lay_turn(expression: Expression, start: Moment, laid: Laid, frame: Frame) -> Laid | Trouble:
    if expression.shape is Shape.TURN_OF_DAY:
        return replace(laid, end=laid.start, includes_end=True, granularity=Granularity.INSTANT)
    before = as_local(laid.start, frame.zone).date() - DAY
    eve = Calendar(before.year, before.month, before.day)
    return lay_moment(replace(start, days=eve, part="last night"), frame)


def _lay_around(expression: Expression, laid: Laid, frame: Frame) -> Laid:
    length, sign = expression.length, expression.sign
    if length is None:
        return laid
    at_start = (sign < 0) is not expression.inside
    anchor = laid.start if at_start else laid.end
    whole_days = not length.is_hours and laid.granularity is not Granularity.INSTANT
    if whole_days:
        day = as_local(anchor, frame.zone).date()
        moved = as_instant(midnight(length.from_day(day, sign)), frame.zone)
    else:
        moved = length.from_instant(anchor, frame.zone, sign)
    start, end = sorted((anchor, moved))
    clock = laid.granularity is Granularity.INSTANT
    granularity = Granularity.DAY if whole_days else Granularity.CLOCK
    return replace(
        laid, start=start, end=end, includes_end=clock, granularity=granularity, rivals=()
    )


def _lay_open(expression: Expression, moment: Moment, laid: Laid, frame: Frame) -> Laid:
    """Windows with one end: ``since Monday``, ``until 10:00``, ``before 1 June``."""
    clock = laid.granularity is Granularity.INSTANT
    edge = moment.days.edge if isinstance(moment.days, Named) and not clock else ""
    day = as_local(laid.start, frame.zone).date()
    plain = replace(laid, rivals=(), again=())
    if expression.shape in {Shape.SINCE, Shape.AFTER}:
        late = edge == "end" or (expression.shape is Shape.AFTER and not clock and edge != "start")
        start = laid.end if late else laid.start
        if clock and moment.clock is not None and expression.opened in {"from", "after", "between"}:
            day_end = as_instant(midnight(day + DAY), frame.zone)
            if day_end < frame.now:
                rival: Bounds = (start, frame.now, True)
                return replace(plain, start=start, end=day_end, includes_end=False,
                               granularity=Granularity.DAY, rivals=(rival,))  # fmt: skip
        return replace(plain, start=start, end=max(start, frame.now), includes_end=True,
                       granularity=Granularity.RELATIVE)  # fmt: skip
    early = edge == "start" or (expression.shape is Shape.BEFORE and edge != "end")
    end = laid.start if early else laid.end
    if clock and moment.clock is not None:
        if moment.clock.hour == 24:
            day -= DAY
        start = as_instant(midnight(day), frame.zone)
        return replace(plain, start=start, end=end, includes_end=expression.shape is Shape.UNTIL,
                       granularity=Granularity.CLOCK)  # fmt: skip
    start = EARLIEST if end > EARLIEST else LONG_AGO
    note = f"No start was given: data since {start:%Y} are taken."
    part = moment.part is not None and not early
    rivals: tuple[Bounds, ...] = ((start, laid.start, False),) if part else ()
    return replace(plain, start=start, end=end, notes=(*laid.notes, note), rivals=rivals)


def _lay_range(start: Moment, end: Moment, frame: Frame) -> Laid | Trouble:
    start, end, shared = _completed(start, end)
    last_frame = frame.in_zone(end.zone or start.zone)
    last = lay_moment(end, last_frame)
    if isinstance(last, Trouble):
        return _with_other_end(last, lay_moment(start, frame.in_zone(start.zone or end.zone)))
    first_frame = _start_frame(start, end, last, frame)
    first = lay_moment(start, first_frame)
    if isinstance(first, Trouble):
        return _with_other_end(first, last)
    if _is_weekly(start) and first.start > last.start:
        first = _a_week_earlier(first, first_frame)
        if _is_weekly(end):
            options: tuple[Bounds, ...] = ((first.start, last.end, last.includes_end),)
            return Trouble(ProblemKind.END_BEFORE_START, _WHICH_WEEK, options)
    if not shared:
        first = _a_year_earlier(start, end, first, last, first_frame)
    if _lacks_year(end) and not _lacks_year(start) and last.end <= first.start:
        last = _a_year_later(end, first, last, last_frame)
    begin = first.end if _edge(start) == "end" else first.start
    finish = last.start if _edge(end) == "start" else last.end
    if finish <= begin and (_edge(start) or _edge(end)):
        begin, finish = first.start, last.end
    if shared and finish <= begin:
        overnight = _overnight(start, end, begin, finish, last_frame)
        if overnight is not None:
            return replace(last, start=overnight[0][0], end=overnight[0][1], includes_end=True,
                           granularity=Granularity.CLOCK, rivals=overnight[1:])  # fmt: skip
    includes = last.granularity is Granularity.INSTANT
    other_year = _lacks_year(start) and _lacks_year(end) and first.start.year != last.start.year
    if other_year and finish - begin > _HALF_YEAR:
        options = _either_order(start, first, last, frame)
        return Trouble(ProblemKind.END_BEFORE_START, _LONG, options)
    if finish == begin and start.clock is not None and end.clock is not None:
        options = ((begin - DAY, finish, True), (begin, finish + DAY, True))
        return Trouble(ProblemKind.END_BEFORE_START, _SAME, options)
    if finish < begin:
        return Trouble(ProblemKind.END_BEFORE_START, _SWAP, _swapped(first, last))
    granularity = Granularity.CLOCK if includes and end.clock else last.granularity
    if end.now or end.ago:
        granularity = Granularity.RELATIVE
    return Laid(begin, finish, includes, granularity, last.name, (),
                _again(first, last, includes), joined_notes((first, last)))  # fmt: skip


def _with_other_end(trouble: Trouble, other: Laid | Trouble) -> Trouble:
    """The trouble of one end, its choices made windows by the end that is sound."""
    if isinstance(other, Trouble):
        return replace(trouble, options=())
    options = tuple(
        (min(start, other.start), max(end, other.end), includes)
        for start, end, includes in trouble.options
    )
    return replace(trouble, options=options)


def _edge(moment: Moment) -> str:
    days = moment.days
    return days.edge if isinstance(days, Named) and moment.is_whole_days else ""


def _lacks_year(moment: Moment) -> bool:
    days = moment.days
    return isinstance(days, Calendar) and days.year is None and days.month is not None


def _either_order(start: Moment, first: Laid, last: Laid, frame: Frame) -> tuple[Bounds, ...]:
    """The days from the later to the earlier within a year, and those over the turn of a year."""
    year = as_local(last.start, frame.zone).year
    assert isinstance(start.days, Calendar)
    same = lay_moment(replace(start, days=replace(start.days, year=year)), frame)
    over = (first.start, last.end, last.includes_end)
    return ((last.start, same.end, same.includes_end), over) if isinstance(same, Laid) else (over,)


def _swapped(first: Laid, last: Laid) -> tuple[Bounds, ...]:
    return ((last.start, first.end, first.includes_end),)


def _completed(start: Moment, end: Moment) -> tuple[Moment, Moment, bool]:
    """Both ends with the day, month, zone and half of the day that only one of them gives."""
    shared = False
    first, last = start.days, end.days
    if isinstance(first, Calendar) and isinstance(last, Calendar) and first.lacks_month(last):
        start = replace(start, days=replace(last, day=first.day, weekday=None))
    if start.days is None and not start.has_day:
        start, shared = replace(start, days=end.days), True
    elif end.days is None and not end.has_day:
        end, shared = replace(end, days=start.days), True
    if start.clock is not None and end.clock is not None:
        start, end = _in_halves(start, start.clock, end, end.clock)
    return start, end, shared


def _in_halves(start: Moment, first: Clock, end: Moment, last: Clock) -> tuple[Moment, Moment]:
    if (first.loose or (first.short and last.half)) and not first.half and last.half:
        other = "am" if last.half == "pm" else "pm"
        same = first.in_half(last.half)
        first = same if same.of_day < last.of_day else first.in_half(other)
    elif last.loose and last.of_day <= first.of_day and last.hour < 12:
        later = last.in_half("pm")
        last = later if later.of_day > first.of_day else last
    return replace(start, clock=first), replace(end, clock=last)


def _start_frame(start: Moment, end: Moment, last: Laid, frame: Frame) -> Frame:
    """The frame of the start; a year that it lacks is that of the end."""
    zoned = frame.in_zone(start.zone or end.zone)
    if not _lacks_year(start):
        return zoned
    year = as_local(last.start, zoned.zone).year
    return replace(zoned, known=replace(zoned.known, year=year, year_is_said=True))


def _is_weekly(moment: Moment) -> bool:
    return isinstance(moment.days, Named) and moment.days.weekly


def _a_week_earlier(laid: Laid, frame: Frame) -> Laid:
    """``Monday to Friday`` on a Wednesday: the Monday before the latest Friday."""
    start, end = (
        as_instant(as_local(edge, frame.zone) - 7 * DAY, frame.zone)
        for edge in (laid.start, laid.end)
    )
    return replace(laid, start=start, end=end)


def _a_year_earlier(start: Moment, end: Moment, first: Laid, last: Laid, frame: Frame) -> Laid:
    if not _lacks_year(start) or first.start <= last.start or not isinstance(start.days, Calendar):
        return first
    if not isinstance(end.days, Calendar) or start.days.month != end.days.month:
        year = as_local(first.start, frame.zone).year - 1
        earlier = lay_moment(replace(start, days=replace(start.days, year=year)), frame)
        return earlier if isinstance(earlier, Laid) else first
    return first


def _a_year_later(end: Moment, first: Laid, last: Laid, frame: Frame) -> Laid:
    if not isinstance(end.days, Calendar):
        return last
    year = as_local(first.start, frame.zone).year
    for some_year in (year, year + 1):
        later = lay_moment(replace(end, days=replace(end.days, year=some_year)), frame)
        if isinstance(later, Laid) and later.end > first.start:
            return later
    return last


def _overnight(
    start: Moment, end: Moment, begin: object, finish: object, frame: Frame
) -> tuple[Bounds, ...] | None:
    """The windows over midnight that ``22:00 to 04:00`` may mean, the likeliest first."""
    if start.clock is None or end.clock is None or end.days is None:
        return None
    first, last = start.clock.of_day, end.clock.of_day
    if last and not (first >= _EVENING and last <= _NOON):
        return None
    span = end.days.span(frame.known)
    if span is None:
        return None
    found = []
    for day in (span[0], span[0] - DAY) if last else (span[0],):
        one = as_instant(midnight(day) + first, frame.zone)
        found.append((one, as_instant(midnight(day + DAY) + last, frame.zone), True))
    return tuple(found)


def _again(first: Laid, last: Laid, includes: bool) -> tuple[Bounds, ...]:
    """The range with its other clock times, where the clocks went back."""
    found = [(start, last.end, includes) for start, _, _ in first.again if start <= last.end]
    found += [(first.start, end, includes) for _, end, _ in last.again]
    return tuple(found)
