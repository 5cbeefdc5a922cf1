"""The table of phrases with the quantity that each means, and its verdicts."""

import csv
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from retrieval.metric_matcher import AmbiguousMetric, Grounded, Matched, MetricMatcher
from retrieval.request import EntityKind

ASK = "ask"
NONE = "none"


class Verdict(StrEnum):
    """How a match stands to what was expected."""

    RIGHT = "right"
    CAUTIOUS = "cautious"
    WRONG = "wrong"


@dataclass(frozen=True)
class Row:
    """A phrase, the kinds of thing that the question names, and what it means."""

    phrase: str
    owners: frozenset[EntityKind]
    expected: str


def rows() -> list[Row]:
    """All rows of the table."""
    file = Path(__file__).parent / "metric_phrases.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        return [
            Row(
                row["phrase"],
                frozenset(EntityKind(kind) for kind in row["owners"].split(";") if kind),
                row["expected"],
            )
            for row in csv.DictReader(lines)
        ]


def got(matched: Matched) -> str:
    """The id of the quantity, "ask" or "none"."""
    if isinstance(matched, Grounded):
        return matched.quantity.id
    return ASK if isinstance(matched, AmbiguousMetric) else NONE


def verdict(row: Row, matcher: MetricMatcher) -> tuple[Verdict, str]:
    """Wrong is only what was accepted and is not meant."""
    found = got(matcher.match(row.phrase, row.owners))
    if found == row.expected:
        return Verdict.RIGHT, found
    return (Verdict.CAUTIOUS if found in (ASK, NONE) else Verdict.WRONG), found
