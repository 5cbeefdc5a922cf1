"""Windows that are another window moved: a comparison in the text, or a follow-up question."""

from dataclasses import replace
from datetime import datetime, time

from retrieval.time_calendar import DAY, as_instant, as_local, midnight
from retrieval.time_expressions import Shift
from retrieval.time_laying import Frame, Laid, Trouble, lay_moment
from retrieval.time_lengths import Length
from retrieval.time_periods import unit_span
from retrieval.time_reading import Granularity


def moved(shift: Shift, anchor: Laid, frame: Frame) -> Laid | Trouble:
    """The anchor moved, or the whole unit beside it, in the zone of the frame."""
    if shift.onto is not None:
        target = lay_moment(shift.onto, frame)
        return target if isinstance(target, Trouble) else _onto(anchor, target, frame)
    exact = _exactly(shift, anchor, frame)
    if shift.same or _keeps_shape(shift.length, anchor, frame):
        unit = _unit_beside(shift, anchor, frame)
        rivals = (unit.bounds,) if not shift.same and unit.bounds != exact.bounds else ()
        return replace(exact, rivals=rivals)
    unit = _unit_beside(shift, anchor, frame)
    return replace(unit, rivals=(exact.bounds,) if exact.bounds != unit.bounds else ())


def _exactly(shift: Shift, anchor: Laid, frame: Frame) -> Laid:
    start, end = (_move(instant, shift, frame) for instant in (anchor.start, anchor.end))
    if _is_calendar_unit(shift.length, anchor, frame):
        unit = _unit_beside(shift, anchor, frame)
        start, end = unit.start, unit.end
    return replace(anchor, start=start, end=max(start, end), rivals=(), again=(), notes=())


def _move(instant: datetime, shift: Shift, frame: Frame) -> datetime:
    """Days and months move the wall clock, hours the instant."""
    if shift.length.is_hours:
        return shift.length.from_instant(instant, frame.zone, shift.sign)
    local = as_local(instant, frame.zone)
    day = shift.length.from_day(local.date(), shift.sign)
    return as_instant(datetime.combine(day, local.time()), frame.zone)


def _is_calendar_unit(length: Length, anchor: Laid, frame: Frame) -> bool:
    """Whether the anchor is exactly one month or year, of whatever length."""
    if not length.months or length.counted or length.unit not in {"month", "year"}:
        return False
    day = as_local(anchor.start, frame.zone).date()
    return frame.day_bounds(unit_span(length.unit, day)) == (anchor.start, anchor.end, False)


def _keeps_shape(length: Length, anchor: Laid, frame: Frame) -> bool:
    """Whether ``the previous day`` of this anchor is of its own shape (hours of a day, a day)."""
    seconds = (anchor.end - anchor.start).total_seconds()
    if length.unit == "day":
        return True
    if length.is_hours or not length.months:
        return seconds >= 0.95 * length.seconds
    return _is_calendar_unit(length, anchor, frame)


def _unit_beside(shift: Shift, anchor: Laid, frame: Frame) -> Laid:
    """The whole hour, day, week, month or year right before or after the anchor."""
    length = shift.length
    if length.is_hours:
        ends = (_move(anchor.start, shift, frame), anchor.start)
        if shift.sign > 0:
            ends = (anchor.end, _move(anchor.end, shift, frame))
        return replace(
            anchor, start=ends[0], end=ends[1], includes_end=True,
            granularity=Granularity.CLOCK, rivals=(), again=(), notes=(),
        )  # fmt: skip
    day = as_local(anchor.start, frame.zone).date()
    if length.months and not length.counted:
        span = unit_span(length.unit, day, shift.sign)
    elif shift.sign < 0:
        span = (length.from_day(day, -1), day)
    else:
        after = as_local(anchor.end, frame.zone)
        first = after.date() if after.time() == time() else after.date() + DAY
        span = (first, length.from_day(first, 1))
    granularity = Granularity.MONTH if length.unit == "month" else Granularity.DAY
    if length.unit == "year":
        granularity = Granularity.YEAR
    start, end, _ = frame.day_bounds(span)
    return replace(
        anchor, start=start, end=end, includes_end=False, granularity=granularity,
        rivals=(), again=(), notes=(),
    )  # fmt: skip


def _onto(anchor: Laid, target: Laid, frame: Frame) -> Laid:
    """The clock times of the anchor on another day."""
    first, last = as_local(anchor.start, frame.zone), as_local(anchor.end, frame.zone)
    day = as_local(target.start, frame.zone).date()
    start = as_instant(datetime.combine(day, first.time()), frame.zone)
    end = as_instant(midnight(day) + (last - midnight(first.date())), frame.zone)
    return replace(anchor, start=start, end=end, rivals=(), again=(), notes=target.notes)
