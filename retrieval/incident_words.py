"""Rules for incidents that people call by name: nodes on one power supply, throttled GPUs."""

import re

from retrieval.condition_words import Bound
from retrieval.measures import Comparison, Condition
from retrieval.metric_mentions import Mention, MetricReader
from retrieval.question_text import QuestionText

IDLE_SUPPLY_WATTS = 10
"""Input power up to which a power supply carries nothing."""
_ONE_SUPPLY = re.compile(
    r"\b(?:that\s+)?(?:run|runs|ran|running|are|is|were|was|be|been|live|rely)?\s*(?:only\s+)?on\s+"
    r"(?:only\s+|just\s+)?(?:a\s+single|one|a\s+lone)\s+(?:power\s+suppl(?:y|ies)|psu)\b"
    r"|\b(?:lost|with\s+a\s+(?:failed|dead|broken))\s+(?:a\s+)?(?:power\s+supply|psu)\b"
)
_HELD_BACK = re.compile(
    r"\b(?:(?:were|was|are|is|got|been|being)\s+)?(?:throttl(?:ed|ing)|held\s+back|slowed\s+down)\b"
    r"(?!\s+(?:reasons?|times?|violations?|events?|bits?|limits?))"
    r"(?:\s+(?:for|by|because\s+of|due\s+to)\s+(?:the\s+|too\s+much\s+)?"
    r"(?P<why>heat|temperature|power|thermal\s+reasons|power\s+reasons|power\s+capping))?"
)
_GPUS = re.compile(r"\bgpus?\b")
_CAUSES = {"heat": "gpu_thermal_violation", "power": "gpu_power_violation"}


def incident_in(
    text: QuestionText, metrics: MetricReader, bounds: tuple[Bound, ...]
) -> tuple[tuple[Mention, ...], tuple[Bound, ...]]:
    """The metric that an incident called by name stands for, with its bound; claimed.

    No metric, and ``bounds`` as they are, where ``text`` names none or sets a bound of its own.
    """
    if bounds:
        return (), bounds
    match = text.take(_ONE_SUPPLY)
    if match is not None:
        words = "at most 10 W on one power supply"
        bound = Bound(Condition(Comparison.AT_MOST, IDLE_SUPPLY_WATTS, words=words), "w", (0, 0))
        quantity = metrics.quantity("psu_input_power")
        return (Mention((0, 0), match.group(), (quantity,), (), (), exact=True),), (bound,)
    if text.has(_GPUS) and (match := text.take(_HELD_BACK)) is not None:
        text.take_all(_GPUS)
        why = match["why"] or ""
        known = "power" if "power" in why else "heat" if why else ""
        ids = [_CAUSES[known]] if known else list(_CAUSES.values())
        words = match.group().strip()
        found = tuple(metrics.quantity(name) for name in ids)
        return (Mention((0, 0), words, found, (), (), exact=True),), ()
    return (), ()
