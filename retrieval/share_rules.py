"""Shares and ratios of two quantities."""

import re
from collections.abc import Sequence

from retrieval.data_request import Ratio
from retrieval.metric_choice import Chosen
from retrieval.request import EntityKind
from retrieval.share_words import ShareOf
from retrieval.slots import Slots
from retrieval.understanding import Why, stop
from retrieval.units import measure_same

POWER = frozenset({"W", "kW", "MW"})
"""Units of powers."""
_LED = r"\s+(?:(?:the|total|whole|overall)\s+)*\Z"
_IN_WHOLE = re.compile(rf"\b(?:in|within|on|relative\s+to|compared\s+(?:to|with)){_LED}")
_OF_WHICH = re.compile(rf"\bof{_LED}")


def ratio_of(slots: Slots, chosen: Sequence[Chosen]) -> Ratio | None:
    """The ratio that ``slots`` ask for; raises ReadingStops where it is not one of two."""
    share = slots.share
    if not share.divides:
        return None
    if len(chosen) != 2 or len(slots.mentions) != 2:
        named = " and ".join(one.quantity.label for one in chosen)
        raise stop(
            Why.NOT_UNDERSTOOD,
            f"A share or a ratio takes two quantities, and I found {named}. Please name both.",
        )
    several = [one.quantity for one in chosen if len(one.quantity.metrics) > 1]
    if any(not quantity.summed for quantity in several):
        raise stop(
            Why.NOT_UNDERSTOOD,
            f"{several[0].label} has {len(several[0].metrics)} sensors, and the mean of one is no"
            " part of a whole. Please name one of them.",
        )
    units = [one.quantity.unit for one in chosen]
    if not measure_same(*units):
        raise stop(
            Why.NOT_UNDERSTOOD,
            f"{chosen[0].quantity.label} and {chosen[1].quantity.label} are measured in"
            f" {units[0]} and {units[1]}, so one is no share of the other.",
        )
    spans = [mention.span for mention in slots.mentions]
    first, second = sorted(range(2), key=lambda i: spans[i])
    if share.of is ShareOf.RATIO:
        return Ratio(first, percent=False)
    # "the share of the facility power that was cooling", but "the share of cooling in it".
    follows = next((i for i in (first, second) if spans[i][0] >= share.whole_at), first)
    before = slots.text[: spans[second][0]].lower()
    if follows == first and _OF_WHICH.search(before):
        raise stop(
            Why.NOT_UNDERSTOOD,
            f"Which is the whole, {chosen[first].quantity.label} or"
            f" {chosen[second].quantity.label}? Please ask for the share of one in the other.",
        )
    whole = second if follows == first and _IN_WHOLE.search(before) else follows
    return Ratio(1 - whole, percent=True)


def of_unlike(chosen: Sequence[Chosen]) -> bool:
    """Whether a power of many nodes stands beside one of other things, such as the chillers.

    What those draw is divided by what all of the nodes draw, and not by the mean of one.
    """
    kinds = {one.owners.kind for one in chosen}
    powers = all(one.quantity.unit in POWER for one in chosen)
    return powers and EntityKind.NODE in kinds and len(kinds) > 1
