"""The ways to take one text as several questions: "PUE and the five hottest nodes of yesterday".

They are proposals: only what the bot can answer part by part is taken, and whoever wrote it is
shown the parts. Where a word may belong to more than one of them, there is no such way. What stands
between semicolons is a question of its own, with its own time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, product
from zoneinfo import ZoneInfo

from retrieval.time_reader import read_times

MOST_PARTS = 4
_MOST_CUTS = 6
_CUT = re.compile(
    r"\s*,?\s+(?:and|plus|as\s+well\s+as)\s+(?:also\s+)?|\s*,\s+|\s+&\s+", re.IGNORECASE
)
_RANGE = re.compile(r"\bbetween\b.*?\band\b", re.IGNORECASE)
_LEANS_ON_ANOTHER = re.compile(
    r"\b(?:their|them|they|theirs|its|it|those|these|this|that\s+(?:node|rack|job|user|day|hour|time)|"
    r"same|there|then|both|each\s+other|respectively|thereof|others?)\b",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:above|below|over|under|more|less|fewer|greater|higher|lower|at\s+least|at\s+most|"
    r"exceed\w*|warmer|hotter|colder|cooler|between)\b|[<>]",
    re.IGNORECASE,
)
_OWN_SUBJECT = re.compile(
    r"(?:the|how|which|what|who|when|list|show|plot|number|count|top|any|all|a|an|"
    r"nodes?|racks?|jobs?|users?|gpus?)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:nodes?|racks?|jobs?|users?|partitions?|gpus?|cracs?|panels?|rooms?|rows?|chillers?)"
    r"\s+#?\d|\b(?!p\d)[a-z]+\d+[\w-]*\b",
    re.IGNORECASE,
)

_SAYS_NOTHING = re.compile(r"\b(?:all|from|to|and|the|of|in|on|at|for)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """One question of several."""

    text: str
    time: str = ""
    """The time that was said beside it, where it names none itself: it may hold for it as well."""


def ways_to_split(question: str, now: datetime, zone: ZoneInfo) -> Iterator[tuple[Piece, ...]]:
    """The same as several questions, those of fewest parts first."""
    sentences = [one.strip().rstrip("?.! ") for one in question.split(";")]
    sentences = [one for one in sentences if one]
    if len(sentences) > MOST_PARTS:
        return
    each = [[(Piece(one),), *_ways(one, now, zone)] for one in sentences]
    whole = [tuple(piece for part in way for piece in part) for way in product(*each)]
    yield from sorted((way for way in whole if 1 < len(way) <= MOST_PARTS), key=len)


def _ways(text: str, now: datetime, zone: ZoneInfo) -> Iterator[tuple[Piece, ...]]:
    kept = [*read_times(text, now, zone).spans, *(m.span() for m in _RANGE.finditer(text))]
    cuts = [
        found.span()
        for found in _CUT.finditer(text)
        if not any(start < found.end() and found.start() < end for start, end in kept)
    ][:_MOST_CUTS]
    for number in range(1, MOST_PARTS):
        for chosen in combinations(cuts, number):
            parts = _cut(text, chosen)
            if all(parts) and _stand_alone(parts):
                timed = _with_shared_time(parts, now, zone)
                if timed is not None:
                    yield timed


def _cut(text: str, cuts: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(text)]
    return tuple(text[start:end].strip() for start, end in zip(starts, ends, strict=True))


def _stand_alone(parts: Sequence[str]) -> bool:
    """Whether no part is a piece of the one before it, and no name may hold for several."""
    for part in parts[1:]:
        if _BOUND.search(part) and not _OWN_SUBJECT.match(part):
            return False
        if _LEANS_ON_ANOTHER.search(part):
            return False
    named = [bool(_NAMED.search(part)) for part in parts]
    return all(named) or not any(named)


def _with_shared_time(
    parts: Sequence[str], now: datetime, zone: ZoneInfo
) -> tuple[Piece, ...] | None:
    """``parts``, with the time for those that have none; None where it is open which."""
    said = [_time_words(part, now, zone) for part in parts]
    if any(_is_time_alone(part, now, zone) for part in parts):
        return None
    shared = {words.lower() for words in said if words}
    if not shared or all(said):
        return tuple(map(Piece, parts))
    if len(shared) > 1:
        return None
    words = next(words for words in said if words)
    return tuple(Piece(part, "" if own else words) for part, own in zip(parts, said, strict=True))


def _time_words(part: str, now: datetime, zone: ZoneInfo) -> str:
    spans = read_times(part, now, zone).spans
    return " ".join(part[start:end].strip().removesuffix("'s") for start, end in spans)


def _is_time_alone(part: str, now: datetime, zone: ZoneInfo) -> bool:
    rest = part
    for start, end in reversed(read_times(part, now, zone).spans):
        rest = rest[:start] + rest[end:]
    return not re.search(r"[A-Za-z]{2,}", _SAYS_NOTHING.sub("", rest))
