"""What the audits of every kind of request look at."""

import re
from collections.abc import Sequence

from retrieval.job_words import width_in
from retrieval.measure_words import HIGH, LOW
from retrieval.measures import Group, Measure
from retrieval.question_text import NUMBER
from retrieval.request import EntityKind, TimeWindow
from retrieval.slots import Slots

TWO_GROUPS = re.compile(
    r"\b(nodes|racks)\s+\d+\s*(?:-|to|through)\s*(?:node\s+|rack\s+)?\d+\s*,?\s*"
    r"(?:and|vs\.?|versus|with|to)\s+(?:of\s+|for\s+|the\s+)*\1\s+\d+\s*(?:-|to|through)\s*\d+",
    re.IGNORECASE,
)
_END = (
    rf"(?:(?:top|first|bottom|worst|best)[-\s]+{NUMBER}|{HIGH}|{LOW}|best)\b(?!\s+(?:first|to)\b)"
)
_TWO_ENDS = re.compile(
    rf"\b{_END}.*?(?:\band|[,;/&]|\bor|\bplus|\bversus|\bvs\.?|\bas\s+well\s+as)\s+"
    rf"(?:(?:the|also|which|what|is|was|were|are|one|ones|node|rack|has|had|have|draws?|drew|uses?"
    rf"|used|consumes?|consumed|takes?|took)\s+)*(?:{NUMBER}\s+)?{_END}",
    re.IGNORECASE | re.DOTALL,
)
_OF_DAY = re.compile(
    r"\b(?:hours?|time)\s+of\s+(?:the\s+)?day\b|\bdays?\s+of\s+(?:the\s+)?week\b", re.IGNORECASE
)
_DAY = 86_400.0
_COMMON_WORDS = frozenset("compute single active running power-hungry".split())


def between_is_lost(slots: Slots) -> bool:
    """Whether words inside a ranking ("top 5 busy nodes") are not taken up."""
    if slots.ranked is None or width_in(slots.ranked.between) is not None:
        return False
    return not set(slots.ranked.between.split()) <= _COMMON_WORDS


def ranks_twice(slots: Slots) -> bool:
    """Whether the ends of two orders, or both ends of one, are asked for side by side."""
    spread = slots.difference or Measure.RANGE in slots.measures
    return not spread and bool(_TWO_ENDS.search(slots.text))


def values_of(measures: set[Measure]) -> str:
    """Measures in words."""
    return ", ".join(sorted(m.value for m in measures))


def dropped_groups(slots: Slots, groups: Sequence[Group]) -> list[str]:
    """The groupings that the question asks for and ``groups`` lacks, in words."""
    taken = set(groups)
    dropped = [g.value for g in slots.groups if g not in taken]
    if slots.added_up:
        dropped = [g for g in dropped if g != Group.INDEX.value]
    return [f"by {name}" for name in dropped if not (name == "day" and slots.silent)]


def bound_words(slots: Slots) -> tuple[str, ...]:
    """The bounds of the question as it says them."""
    return tuple(bound.condition.words for bound in slots.bounds)


def by_hour_of_day(slots: Slots, windows: Sequence[TimeWindow]) -> bool:
    """Whether the hours of several days would have to be laid over each other."""
    return bool(_OF_DAY.search(slots.text)) and sum(w.seconds for w in windows) > _DAY


def without_use(slots: Slots, kinds: frozenset[EntityKind]) -> list[str]:
    """The things that are named and are of none of ``kinds``."""
    return [f"{e.kind.value} {e.name}" for e in slots.entities.found if e.kind not in kinds]
