"""Windows that lie beside now or a moment: ``last three full days``, ``around noon``."""

from dataclasses import replace
from datetime import timedelta

from retrieval.time_calendar import as_instant, as_local, midnight
from retrieval.time_laying import Bounds, Frame, Laid
from retrieval.time_lengths import Length
from retrieval.time_periods import unit_span
from retrieval.time_reading import Granularity
from retrieval.time_words import UNIT_SECONDS


def lay_about(laid: Laid) -> Laid:
    """``around noon``: half an hour on either side; an hour, or the moment, may be meant too."""
    if laid.granularity is not Granularity.INSTANT:
        return laid
    half, at = timedelta(minutes=30), laid.start
    rivals: tuple[Bounds, ...] = ((at - 2 * half, at + 2 * half, True), (at, at, True))
    return replace(laid, start=at - half, end=at + half, granularity=Granularity.CLOCK,
                   rivals=rivals, again=())  # fmt: skip


def lay_complete(length: Length, frame: Frame) -> Laid:
    """The latest units that are over: ``last three full days`` end with yesterday."""
    local = as_local(frame.now, frame.zone)
    if length.is_hours:
        step = timedelta(seconds=UNIT_SECONDS[length.unit])
        end = as_instant(midnight(local.date()) + (local - midnight(local.date())) // step * step,
                         frame.zone)  # fmt: skip
        start = length.from_instant(end, frame.zone, -1)
        return Laid(start, end, False, Granularity.CLOCK, frame.name)
    last = unit_span(length.unit, local.date())[0]
    return Laid(*frame.day_bounds((length.from_day(last, -1), last)), Granularity.DAY, frame.name)
