"""Stretches of time made into windows and problems, none of them after now."""

from dataclasses import replace
from datetime import UTC

from retrieval.request import TimeWindow
from retrieval.time_calendar import as_local, spoken_time, spoken_window
from retrieval.time_laying import Bounds, Frame, Laid, Trouble
from retrieval.time_reading import Alternative, ProblemKind, ReadWindow, TimeProblem

_CUT = "The window was cut at now: data after now are never used."


def settled(laid: Laid | Trouble, frame: Frame) -> Laid | Trouble:
    """The stretch cut at now, or the trouble that all of it lies ahead."""
    if isinstance(laid, Trouble):
        return laid
    if laid.start > frame.now or (laid.start == frame.now < laid.end):
        now = spoken_time(as_local(frame.now, frame.zone).replace(microsecond=0))
        message = f"That time lies after now ({now} {frame.name}). Ask for a time before now."
        return Trouble(ProblemKind.FUTURE, message)
    if laid.end > frame.now:
        notes = laid.notes if laid.current else (*laid.notes, _CUT)
        return replace(laid, end=frame.now, includes_end=True, notes=notes)
    return laid


def alternatives(
    bounds: tuple[Bounds, ...], taken: Bounds | None, frame: Frame
) -> tuple[Alternative, ...]:
    """The other readings as choices, cut at now; those ahead or equal to the taken are left out."""
    found: dict[TimeWindow, Alternative] = {}
    for start, end, includes in bounds:
        if start > frame.now:
            continue
        cut = end > frame.now
        window = TimeWindow(start, min(end, frame.now), includes or cut)
        if taken is not None and (window.start, window.end) == taken[:2]:
            continue
        label = spoken_window(window.start, window.end, frame.zone)
        found.setdefault(window, Alternative(label, window))
    return tuple(found.values())


def as_window(
    laid: Laid,
    span: tuple[int, int],
    frame: Frame,
    relation: str | None,
    more_spans: tuple[tuple[int, int], ...],
) -> ReadWindow:
    """The window as the reading gives it."""
    return ReadWindow(
        TimeWindow(*laid.bounds),
        laid.granularity,
        span,
        laid.name,
        alternatives(laid.rivals, laid.bounds, frame),
        relation,
        more_spans,
    )


def as_problem(trouble: Trouble, span: tuple[int, int], frame: Frame) -> TimeProblem:
    """The problem as the reading gives it."""
    options = alternatives(trouble.options, None, frame)
    return TimeProblem(trouble.kind, span, trouble.message, options)


def came_again(laid: Laid, span: tuple[int, int], frame: Frame) -> TimeProblem:
    """A clock time that came twice: the first was taken, the other is offered."""
    message = (
        "The clocks went back, so this clock time came twice. The first one was taken; "
        "say so if the second one is meant."
    )
    options = tuple(
        Alternative(
            f"the second time: {spoken_window(start, end, UTC)} UTC",
            TimeWindow(start, end, includes),
        )
        for start, end, includes in laid.again
    )
    return TimeProblem(ProblemKind.AMBIGUOUS_CLOCK_TIME, span, message, options)
