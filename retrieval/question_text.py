"""A question as text that rules read: folded, with a record of which parts were understood."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

Span = tuple[int, int]

_FOLDED = str.maketrans(
    {
        **dict.fromkeys(map(chr, (0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212)), "-"),
        **dict.fromkeys(map(chr, (0x2018, 0x2019)), "'"),
        **dict.fromkeys(map(chr, (0x201C, 0x201D)), '"'),
        **dict.fromkeys(map(chr, (0x00A0, 0x202F, 0x2009, 9, 10, 13)), " "),
    }
)
_WORD = re.compile(r"[^\W_]+(?:[-'./:_][^\W_]+)*|[<>=≥≤%°]+", re.UNICODE)

NUMBER_WORDS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
    "zero": 0,
}
NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|{'|'.join(NUMBER_WORDS)})"
"""A pattern for a number in digits or words."""


_MARK = "\u2016"


def unmasked(words: str) -> str:
    """``words`` of a text that was masked, as people see them."""
    return " ".join(words.replace(_MARK, " ").split())


def number_of(words: str) -> float:
    """The number that ``words``, matched by NUMBER, stands for."""
    folded = words.lower()
    return float(NUMBER_WORDS[folded]) if folded in NUMBER_WORDS else float(words.replace(",", ""))


@dataclass
class QuestionText:
    """One question while it is read: each rule claims the characters that it understood."""

    original: str
    claims: list[Span] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Fold dashes, quotes and blanks without moving any character."""
        self.folded = self.original.translate(_FOLDED)
        self.lower = (
            self.folded.lower()
            if len(self.folded.lower()) == len(self.folded)
            else ("".join(c.lower() if len(c.lower()) == 1 else c for c in self.folded))
        )

    def claim(self, span: Span) -> None:
        """Record that the characters of ``span`` are understood."""
        self.claims.append(span)

    def is_free(self, span: Span) -> bool:
        """Whether no rule has claimed any character of ``span`` yet."""
        return not any(start < span[1] and span[0] < end for start, end in self.claims)

    def search(self, pattern: "re.Pattern[str]") -> Iterator["re.Match[str]"]:
        """Matches of ``pattern`` in the lower-case text that no rule has claimed.

        Behind a match that is partly claimed the search goes on with its next character.
        """
        position = 0
        while (match := pattern.search(self.lower, position)) is not None:
            if match.end() == match.start():
                position = match.end() + 1
            elif self.is_free(match.span()):
                yield match
                position = match.end()
            else:
                position = match.start() + 1

    def take(self, pattern: "re.Pattern[str]") -> "re.Match[str] | None":
        """The first free match of ``pattern``, claimed; None where there is none."""
        for match in self.search(pattern):
            self.claim(match.span())
            return match
        return None

    def take_all(self, pattern: "re.Pattern[str]") -> list["re.Match[str]"]:
        """All free matches of ``pattern``, claimed."""
        matches = []
        for match in self.search(pattern):
            self.claim(match.span())
            matches.append(match)
        return matches

    def has(self, pattern: "re.Pattern[str]") -> bool:
        """Whether ``pattern`` occurs anywhere, claimed or not."""
        return pattern.search(self.lower) is not None

    def without(self, spans: Iterable[Span], mark: str = _MARK) -> str:
        """The text with the characters of ``spans`` masked; every offset stays."""
        letters = list(self.folded)
        for start, end in spans:
            letters[start:end] = mark * (end - start)
        return "".join(letters)

    def leftovers(self, ignored: frozenset[str]) -> tuple[str, ...]:
        """The words that no rule claimed and that carry meaning, in order."""
        return tuple(
            self.original[m.start() : m.end()]
            for m in _WORD.finditer(self.lower)
            if self.is_free(m.span()) and m.group() not in ignored
        )
