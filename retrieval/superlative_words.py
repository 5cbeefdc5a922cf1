"""Superlatives that rank values or times: "the lowest", "the hottest day", "the best PUE"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from retrieval.measure_words import HEAT, OWNER_NOUN, SUPERLATIVE, TIME_NOUNS
from retrieval.measures import Group, Measure
from retrieval.metric_mentions import Mention
from retrieval.question_text import QuestionText
from retrieval.slot_patterns import WHICH_TIMES
from retrieval.slots import Slots

_HOT = "highest|hottest|warmest|busiest|worst|best|windiest|sunniest|peak"
_COLD = "lowest|coldest|coolest|quietest|idlest"
_RANKED_TIME = re.compile(
    rf"\b(?P<how>(?P<high>{_HOT})|(?P<low>{_COLD}))(?:\s+single)?\s+(?P<what>hour|day|week|month)"
    r"(?!\s+of\s+the\s+(?:day|week|run)\b)\b"
)
_TIME_WITH = re.compile(
    rf"\b(?P<what>hour|day|week|month)\s+(?:with|of|when|where)\s+(?:the\s+)?(?=(?:{_HOT}|{_COLD})\b)"
)
"""The superlative behind it is read as any other: "the day with the highest PUE"."""
RankedTimes = tuple[Group | None, tuple[bool, ...]]
_HAD_THE = re.compile(
    r"\b(?:had|has|have|having|with|showed|shows|reached|saw|recorded|reported)\s+(?:the\s+)?"
    r"(?:(?P<high>max(?:imum)?|peak)|min(?:imum)?)\b(?!\s+(?:and|or|,))"
)
_BY_EXTREME = re.compile(rf"\b(?:highest|lowest|peak|{'|'.join(HEAT)})\b")
_SEVERAL = re.compile(
    r"^\W*(?:(?:which|what|list|show|the|all|me|compute)\s+)*"
    r"(?:nodes|racks|users|jobs|partitions|cracs|panels|gpus)\b(?!\s+\d)"
    rf"|\b(?:{OWNER_NOUN})(?<=s)\s+(?:with|that|which|having|whose)\s+(?:had\s+|have\s+)?the\b",
    re.IGNORECASE,
)
_BEST = re.compile(r"\b(?P<how>best|worst)\b")
_LOW_IS_GOOD = frozenset({"pue", "room_pue"})
_HIGH_IS_GOOD = frozenset({"dcie"})


def ranked_times(text: QuestionText, slots: Slots) -> RankedTimes:
    """The lengths of time that are ranked, and True where the highest comes first; claimed.

    Nothing beside a grouping by time: the hottest hour of each day is one row a day.
    """
    if set(slots.groups) & set(TIME_NOUNS.values()):
        return None, ()
    behind = text.take(_TIME_WITH)
    if behind is not None:
        return TIME_NOUNS[behind["what"]], ()
    match = next(text.search(_RANKED_TIME), None)
    if match is None:
        return None, ()
    high = match["high"] is not None
    if match["how"] in ("best", "worst"):
        best = _best_is_high(slots.mentions)
        if best is None:
            return None, ()
        high = best == (match["how"] == "best")
    text.claim(match.span())
    return TIME_NOUNS[match["what"]], (high,)


def with_ranked_times(text: QuestionText, slots: Slots, times: RankedTimes) -> Slots:
    """``slots`` by the lengths of time that are ranked: "which hour had", "the hottest day"."""
    group, highest = times
    timed = slots.asks_days or set(slots.groups) & {Group.HOUR, Group.DAY, Group.WEEK}
    asked = bool(slots.superlatives and timed and text.has(WHICH_TIMES))
    if group is not None:
        groups, superlatives = (*slots.groups, group), (*highest, *slots.superlatives)
        slots = replace(slots, groups=groups, superlatives=superlatives)
    return replace(slots, groups_ranked=asked or group is not None)


def with_superlatives(text: QuestionText, slots: Slots) -> Slots:
    """``slots`` with True for each "highest", False for each "lowest", in their order; claimed.

    So is "the maximum" where it picks one of the things asked for: "which rack had the maximum".
    """
    by_extreme, several = text.has(_BY_EXTREME), bool(_SEVERAL.search(slots.text))
    slots = replace(slots, by_extreme=by_extreme, ranks_several=several)
    best = _best_is_high(slots.mentions)
    found = []
    if best is not None:
        found = [(m.start(), best == (m["how"] == "best")) for m in text.take_all(_BEST)]
    found += [(m.start(), m["high"] is not None) for m in text.take_all(SUPERLATIVE)]
    picks = slots.asks_owners or slots.asks_index or slots.asks_days or text.has(WHICH_TIMES)
    extreme = _HAD_THE.search(text.lower)
    if found or extreme is None or slots.bounds or slots.ranked or not picks:
        return replace(slots, superlatives=tuple(high for _, high in sorted(found)))
    high = extreme["high"] is not None
    own = Measure.MAXIMUM if high else Measure.MINIMUM
    measures = tuple(m for m in slots.measures if m is not own) or (own,)
    return replace(slots, superlatives=(high,), measures=measures)


def _best_is_high(mentions: Sequence[Mention]) -> bool | None:
    """Whether a high value is the best one; None where no value is better than another."""
    named = {m.candidates[0].id for m in mentions if m.candidates}
    if named & _LOW_IS_GOOD:
        return False
    return True if named & _HIGH_IS_GOOD else None
