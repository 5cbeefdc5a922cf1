"""Rules for shares: "what share of the time", "percentage of nodes", "fraction of the power"."""

import re
from dataclasses import dataclass
from enum import StrEnum

from retrieval.job_words import STATES
from retrieval.measure_words import OWNER_NOUN, kind_of_noun
from retrieval.question_text import QuestionText, Span
from retrieval.request import EntityKind

_NOUN = r"(?:share|fraction|proportion|percentage|percent|per\s?cent|portion|part(?=\s+of\s+the))"
_LEAD = r"(?:(?:for|in|during|on|of)\s+)?(?:what|which|the|a|give\s+(?:me\s+)?the|that|as\s+a)\s+"
_OF_TIME = re.compile(
    rf"\b(?:{_LEAD})?(?:{_NOUN}|%)\s+of\s+(?:the\s+|all\s+|its\s+|their\s+)*"
    r"(?:time|day|days|period|hours?|week|month|window|samples|readings|measurements)\b"
    rf"|\b(?:{_LEAD})?(?:{_NOUN}|%)\s+of\s+(?:the\s+|all\s+)*(?=(?:[a-z-]+\s+){{1,3}}"
    r"(?:samples|readings|measurements)\b)"
    r"|\bhow\s+much\s+of\s+the\s+(?:time|day|period|week|month)\b"
)
_OF_THINGS = re.compile(
    rf"\b(?:{_LEAD})?(?:{_NOUN}|%)\s+of\s+(?:the\s+|all\s+)*(?:compute\s+)?(?P<noun>{OWNER_NOUN})\b"
    rf"(?!\s+(?:power|energy)\b)|\b(?P<rate>(?:job\s+)?(?:failure|success|completion|time-?out|cancellation)\s+rate)s?\b"
)
_STATE = r"(?:drain(?:ed|ing)|down|offline|unreachable|unhealthy|failing|critical)"
_OF_STATED = re.compile(
    rf"\b(?:{_LEAD})?(?:{_NOUN}|%)\s+of\s+(?:the\s+|all\s+)*"
    rf"(?={_STATE}\s+(?P<noun>{OWNER_NOUN}))"
)
"""A state before the noun is that of the part: the percentage of drained nodes is of all nodes."""
_JOB_STATE = "|".join(f"(?:{pattern.pattern})" for pattern, _ in STATES)
_OF_JOBS = re.compile(
    rf"\b(?:{_LEAD})?(?:{_NOUN}|%)\s+of\s+(?:the\s+|all\s+)*"
    r"(?=(?:(?:(?:users?|partitions?)\s+#?\d+(?:'s?)?|(?:single|one|multi)-node|finished|ended"
    rf"|submitted|started|{_JOB_STATE})\s+)+jobs?\b)"
)
"""Whose the jobs are, or how they ended, may stand before the noun, and is read with the jobs."""
_OF_COUNTED = re.compile(
    r"\bhow\s+many\s+(?:[a-z]+\s+){0,2}?jobs\b(?P<between>[^?.]*?)(?P<part>,?\s*\band\s+how\s+many"
    rf"(?:\s+of\s+(?:them|these|those))?)(?=\s+(?:have\s+|were\s+)?(?:{_JOB_STATE}))"
)
"""Jobs are counted, and those of them in a state: "how many jobs ran, and how many failed"."""
_OF_WHOLE = re.compile(
    rf"\b(?:{_LEAD})?(?:{_NOUN}|%)\s+of\s+(?:the\s+|all\s+|total\s+)*"
    r"|\bhow\s+much\s+of\s+(?:the\s+|all\s+|total\s+)*"
    r"(?=[^?.]*\b(?:go(?:es)?|went|goes|is|was|were|are|did|do|does)\b)"
)
_RATIO = re.compile(r"\b(?:what\s+(?:is|was)\s+)?(?:the\s+)?ratio\s+(?:of|between)\s+(?:the\s+)?")
_POWERED = r"(?:cooling|chillers?|pumps?|cracs?|(?:auxiliary\s+)?services|it|facility|compute)"
_PER_UNIT = re.compile(
    rf"\b(?P<unit>k?wh|watts?|kw|kilowatts?)\s+of\s+(?:the\s+)?(?P<part>{_POWERED})\s+per\s+"
    rf"(?P=unit)\s+of\s+(?:the\s+)?(?P<whole>{_POWERED})\b(?!\s+[a-z]*(?:power|energy|temp|util))"
)
"""A ratio by its units: "watt of cooling per watt of compute"."""
_TO_ANOTHER = re.compile(
    rf"(?<!from\s)\b(?P<part>{_POWERED})(?:\s+(?P<own>power|energy))?\s+(?:to|per)\s+"
    rf"(?P<whole>{_POWERED})\s+(?P<unit>power|energy)\b"
)
"""A ratio by its two quantities alone: "cooling to compute energy"."""
_STATES = {
    "failure": "FAILED",
    "success": "COMPLETED",
    "completion": "COMPLETED",
    "timeout": "TIMEOUT",
    "time-out": "TIMEOUT",
    "cancellation": "CANCELLED",
}


