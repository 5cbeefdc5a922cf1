"""Rules for an order of the answer: "ranked by energy", "highest first", "top 10"."""

import re
from dataclasses import dataclass

from retrieval.measure_words import OWNER_NOUN, kind_of_noun
from retrieval.question_text import NUMBER, QuestionText, number_of
from retrieval.request import EntityKind

_SORTED = re.compile(
    r"\b(?:rank(?:ed|ing)?(?:\s+of)?|sort(?:ed|ing)?|ordered|order(?=\s+(?:by|the|all|them)\b))\b"
    r"(?:\s+(?:the|all|of)\b)*"
)
_THINGS = re.compile(
    rf"(?:\b(?:of|for)\s+)?\b(?:the\s+|all\s+)*(?P<noun>(?:compute\s+)?{OWNER_NOUN})\b"
)
_DOWNWARDS = re.compile(
    r"\b(?:in\s+)?(?:descending|decreasing)(?:\s+order)?\b|\b(?:highest|largest|biggest|hottest"
    r"|longest|worst)\s+first\b|\bfrom\s+(?:the\s+)?(?:highest|largest|biggest|hottest|longest)"
    r"\s+to\s+(?:the\s+)?(?:lowest|smallest|coolest|coldest|shortest)\b"
)
_UPWARDS = re.compile(
    r"\b(?:in\s+)?(?:ascending|increasing)(?:\s+order)?\b|\b(?:lowest|smallest|coolest|coldest"
    r"|shortest)\s+first\b|\bfrom\s+(?:the\s+)?(?:lowest|smallest|coolest|coldest|shortest)\s+to"
    r"\s+(?:the\s+)?(?:highest|largest|biggest|hottest|longest)\b"
)
_TOP = re.compile(
    rf"\b(?:only\s+|just\s+)?(?:the\s+)?(?P<way>top|bottom)[-\s]+(?P<n>{NUMBER})(?![\w%])"
    r"(?:\s+(?:only|instead|of\s+them))?"
)


@dataclass(frozen=True, slots=True)
class OrderWords:
    """An order of the rows, apart from a superlative over things: nothing where none is asked."""

    descending: bool | None = None
    """None where no order is asked for."""
    limit: int | None = None
    noun: EntityKind | None = None
    """What is ordered, where it is named: "rank the racks"."""

    @property
    def said(self) -> bool:
        """Whether an order or a number of rows is asked for."""
        return self.descending is not None or self.limit is not None


def order_words(text: QuestionText) -> OrderWords:
    """The order that the question asks for; claimed."""
    by = text.take(_SORTED)
    down, up = bool(text.take_all(_DOWNWARDS)), bool(text.take_all(_UPWARDS))
    top = text.take(_TOP)
    if by is None and top is None and not (down or up):
        return OrderWords()
    low = up or (top is not None and top["way"] == "bottom" and not down)
    limit = int(number_of(top["n"])) if top is not None else None
    return OrderWords(not low, limit, _things(text, by))


def _things(text: QuestionText, by: "re.Match[str] | None") -> EntityKind | None:
    """What is to be ordered: the noun behind "rank", or the first plural of the question."""
    start = by.end() if by is not None else 0
    for match in text.search(_THINGS):
        behind = by is not None and match.start() - start <= 1
        if behind or match["noun"].endswith("s"):
            text.claim(match.span())
            return kind_of_noun(match["noun"])
    return None
