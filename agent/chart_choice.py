"""Finds the words of a question that ask for a chart, and which chart they ask for."""

import re
from dataclasses import dataclass

from agent.chart import ChartKind
from agent.chart_edges import ABOUT, AFTER, BEFORE, DAYS, TAIL
from agent.chart_words import (
    AGAINST,
    CORRELATION,
    CORRELATION_OF_TWO,
    KINDS,
    NOT_A_CHART,
    NOUN,
    OVER_TIME,
    REFUSED,
    VERB,
    WANTS_FILE,
    WEAK,
)

_Found = tuple[tuple[int, int], ChartKind | None]
_REACH = 200
"""How many characters before the name of a chart may belong to the wish."""
_OF = re.compile(r"[\s]+of\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ChartWish:
    """What a question says about a chart.

    ``kind`` is None where a chart is wanted but none is named. ``spans`` are the places, in
    characters, of all words that speak of the chart, in order and apart from each other.
    """

    kind: ChartKind | None = None
    spans: tuple[tuple[int, int], ...] = ()
    wants_chart: bool = False
    kinds: tuple[ChartKind, ...] = ()
    """All kinds that are named, the first being ``kind``."""
    correlation: bool = False
    """The words of the chart ask for correlations."""

    def covered(self, text: str) -> tuple[str, ...]:
        """The words at the spans."""
        return tuple(text[start:end] for start, end in self.spans)


def chart_words(text: str) -> ChartWish:
    """The wish for a chart in ``text``."""
    refused = [match.span() for match in REFUSED.finditer(text)]
    taken = refused + [match.span() for match in NOT_A_CHART.finditer(text)]
    found = _named(text, taken)
    asked = bool(found)
    if not found or all(kind is None for _, kind in found):
        found += _weak(text, taken, asked=asked)
    if not found:
        return ChartWish(spans=joined(text, refused))
    spans = [_widened(text, span, is_weak=not asked) for span, _ in found]
    kinds = tuple(dict.fromkeys(kind for _, kind in sorted(found) if kind is not None))
    kinds = kinds or _implied(text)
    covered = joined(text, [*spans, *refused])
    return ChartWish(
        kind=kinds[0] if kinds else None,
        spans=covered,
        wants_chart=asked or not WANTS_FILE.search(text),
        kinds=kinds,
        correlation=any(CORRELATION.search(text[start:end]) for start, end in covered),
    )


def _named(text: str, taken: list[tuple[int, int]]) -> list[_Found]:
    found: list[_Found] = []
    for kind, pattern in KINDS:
        for match in pattern.finditer(text):
            if not _overlaps(match.span(), taken):
                found.append((match.span(), kind))
                taken.append(match.span())
    for pattern in (VERB, NOUN):
        for match in pattern.finditer(text):
            if not _overlaps(match.span(), taken):
                found.append((match.span(), _kind_of_object(text, match.end())))
                taken.append(match.span())
    return sorted(found, key=lambda item: item[0])


def _kind_of_object(text: str, end: int) -> ChartKind | None:
    """The kind that the words right after a verb such as "plot" imply."""
    about = ABOUT.match(text, end)
    if about is None:
        return None
    words = about.group().lower()
    if "distribution" in words or "histogram" in words:
        return ChartKind.HISTOGRAM
    if "correlation" in words:
        return ChartKind.HEATMAP
    return None if "breakdown" in words else ChartKind.LINE


def _weak(text: str, taken: list[tuple[int, int]], *, asked: bool) -> list[_Found]:
    found: list[_Found] = []
    for kind, pattern in WEAK:
        for match in pattern.finditer(text):
            if not _overlaps(match.span(), taken):
                found.append((match.span(), kind))
                if not asked:
                    return found
    return found[:1]


def _implied(text: str) -> tuple[ChartKind, ...]:
    if OVER_TIME.search(text):
        return (ChartKind.LINE,)
    of_two = AGAINST.search(text) or CORRELATION_OF_TWO.search(text)
    return (ChartKind.SCATTER,) if of_two else ()


def _widened(text: str, span: tuple[int, int], *, is_weak: bool) -> tuple[int, int]:
    start, end = span
    before = BEFORE.search(text, max(0, start - _REACH), start)
    if before is not None:
        start = before.start()
    if is_weak:
        of = _OF.match(text, end)
        return start, of.end() if of else end
    is_last_clause = _follows_content(text, start, span[0])
    tail = TAIL.match(text, end) if is_last_clause else None
    if tail is not None:
        end = tail.end()
    about = ABOUT.match(text, end)
    if about is not None and VERB.fullmatch(text[span[0] : span[1]]):
        end = about.end()
    while True:
        after = AFTER.match(text, end) or (DAYS.match(text, end) if is_last_clause else None)
        if after is None or after.end() == end:
            return start, end
        end = after.end()


def _follows_content(text: str, start: int, nucleus: int) -> bool:
    """Whether the words of the chart are a clause of their own after at least three words."""
    opening = text[start:nucleus].lstrip().lower()
    return len(text[:start].split()) >= 3 and opening.startswith(("and", "then", ",", ";"))


def _overlaps(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def joined(text: str, spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The spans in order, those that touch made one, without white space at their ends."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and not text[merged[-1][1] : start].strip() and start >= merged[-1][0]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    trimmed = []
    for start, end in merged:
        words = text[start:end]
        left = len(words) - len(words.lstrip())
        trimmed.append((start + left, start + len(words.rstrip())))
    return tuple(trimmed)
