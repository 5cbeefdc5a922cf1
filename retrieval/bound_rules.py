"""The bound of a question in the unit of the quantity that it applies to."""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.condition_words import Bound
from retrieval.measures import Comparison, Condition, Selected, While
from retrieval.metric_choice import Chosen
from retrieval.slots import Slots
from retrieval.understanding import Why, stop
from retrieval.units import in_unit

_FLAGS = ("fault", "alm_", "alarm", "allarme", "comlost")
_EVENTS = (
    "xid",
    "fault",
    "alm_",
    "alarm",
    "allarme",
    "retired_pages",
    "ecc_",
    "violation",
    "error_count",
    "comlost",
    "bad_values",
)
"""Parts of the names of metrics whose samples other than zero are events."""


def bound_of(slots: Slots, chosen: Sequence[Chosen], plain: bool) -> Condition | None:
    """The one bound that the question sets; raises ReadingStops where it is not clear.

    ``plain``: neither a chart nor a moment is asked for, so that a flag is told by its periods.
    """
    bounds = slots.bounds
    if len(bounds) > 1:
        raise stop(
            Why.NOT_UNDERSTOOD,
            "I can hold readings against one bound at a time, and found "
            + " and ".join(f"'{b.condition.words}'" for b in bounds)
            + ". Please ask about one.",
        )
    if bounds:
        bound = bounds[0]
        if chosen[0].quantity.metrics[0].name == "boottime":
            raise stop(
                Why.NOT_UNDERSTOOD,
                "I can say which nodes rebooted in a time, but not yet how often each of them did.",
            )
        if len(chosen) > 1:
            raise stop(
                Why.NOT_UNDERSTOOD,
                f"It is not clear to which quantity '{bound.condition.words}' applies."
                " Please ask about one quantity at a time.",
            )
        return _converted(bound, chosen[0].quantity)
    wants = slots.asks_owners or slots.counts_owners or slots.asks_when or slots.asks_how_long
    wants = wants or slots.asks_whether or slots.asks_index or bool(slots.course.asked)
    wants = wants or (plain and not (slots.measures or slots.groups))
    if wants and not slots.superlatives and not slots.ranked and is_event(chosen[0].quantity):
        return Condition(Comparison.ABOVE, 0, words="other than zero")
    return None


def meanwhile_of(
    slots: Slots, chosen: tuple[Chosen, ...]
) -> tuple[tuple[Chosen, ...], While | None]:
    """The quantity behind "while" with its bound, apart from those that are measured.

    Samples are matched by their time, so both must come from one plugin.
    """
    if not slots.while_bound or len(chosen) < 2 or len(slots.bounds) != 1:
        return chosen, None
    behind = [m for m in slots.mentions if m.span[0] > slots.while_at and len(m.candidates) == 1]
    names = {metric for m in behind for metric in m.candidates[0].members}
    tested = [one for one in chosen if set(one.quantity.metrics) <= names]
    rest = tuple(one for one in chosen if one not in tested)
    if len(tested) != 1 or not rest or len(tested[0].quantity.metrics) != 1:
        return chosen, None
    quantity = tested[0].quantity
    if any(one.quantity.metrics[0].plugin != quantity.metrics[0].plugin for one in rest):
        raise stop(
            Why.NOT_UNDERSTOOD,
            f"{quantity.label} and {rest[0].quantity.label} are sampled at different times,"
            " so I cannot take one while the other keeps a bound.",
        )
    return rest, While(quantity, _converted(slots.bounds[0], quantity))


def _converted(bound: Bound, quantity: Selected) -> Condition:
    value = in_unit(bound.condition.bound, bound.unit, quantity.unit)
    if value is None:
        raise stop(
            Why.NOT_UNDERSTOOD,
            f"{quantity.label} is measured in {quantity.unit or 'plain numbers'},"
            f" so '{bound.condition.words}' does not fit it.",
        )
    upper = bound.condition.upper
    if upper is not None:
        upper = in_unit(upper, bound.unit, quantity.unit)
    return replace(bound.condition, bound=value, upper=upper)


def is_flag(quantity: Selected) -> bool:
    """Whether ``quantity`` says that something is wrong, or that it is not."""
    name = quantity.metrics[0].name.lower()
    return any(part in name for part in _FLAGS)


def is_event(quantity: Selected) -> bool:
    """Whether samples other than zero of ``quantity`` are events."""
    name = quantity.metrics[0].name.lower()
    return any(part in name for part in _EVENTS)
