"""Reads the words about time in a question: windows in UTC, problems, notes."""

import re
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from retrieval.request import TimeWindow
from retrieval.time_calendar import DAY, Known, as_local, day_span, midnight, spoken_day
from retrieval.time_dates import year_of
from retrieval.time_days import Calendar
from retrieval.time_expressions import Expression, Shape
from retrieval.time_laying import Frame, Laid, Trouble
from retrieval.time_placing import (
    are_linked,
    compares,
    is_swappable,
    on_day,
    with_days,
    with_shared_hours,
    without_swap,
)
from retrieval.time_reading import (
    Alternative,
    Granularity,
    ProblemKind,
    ReadWindow,
    TimeProblem,
    TimeReading,
)
from retrieval.time_results import alternatives, as_problem, as_window, came_again, settled
from retrieval.time_scan import Scan, scan
from retrieval.time_shifts import moved
from retrieval.time_tokens import Words
from retrieval.time_windows import lay

__all__ = [
    "Alternative",
    "Granularity",
    "ProblemKind",
    "ReadWindow",
    "TimeProblem",
    "TimeReading",
    "read_times",
]
_NUMERIC_DATE = re.compile(r"(?<!\d)(\d{1,2})([/-])(\d{1,2})\2(?:\d{4}|\d{2})(?!\d)")
_MOST_DAYS = 31
_EACH_DAY = ("each day", "every day", "each morning", "every morning", "daily", "on each day",
             "each night", "every night", "on every day")  # fmt: skip
_WHICH_DAYS = "The hours of which days? Name the first and the last day."


