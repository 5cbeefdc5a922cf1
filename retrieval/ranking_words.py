"""Rules for rankings: "top 5 nodes", "the hottest rack", "the last 20 jobs"."""

import re
from dataclasses import dataclass

from retrieval.measure_words import HIGH, LOW, OWNER_NOUN, kind_of_noun
from retrieval.question_text import NUMBER, QuestionText, number_of
from retrieval.request import EntityKind

_MEAN_SUPERLATIVES = frozenset({"busiest", "idlest", "hungriest", "most", "least", "top"})

_NUMBERED = ("", "2", "3", "4")
_BY_NUMBER = frozenset({"most", "fewest", "least"})

_BETWEEN = r"(?P<between{0}>(?:[a-z]+-node|single|active|compute|running|power-hungry)\s+)?"
RANKED = re.compile(
    rf"\b(?:the\s+)?(?:top|first|bottom|worst|best)[-\s]+(?P<n>{NUMBER})\s*"
    rf"(?P<adjective>{HIGH}|{LOW})?\s*{_BETWEEN.format('')}(?P<noun>{OWNER_NOUN})\b"
    rf"|\b(?:the\s+)?(?P<n2>{NUMBER})\s+(?P<adjective2>{HIGH}|{LOW})\s+"
    rf"{_BETWEEN.format(2)}(?P<noun2>{OWNER_NOUN})\b"
    rf"|(?<!at\s)\b(?:the\s+)?(?P<adjective4>{HIGH}|{LOW})\s+(?P<n4>{NUMBER})\s+"
    rf"{_BETWEEN.format(4)}(?P<noun4>{OWNER_NOUN})\b"
    rf"|\b(?:the\s+)?(?P<adjective3>{HIGH}|{LOW})\s+"
    rf"{_BETWEEN.format(3)}(?P<noun3>{OWNER_NOUN})\b"
)
_RANKED_BY = re.compile(
    rf"\b(?P<noun>{OWNER_NOUN})\s+(?:are\s+)?(?:ranked|ordered)\s+by\b"
    rf"|\brank\s+(?:the\s+|all\s+)*(?P<noun2>{OWNER_NOUN})\s+by\b"
)
_LONGEST = 1_000_000
"""No ranking is longer: the largest number of rows that a query may ask for."""
_OF_TIME = re.compile(
    rf"(?:(?:for|of|during)\s+each\s+of\s+)?\b(?:the\s+)?(?P<which>last|latest|newest|most\s+recent|first|earliest|oldest)"
    rf"(?:\s+(?P<n>{NUMBER}))?(?=\s+(?:[a-z-]+\s+){{0,2}}?(?P<noun>jobs?)\b"
    r"(?!\s+(?:by|ranked|sorted|ordered)\b))"
)
"""Jobs by when they started: "the last 20 failed jobs", "the first job"."""
LAST = "last"
"""The adjective of jobs that are ranked by their start, the latest first."""
FIRST = "first"
"""The adjective of jobs that are ranked by their start, the earliest first."""


@dataclass(frozen=True, slots=True)
class RankedWords:
    """A superlative over owners: how many, which way, of what."""

    descending: bool
    limit: int | None
    """None for all of them, in their order."""
    noun: EntityKind
    by_mean: bool
    adjective: str
    between: str


def ranked_in(text: QuestionText) -> RankedWords | None:
    """A ranking of owners ("top 5 nodes", "ten busiest nodes", "hottest rack"); claimed."""
    in_time = _of_time(text)
    if in_time is not None:
        return in_time
    match = next(text.search(RANKED), None)
    if match is None:
        return _ranked_by(text)
    groups = match.groupdict()
    if groups["adjective3"] in _BY_NUMBER:
        # "the node with the most jobs" ranks nodes, not jobs.
        return None
    text.claim(match.span())
    number = groups["n"] or groups["n2"] or groups["n4"]
    adjective = next((groups[f"adjective{i}"] for i in _NUMBERED if groups[f"adjective{i}"]), "")
    noun = next(groups[f"noun{i}"] for i in _NUMBERED if groups[f"noun{i}"])
    between = next((groups[f"between{i}"] for i in _NUMBERED if groups[f"between{i}"]), "").strip()
    kind = kind_of_noun(noun)
    plural = noun.endswith("s")
    low = re.fullmatch(LOW, adjective) is not None or match.group().startswith("bottom")
    limit = min(int(number_of(number)), _LONGEST) if number else (10 if plural else 1)
    return RankedWords(
        descending=not low,
        limit=limit,
        noun=kind or EntityKind.NODE,
        by_mean=adjective in _MEAN_SUPERLATIVES or not adjective,
        adjective=adjective,
        between=between,
    )


def _ranked_by(text: QuestionText) -> RankedWords | None:
    """All owners in their order: "racks ranked by power"."""
    match = text.take(_RANKED_BY)
    if match is None:
        return None
    kind = kind_of_noun(match["noun"] or match["noun2"]) or EntityKind.NODE
    return RankedWords(True, None, kind, by_mean=True, adjective="", between="")


def _of_time(text: QuestionText) -> RankedWords | None:
    """The last or the first jobs; one where the noun has no number and is no plural."""
    match = next(text.search(_OF_TIME), None)
    if match is None or not (match["n"] or match["noun"] == "job"):
        return None
    text.claim(match.span())
    last = match["which"] in ("last", "latest", "newest") or match["which"].startswith("most")
    limit = min(int(number_of(match["n"])), _LONGEST) if match["n"] else 1
    return RankedWords(last, limit, EntityKind.JOB, False, LAST if last else FIRST, "")
