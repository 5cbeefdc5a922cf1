"""Rules for things that differ from the others: "20 % off the rack's mean", "outliers"."""

import re
from dataclasses import dataclass
from enum import StrEnum

from retrieval.question_text import NUMBER, QuestionText, number_of

_NOUNS = (
    r"(?:compute\s+)?(?:nodes?|servers?|hosts?|racks?|cracs?|cdzs?|panels?|gpus?|cards?|fans?"
    r"|units?)"
)
_THOSE = (
    rf"(?:(?:the|its|their|all|same|other|remaining|{_NOUNS})(?:'s|s'|')?\s+|of\s+"
    r"|in\s+the\s+){0,6}?"
)
_REFERENCE = (
    rf"(?P<ref>{_THOSE}(?:averages?|means?|medians?|others?|peers|rest)(?:'s?|s')?"
    rf"(?:\s+(?:average|mean|median))?"
    rf"(?:\s+of\s+(?:the\s+|all\s+|its\s+|their\s+)*(?:(?:other|remaining)s?\s*)?(?:{_NOUNS})?)?"
    rf"(?:\s+(?:of|in)\s+(?:the|its|their)\s+(?:same\s+)?racks?)?(?:\s+{_NOUNS}\b)?)"
)
_HIGHER = r"above|over|higher|more|hotter|warmer|faster"
_LOWER = r"below|under|lower|less|cooler|colder|slower"
_IN_PERCENT = re.compile(
    rf"\b(?:was\s+|were\s+|is\s+|are\s+|ran\s+)?(?:(?:by\s+)?(?:more|over|above|at\s+least)\s+(?:than\s+)?)?"
    rf"(?P<n>{NUMBER})\s*(?:%|percent|per\s+cent)\s+(?:or\s+more\s+)?"
    rf"(?P<way>off|away|different|apart|{_HIGHER}|{_LOWER})\s+(?:than\s+|from\s+)?{_REFERENCE}"
)
_FAR = re.compile(
    rf"\b(?:was\s+|were\s+|is\s+|are\s+)?(?:far|much|well|significantly|considerably|clearly)\s+"
    rf"(?P<way>off|away|different|apart|{_HIGHER}|{_LOWER})\s+(?:than\s+|from\s+)?{_REFERENCE}"
)
_STRANGE = re.compile(
    r"\b(?:with\s+)?(?:an?\s+)?(?:unusual(?:ly)?|abnormal(?:ly)?|anomalous(?:ly)?|exceptional(?:ly)?)"
    r"(?:\s+(?P<way>high|low))?\b|\boutliers?\b(?:\s+(?:in|of|among|by))?"
    r"|\b(?:that\s+)?(?:stick|sticks|stuck|stand|stands|stood)\s+out\b"
)
_OF_TIME = re.compile(
    r"\b(?:again\s+and\s+again|repeatedly|often|days?\s+with|hours?\s+with|fall|fell|rose"
    r"|when|unusually\s+long|jobs?|users?|readings)\b"
)
"""Words with which one thing is unlike itself, or more is asked than what differs."""


class Side(StrEnum):
    """On which side of the others a thing must lie."""

    ABOVE = "above"
    BELOW = "below"
    EITHER = "off"


@dataclass(frozen=True, slots=True)
class PeerWords:
    """That things are held against the others of their kind."""

    side: Side
    percent: float | None = None
    """How far in per cent; None where no number is given."""
    of_others: bool = False
    """True where a thing does not count among those that it is held against."""
    median: bool = False
    """True where the others' median is meant, not their mean."""
    of_rack: bool = False
    """True where nodes are held against those of their rack alone."""
    of_node: bool = False
    """True where parts of a node are held against those of the same node alone."""
    noun: str = ""
    """The first kind of thing that the question names."""


_AMONG = re.compile(rf"\bamong\s+(?:the\s+|all\s+)*{_NOUNS}\b(?!\s+\d)")
_NOUN = re.compile(rf"\b{_NOUNS}\b")


def peer_words(text: QuestionText) -> PeerWords | None:
    """What the question says of things that differ from the others; claimed."""
    exact = text.take(_IN_PERCENT)
    match = exact or text.take(_FAR)
    if match is None:
        if text.has(_OF_TIME):
            return None
        match = text.take(_STRANGE)
        if match is None:
            return None
        text.take(_AMONG)
        return PeerWords(_side(match["way"] or ""), noun=_noun(text))
    reference = match["ref"]
    return PeerWords(
        _side(match["way"]),
        number_of(exact["n"]) if exact is not None else None,
        re.search(r"\b(?:others?|remaining|peers|rest)\b", reference) is not None,
        "median" in reference,
        "rack" in reference and _noun(text) != "rack",
        re.search(r"\b(?:node|server|host)(?:'s)?\b", reference) is not None
        and _noun(text) in ("gpu", "card", "fan"),
        _noun(text),
    )


def _side(way: str) -> Side:
    if way == "high" or re.fullmatch(_HIGHER, way):
        return Side.ABOVE
    if way == "low" or re.fullmatch(_LOWER, way):
        return Side.BELOW
    return Side.EITHER


def _noun(text: QuestionText) -> str:
    """The first thing that the question names, in the singular."""
    match = _NOUN.search(text.lower)
    return match.group().split()[-1].removesuffix("s") if match is not None else ""