@dataclass(slots=True)
class _Pass:
    """One walk over a text: what stays the same, and what has been read so far."""

    words: Words
    frame: Frame
    years: tuple[tuple[int, int], ...]
    previous: Laid | None
    comparing: bool
    windows: list[ReadWindow] = field(default_factory=list)
    problems: list[TimeProblem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    anchor: Laid | None = None
    before: Expression | None = None
    """The expression that gave the last window, while that may still grow."""


def read_times(
    text: str, now: datetime, zone: ZoneInfo, previous: TimeWindow | None = None
) -> TimeReading:
    """Every window that the text names, in its order.

    ``zone`` is that of words without a zone; ``previous`` the window of the thread's earlier
    question, to which ``an hour earlier`` and ``on the 3rd`` refer. A window that could not be
    taken is a problem instead; one that ends after ``now`` is cut there, with a note.
    Several windows share a span where hours hold for each of several days.
    """
    now = now.replace(tzinfo=UTC) if now.tzinfo is None else now.astimezone(UTC)
    words = Words(text)
    day_first, sure = _numeric_order(text)
    found = scan(words, day_first=day_first)
    site = Frame(now, zone, zone.key, Known(as_local(now, zone).date()))
    frame = site.in_zone(found.zone)
    state = _Pass(words, frame, _years(words, found), _as_laid(previous, frame), compares(words))
    expressions = with_shared_hours(words, list(found.expressions))
    expressions, dayless = with_days(expressions)
    for expression in expressions:
        if is_swappable(expression) and sure:
            expression = without_swap(expression, take_other=False)
        if expression in dayless:
            _read_dayless(state, expression)
        else:
            _read(state, expression)
    zones = tuple(words.span(*tokens) for tokens in found.zone_tokens)
    notes = tuple(dict.fromkeys(state.notes))
    return TimeReading(tuple(state.windows), tuple(state.problems), notes, zones)


def _numeric_order(text: str) -> tuple[bool, bool]:
    """Whether dates such as 03/04/2022 put the day first, and whether the text proves it."""
    pairs = [(int(one[1]), int(one[3])) for one in _NUMERIC_DATE.finditer(text)]
    if any(first > 12 for first, _ in pairs):
        return True, True
    return (False, True) if any(second > 12 for _, second in pairs) else (True, False)


def _years(words: Words, found: Scan) -> tuple[tuple[int, int], ...]:
    """The years that the expressions name, by token."""
    years = []
    for expression in found.expressions:
        for i in range(expression.first, expression.last):
            year = year_of(words, i)
            if year is not None:
                years.append((i, year))
    return tuple(years)


def _as_laid(previous: TimeWindow | None, frame: Frame) -> Laid | None:
    if previous is None:
        return None
    start, end = previous.start.astimezone(UTC), previous.end.astimezone(UTC)
    return Laid(start, end, previous.includes_end, Granularity.RELATIVE, frame.name)


def _known(state: _Pass, expression: Expression) -> Frame:
    """The frame with the year and month on which an incomplete date may lean."""
    context = state.anchor or state.previous
    month, year = None, None
    if context is not None:
        local = as_local(context.start, state.frame.zone)
        month, year = (local.year, local.month), local.year
    if state.years:
        middle = (expression.first + expression.last) / 2
        year = min(state.years, key=lambda one: (abs(one[0] - middle), -one[0]))[1]
    known = replace(state.frame.known, year=year, year_is_said=bool(state.years), month=month)
    return replace(state.frame, known=known)


def _on_default_day(state: _Pass, expression: Expression) -> Expression:
    """Hours without a day: that of the earlier question if it was one day, else today."""
    day = state.frame.known.today
    previous = state.previous
    if previous is not None:
        first = as_local(previous.start, state.frame.zone).date()
        last = as_local(previous.end, state.frame.zone)
        if last <= midnight(first) + DAY:
            state.notes.append(
                f"No day was given: that of the earlier question, {spoken_day(first)}."
            )
            return on_day(expression, _calendar(first))
    state.notes.append(f"No day was given: today, {spoken_day(day)}, was taken.")
    return on_day(expression, _calendar(day))


def _read_dayless(state: _Pass, expression: Expression) -> None:
    """Hours on the default day; where those lie ahead, yesterday's are offered."""
    before = len(state.problems)
    span = state.words.span(expression.first, expression.last)
    if state.words.after(expression.last, *_EACH_DAY) != expression.last:
        _take(state, expression, Trouble(ProblemKind.TOO_MANY_DAYS, _WHICH_DAYS), span)
        return
    _read(state, _on_default_day(state, expression))
    if len(state.problems) == before or state.problems[-1].kind is not ProblemKind.FUTURE:
        return
    yesterday = on_day(expression, _calendar(state.frame.known.today - DAY))
    laid = settled(lay(yesterday, state.frame), state.frame)
    if isinstance(laid, Laid):
        options = alternatives((laid.bounds,), None, state.frame)
        state.problems[-1] = replace(state.problems[-1], options=options)


def _calendar(day: date) -> Calendar:
    return Calendar(day.year, day.month, day.day)


def _read(state: _Pass, expression: Expression) -> None:
    if expression.each_day is not None and expression.otherwise is not None:
        _read_each_day(state, expression, expression.otherwise)
        return
    frame = _known(state, expression)
    if expression.shape is Shape.SHIFT:
        _read_shift(state, expression, frame)
        return
    span = state.words.span(expression.first, expression.last)
    chosen = without_swap(expression, take_other=False)
    laid = settled(lay(chosen, frame), frame)
    if is_swappable(expression):
        other = settled(lay(without_swap(expression, take_other=True), frame), frame)
        if isinstance(laid, Laid) and isinstance(other, Laid):
            laid = _which_order(laid, other)
        elif isinstance(other, Laid):
            laid = other
    if isinstance(laid, Laid) and expression.or_whole_day:
        whole = frame.day_bounds(day_span(as_local(laid.start, frame.zone).date()))
        laid = replace(laid, rivals=(*laid.rivals, whole))
    _take(state, expression, laid, span)


def _which_order(one: Laid, other: Laid) -> Trouble:
    return Trouble(
        ProblemKind.AMBIGUOUS_DATE,
        "The date can be read day first or month first. Say which one is meant.",
        (one.bounds, other.bounds),
    )


def _read_each_day(state: _Pass, expression: Expression, giving: Expression) -> None:
    frame = _known(state, giving)
    span = state.words.span(expression.first, expression.last)
    whole = settled(lay(giving, frame), frame)
    if isinstance(whole, Trouble):
        _take(state, expression, whole, span)
        return
    day, end = as_local(whole.start, frame.zone).date(), as_local(whole.end, frame.zone)
    days: list[date] = []
    while day <= end.date() and len(days) <= _MOST_DAYS:
        if midnight(day) < end:
            days.append(day)
        day += DAY
    if len(days) > _MOST_DAYS:
        message = f"These hours would apply to more than {_MOST_DAYS} days. Name fewer days."
        _take(state, expression, Trouble(ProblemKind.TOO_MANY_DAYS, message), span)
        return
    state.notes.append("The hours were taken on each of the days.")
    for one in days:
        single = replace(on_day(expression, _calendar(one)), each_day=None, otherwise=None)
        laid = settled(lay(single, frame), frame)
        if isinstance(laid, Laid) or one == days[0]:
            _take(state, single, laid, span)


def _read_shift(state: _Pass, expression: Expression, frame: Frame) -> None:
    shift, anchor = expression.shift, state.anchor or state.previous
    span = state.words.span(expression.first, expression.last)
    if shift is None:
        return
    if anchor is None:
        if expression.otherwise is not None:
            _read(state, expression.otherwise)
        return
    relation = shift.words if state.anchor is not None else None
    if relation is not None and shift.same:
        relation = f"same period, {relation}" if "same" not in relation else relation
    kept = state.anchor
    _take(state, expression, settled(moved(shift, anchor, frame), frame), span, relation)
    state.anchor = kept or state.anchor


def _take(
    state: _Pass,
    expression: Expression,
    laid: Laid | Trouble,
    span: tuple[int, int],
    relation: str | None = None,
) -> None:
    """Adds the outcome of one expression to what has been read."""
    if isinstance(laid, Trouble):
        state.problems.append(as_problem(laid, span, state.frame))
        return
    state.notes += laid.notes
    more = tuple(state.words.span(*piece) for piece in expression.pieces)
    window = as_window(laid, span, state.frame, relation, more)
    if laid.again:
        state.problems.append(came_again(laid, span, state.frame))
    known = _is_known(state, window)
    if not known and not _grows(state, expression, window):
        state.windows.append(window)
    state.before = None if known else expression
    state.anchor = laid


def _is_known(state: _Pass, window: ReadWindow) -> bool:
    """Whether the text says a window a second time; then it only gains the further words."""
    for place, known in enumerate(state.windows):
        if known.window == window.window and window.relation is None and known.span != window.span:
            more = (*known.more_spans, window.span, *window.more_spans)
            state.windows[place] = replace(known, more_spans=more)
            return True
    return False


def _grows(state: _Pass, expression: Expression, window: ReadWindow) -> bool:
    """Whether the window only goes on with the one before: ``May and June``."""
    if not state.windows or state.comparing or state.before is None:
        return False
    last = state.windows[-1]
    whole = expression.is_days_only and state.before.is_days_only
    if not whole or last.granularity is not window.granularity or window.relation:
        return False
    if last.window.end != window.window.start or last.alternatives or window.alternatives:
        return False
    if not are_linked(state.words, state.before, expression, adding=True):
        return False
    both = TimeWindow(last.window.start, window.window.end, window.window.includes_end)
    state.windows[-1] = replace(last, window=both, span=(last.span[0], window.span[1]))
    return True