class ShareOf(StrEnum):
    """What a share is taken of."""

    NOTHING = ""
    TIME = "time"
    OWNERS = "owners"
    QUANTITY = "quantity"
    RATIO = "ratio"
    """No share of a whole: how many times one quantity is the other."""


@dataclass(frozen=True, slots=True)
class ShareWords:
    """A share that is asked for."""

    of: ShareOf = ShareOf.NOTHING
    noun: EntityKind | None = None
    """For a share of things: their kind."""
    whole_at: int = -1
    """For a share of a quantity: where the name of the whole begins."""
    states: tuple[str, ...] = ()
    """For a rate of jobs: the state that they end in."""
    powers: tuple[Span, ...] = ()
    """For a ratio: where the equipment stands whose powers, or energies, are meant."""
    energy: bool = False
    """Whether it is their energies."""

    @property
    def of_jobs(self) -> bool:
        """Whether it is a share of jobs."""
        return self.noun is EntityKind.JOB

    @property
    def divides(self) -> bool:
        """Whether one quantity is to be divided by another."""
        return self.of in (ShareOf.QUANTITY, ShareOf.RATIO)


def share_words(text: QuestionText) -> ShareWords:
    """The share that the question asks for; claimed."""
    if text.take_all(_OF_TIME):
        return ShareWords(ShareOf.TIME)
    of_things = text.take(_OF_THINGS)
    if of_things is not None:
        if of_things["rate"]:
            word = of_things["rate"].removeprefix("job ").split()[0]
            return ShareWords(ShareOf.OWNERS, EntityKind.JOB, states=(_STATES[word],))
        return ShareWords(ShareOf.OWNERS, kind_of_noun(of_things["noun"]))
    of_stated = text.take(_OF_STATED)
    if of_stated is not None:
        text.claim(of_stated.span("noun"))
        return ShareWords(ShareOf.OWNERS, kind_of_noun(of_stated["noun"]))
    if text.take(_OF_JOBS) is not None or _of_counted(text):
        return ShareWords(ShareOf.OWNERS, EntityKind.JOB)
    ratio = text.take(_RATIO)
    if ratio is not None:
        return ShareWords(ShareOf.RATIO, whole_at=ratio.end())
    powers = _powers(text)
    if powers is not None:
        return powers
    of_whole = text.take(_OF_WHOLE)
    if of_whole is not None:
        return ShareWords(ShareOf.QUANTITY, whole_at=of_whole.end())
    return ShareWords()


def _of_counted(text: QuestionText) -> bool:
    """Whether jobs are counted, and then those of them in a state; the second count is claimed."""
    match = _OF_COUNTED.search(text.lower)
    if match is None or any(state.search(match["between"]) for state, _ in STATES):
        return False
    text.claim(match.span("part"))
    return True


def _powers(text: QuestionText) -> ShareWords | None:
    """The ratio of powers or energies of two kinds of equipment; claimed but for their names."""
    for pattern in (_PER_UNIT, _TO_ANOTHER):
        for match in text.search(pattern):
            part, whole = match.span("part"), match.span("whole")
            energy = match["unit"] == "energy" or match["unit"].endswith("wh")
            own = match.groupdict().get("own")
            if own is not None and own != match["unit"]:
                continue
            text.claim((match.start(), part[0]))
            text.claim((part[1], whole[0]))
            text.claim((whole[1], match.end()))
            return ShareWords(ShareOf.RATIO, whole_at=whole[0], powers=(part, whole), energy=energy)
    return None
