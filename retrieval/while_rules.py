"""Slots to a chain: the times in which one thing kept a bound first, then readings in them."""

from collections.abc import Mapping
from dataclasses import replace

from retrieval.asking import ChartHint
from retrieval.bound_rules import bound_of
from retrieval.course_rules import course_request
from retrieval.course_words import CourseWords
from retrieval.data_request import PeriodsThenReadings, ReadingsRequest
from retrieval.entity_rules import NamedEntities
from retrieval.measures import Course, Measure, Owners, Wanted
from retrieval.metric_choice import Chosen, chosen_quantities
from retrieval.metric_mentions import Mention
from retrieval.reading_rules import readings_request
from retrieval.request import EntityKind, TimeWindow
from retrieval.sensors import owner_kind
from retrieval.slots import Slots
from retrieval.understanding import Why, stop

_OVER_TIME = frozenset(
    {Measure.ENERGY, Measure.DURATION, Measure.SHARE, Measure.SUM, Measure.COUNT}
)
"""Measures that gaps between the periods would falsify."""


def while_chain(
    slots: Slots,
    settled: Mapping[str, str],
    windows: tuple[TimeWindow, ...],
    chart: ChartHint,
) -> tuple[PeriodsThenReadings, tuple[str, ...]] | None:
    """The chain that a "while" about another thing amounts to; None where there is none.

    Where both quantities are read from the same things at the same moments, one query does it.
    """
    tested = _tested(slots)
    if tested is None:
        return None
    one = chosen_quantities(replace(slots, mentions=(tested,)), settled)[0]
    rest = rest_of(slots, one.owners)
    others = chosen_quantities(rest, settled)
    if slots.bounds and all(_same_moments(one, other) for other in others):
        return None
    if len(windows) != 1 or slots.jobs.mentioned or slots.checks.mentioned:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "I can take values while another one keeps a bound in one window of time, and not for"
            " jobs or checks.",
        )
    readings, notes = readings_request(rest, settled, windows, chart)
    plain = readings.wanted in (Wanted.MEASURES, Wanted.SERIES) and not readings.instant
    if not plain or set(readings.measures) & _OVER_TIME or readings.combined:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "While another quantity keeps a bound I can take single values, their mean or extremes"
            " or a series, no sums, energies or lengths of time.",
        )
    return PeriodsThenReadings(_periods(slots, one, tested, windows), readings), notes


def _tested(slots: Slots) -> Mention | None:
    """The mention that the words behind "while" hold against a bound."""
    if not slots.while_bound or len(slots.mentions) < 2 or len(slots.bounds) > 1:
        return None
    behind = [m for m in slots.mentions if m.span[0] > slots.while_at]
    if slots.bounds:
        before = [m for m in behind if m.span[0] < slots.bounds[0].span[0]]
        behind = before[-1:] or behind
    return behind[0] if behind else None


def rest_of(slots: Slots, owners: Owners) -> Slots:
    """``slots`` without what is said of the times: the quantity of ``owners`` with its bound."""
    tested = _tested(slots)
    mentions = tuple(m for m in slots.mentions if m is not tested)
    kept = [
        e for e in slots.entities.found if e.kind is not owners.kind or _shared(mentions, e.kind)
    ]
    entities = NamedEntities(tuple(kept), slots.entities.unknown, slots.entities.spans)
    return replace(slots, mentions=mentions, bounds=(), while_at=-1, entities=entities)


def _shared(mentions: tuple[Mention, ...], kind: EntityKind) -> bool:
    """Whether things of ``kind`` are also those whose values are wanted."""
    return any(owner_kind(c.members[0]) is kind for m in mentions for c in m.candidates)


def _same_moments(one: Chosen, other: Chosen) -> bool:
    same_plugin = one.quantity.metrics[0].plugin == other.quantity.metrics[0].plugin
    return same_plugin and one.owners == other.owners


def _periods(
    slots: Slots, one: Chosen, tested: Mention, windows: tuple[TimeWindow, ...]
) -> ReadingsRequest:
    """The periods in which ``one`` kept its bound."""
    alone = Slots(
        slots.text,
        slots.entities,
        slots.times,
        mentions=(tested,),
        bounds=slots.bounds,
        course=CourseWords((Course.PERIODS,)),
    )
    condition = bound_of(alone, (one,), plain=True)
    if condition is None:
        raise stop(
            Why.NOT_UNDERSTOOD,
            f"While {one.quantity.label} is above or below which value?",
        )
    return course_request(alone, (one,), windows, Course.PERIODS, condition)
