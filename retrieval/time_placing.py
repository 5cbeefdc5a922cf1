"""Which day belongs to which hours, where a text names them apart."""

from dataclasses import replace

from retrieval.time_days import Calendar, Days
from retrieval.time_expressions import Expression, Shape
from retrieval.time_moments import Moment
from retrieval.time_reading import Granularity
from retrieval.time_tokens import Words
from retrieval.time_words import words_of

_LINKS = words_of(
    """
    and & , vs . versus or compared comparing compare with to against than also then as well
    the
    """
)
_ADDING = frozenset({"and", "&", ","})
_COMPARING = words_of(
    """
    compare compares compared comparing comparison vs versus against differ differs
    difference differences respectively separately each both than
    """
)


def are_linked(words: Words, before: Expression, after: Expression, *, adding: bool) -> bool:
    """Whether only ``and`` or a comma (or, unless ``adding``, words of comparison) lie between."""
    gap = range(before.last, after.first)
    return len(gap) <= 4 and all(words.at(i) in (_ADDING if adding else _LINKS) for i in gap)


def compares(words: Words) -> bool:
    """Whether the text sets its times against each other."""
    return any(words.at(i) in _COMPARING for i in range(len(words)))


def with_shared_hours(words: Words, found: list[Expression]) -> list[Expression]:
    """``1 June and 2 June from 08:00 to 09:00``: the hours hold for both days."""
    placed = list(found)
    order = [(k, k + 1) for k in reversed(range(len(placed) - 1))]
    order += [(k + 1, k) for k in range(len(placed) - 1)]
    for bare, full in order:
        days = _one_day(placed[bare])
        first, last = sorted((bare, full))
        if days is None or not are_linked(words, placed[first], placed[last], adding=False):
            continue
        hours = placed[full]
        if _is_within_one_day(hours):
            placed[bare] = replace(
                on_day(hours, days),
                first=placed[bare].first,
                last=placed[bare].last,
                pieces=(),
                or_whole_day=not are_linked(words, placed[first], placed[last], adding=True),
            )
    return placed


def _one_day(expression: Expression) -> Days | None:
    if not expression.is_days_only or expression.start is None:
        return None
    days = expression.start.days
    return days if days is not None and days.granularity is Granularity.DAY else None


def _is_within_one_day(expression: Expression) -> bool:
    if expression.shape is not Shape.RANGE or expression.start is None or expression.end is None:
        return False
    days = [moment.days for moment in (expression.start, expression.end) if moment.days is not None]
    return len(days) == 1 and expression.start.clock is not None


def on_day(expression: Expression, days: Days) -> Expression:
    """The same hours on another day."""

    def moved(moment: Moment | None) -> Moment | None:
        return None if moment is None else replace(moment, days=days)

    start, end = moved(expression.start), expression.end
    if end is not None and not end.now and end.ago is None:
        end = replace(end, days=None)
    return replace(expression, start=start, end=end)


def with_days(found: list[Expression]) -> tuple[list[Expression], list[Expression]]:
    """Hours with the day that stands elsewhere in the text; and those for which there is none."""
    placed = list(found)
    used: set[int] = set()
    for k, expression in enumerate(found):
        donor = _donor(found, k) if expression.is_hours_only else None
        if donor is None:
            continue
        giving = found[donor]
        days = _days_of(giving)
        pieces: tuple[tuple[int, int], ...] = ()
        if giving.is_whole_days and donor not in used:
            used.add(donor)
            pieces = ((giving.first, giving.last),)
        placed[k] = replace(_given(expression, giving, days), pieces=pieces)
    kept = [one for k, one in enumerate(placed) if k not in used]
    return kept, [one for one in kept if one.is_hours_only and one.each_day is None]


def _given(expression: Expression, giving: Expression, days: Days | None) -> Expression:
    if days is not None:
        placed = on_day(expression, days)
        zone = giving.start.zone if giving.start is not None else None
        if placed.start is not None and placed.start.zone is None and zone is not None:
            placed = replace(placed, start=replace(placed.start, zone=zone))
        return placed
    return replace(expression, each_day=Moment(giving.first, giving.last), otherwise=giving)


def _donor(found: list[Expression], k: int) -> int | None:
    """The nearest expression that names days, those before the hours first."""
    order: list[int] = [*range(k - 1, -1, -1), *range(k + 1, len(found))]
    for j in order:
        open_ended = found[j].shape not in {Shape.POINT, Shape.RANGE}
        if _names_days(found[j]) and not (open_ended and _days_of(found[j]) is None):
            return j
    return None


def _names_days(expression: Expression) -> bool:
    moments = [moment for moment in (expression.start, expression.end) if moment is not None]
    return any(moment.days is not None for moment in moments)


def _days_of(expression: Expression) -> Days | None:
    """The single day that an expression names, or None if it names several."""
    moments = [moment for moment in (expression.start, expression.end) if moment is not None]
    days = [moment.days for moment in moments if moment.days is not None]
    single = len(days) == 1 or (len(days) == 2 and days[0] == days[1])
    if not single or days[0].granularity is not Granularity.DAY:
        return None
    return days[0]


def without_swap(expression: Expression, *, take_other: bool) -> Expression:
    """The expression with one reading of dates such as 03/04/2022 taken for good."""

    def settled(moment: Moment | None) -> Moment | None:
        days = moment.days if moment is not None else None
        if moment is None or not isinstance(days, Calendar) or days.swapped is None:
            return moment
        month, day = days.swapped if take_other else (days.month, days.day)
        return replace(moment, days=replace(days, month=month, day=day, swapped=None))

    return replace(expression, start=settled(expression.start), end=settled(expression.end))


def is_swappable(expression: Expression) -> bool:
    """Whether a date of the expression can be read day first and month first."""
    days = [moment.days for moment in (expression.start, expression.end) if moment is not None]
    return any(isinstance(one, Calendar) and one.swapped is not None for one in days)
