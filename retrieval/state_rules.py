"""Slots to periods of a state: how long and when nodes were drained, down or not OK."""

from dataclasses import replace
from datetime import datetime, timedelta

from retrieval.measures import Course
from retrieval.request import TimeWindow
from retrieval.site_request import CheckResultKind, ChecksRequest
from retrieval.slots import Slots
from retrieval.understanding import Why, stop

LOOK_BACK = timedelta(days=31)
"""How far back the beginning of a state that lasts is looked for."""
_TOLD = frozenset({Course.PERIODS})


def asks_periods(slots: Slots) -> bool:
    """Whether the periods of a state are asked, rather than who was in it."""
    return bool(slots.asks_how_long or slots.asks_when or slots.checks.causes or slots.course.asked)


def as_periods(
    request: ChecksRequest, slots: Slots, now: datetime
) -> tuple[ChecksRequest, tuple[str, ...]]:
    """``request`` as one for the periods in which it held; a moment asks for what lasts then."""
    if set(slots.course.asked) - _TOLD:
        raise stop(Why.NOT_UNDERSTOOD, "Of states I can tell the periods: when, and how long.")
    if slots.checks.causes and not request.drained:
        raise stop(Why.NOT_UNDERSTOOD, "I can tell the failing checks of drained nodes only.")
    states = request.states
    if request.drained and not request.checks:
        states = ()
    request = replace(
        request,
        kind=CheckResultKind.PERIODS,
        states=states,
        instant=False,
        causes=slots.checks.causes,
        compute_only=True,
    )
    if not slots.times.windows or request.window.start == request.window.end:
        end = request.window.end if slots.times.windows else now
        window = TimeWindow(end - LOOK_BACK, end, True)
        return replace(request, window=window, ongoing=True), ()
    return request, ()
