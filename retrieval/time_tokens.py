"""A text cut into words, numbers and signs that know where they stand."""

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache, partial, wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

from retrieval.time_words import FOLLOWERS, NAMING_NOUNS

_TOKEN = re.compile(r"\d+|[^\W\d_]+|\S")
_DASHES = frozenset("-–—‐‑‒―−")  # noqa: RUF001 (every dash that people type between two times)
_QUOTES = frozenset("'’‘`")  # noqa: RUF001
_STOPS = frozenset(".,;:?!)]}-\"'")
_CHAIN = frozenset({",", "and", "or", "to", "-", "&", "/"})
_LONGEST_NUMBER = 6
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or sign."""

    text: str
    """Lower case; every dash is ``-`` and every apostrophe ``'``."""
    raw: str
    start: int
    end: int
    glued: bool
    """No space lies before it."""
    number: int | None


def _plain(raw: str) -> str:
    if raw in _DASHES:
        return "-"
    return "'" if raw in _QUOTES else raw.lower()


@cache
def _by_first(phrases: tuple[str, ...]) -> dict[str, list[list[str]]]:
    return _grouped(phrases, 0)


@cache
def _by_last(phrases: tuple[str, ...]) -> dict[str, list[list[str]]]:
    return _grouped(phrases, -1)


def _grouped(phrases: tuple[str, ...], place: int) -> dict[str, list[list[str]]]:
    groups: dict[str, list[list[str]]] = {}
    for parts in (phrase.split(" ") for phrase in phrases):
        groups.setdefault(parts[place], []).append(parts)
    return groups


class Words:
    """The tokens of a text; any index may be asked, those outside hold nothing."""

    def __init__(self, text: str) -> None:
        tokens: list[Token] = []
        end = -1
        for match in _TOKEN.finditer(text):
            raw = match[0]
            value = int(raw) if raw[0].isdecimal() and len(raw) <= _LONGEST_NUMBER else None
            tokens.append(
                Token(_plain(raw), raw, match.start(), match.end(), match.start() == end, value)
            )
            end = match.end()
        self._tokens = tuple(tokens)
        self._named = self._numbers_in_names()
        self._memory: dict[Hashable, object] = {}

    def __len__(self) -> int:
        return len(self._tokens)

    def at(self, i: int) -> str:
        """The plain text of a token, or ``""``."""
        return self._tokens[i].text if 0 <= i < len(self._tokens) else ""

    def raw(self, i: int) -> str:
        """The token as it was typed, or ``""``."""
        return self._tokens[i].raw if 0 <= i < len(self._tokens) else ""

    def number(self, i: int) -> int | None:
        """The value of a number of up to six digits."""
        return self._tokens[i].number if 0 <= i < len(self._tokens) else None

    def digits(self, i: int) -> int:
        """How many digits the number at ``i`` has; 0 if it is none."""
        return len(self._tokens[i].raw) if self.number(i) is not None else 0

    def glued(self, i: int) -> bool:
        """Whether the token follows the one before it without a space."""
        return 0 < i < len(self._tokens) and self._tokens[i].glued

    def after(self, i: int, *phrases: str) -> int:
        """The index past the first of the phrases that starts at ``i``, or ``i``."""
        for parts in _by_first(phrases).get(self.at(i), ()):
            if all(self.at(i + step) == part for step, part in enumerate(parts)):
                return i + len(parts)
        return i

    def before(self, i: int, *phrases: str) -> int:
        """The index at which the first of the phrases that end before ``i`` starts, or ``i``."""
        for parts in _by_last(phrases).get(self.at(i - 1), ()):
            first = i - len(parts)
            if all(self.at(first + step) == part for step, part in enumerate(parts)):
                return first
        return i

    def recall(self, key: Hashable, read: Callable[[], T]) -> T:
        """What ``read`` gave for the key the first time."""
        if key not in self._memory:
            self._memory[key] = read()
        return cast("T", self._memory[key])

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The characters of the tokens ``first`` to ``last``, the latter left out."""
        return self._tokens[first].start, self._tokens[last - 1].end

    def ends_phrase(self, i: int) -> bool:
        """Whether nothing at ``i`` could be counted or measured by a number before it."""
        word = self.at(i)
        if word in {".", ",", ":"} and self.glued(i + 1) and self.number(i + 1) is not None:
            return False
        if word == "-" and self.glued(i):
            return False
        return not word or word in _STOPS or (word in FOLLOWERS and not self.glued(i))

    def is_name(self, i: int) -> bool:
        """Whether the number at ``i`` belongs to a noun or name: ``node 5``, ``Gpu0``, ``9,5``."""
        if self.glued(i):
            before = self.at(i - 1)
            if before.isalpha() and before != "t":
                return True
            if before in {"_", "=", "#", "@", "$", "€"}:
                return True
            if before in {".", ",", ":"} and self.number(i - 2) is not None and self.glued(i - 1):
                return True
        back = i - 1
        while self.at(back) in {"#", "=", "-", ":"}:
            back -= 1
        return self.at(back) in NAMING_NOUNS

    def is_in_names(self, i: int) -> bool:
        """Whether a list of numbers that reaches ``i`` starts with a noun: ``racks 8, 9, 10``."""
        return i in self._named

    def _numbers_in_names(self) -> frozenset[int]:
        named: set[int] = set()
        for i, token in enumerate(self._tokens):
            if token.number is None:
                continue
            back = i - 1
            while self.at(back) in _CHAIN and back > i - 5:
                back -= 1
            if self.is_name(i) or (back < i - 1 and back in named):
                named.add(i)
        return frozenset(named)


def remembered(
    read: Callable[Concatenate[Words, int, P], T],
) -> Callable[Concatenate[Words, int, P], T]:
    """A reader of what starts at a token that reads each token of a text only once."""

    @wraps(read)
    def recalled(words: Words, i: int, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return words.recall(
            (read, i, args, *kwargs.values()), partial(read, words, i, *args, **kwargs)
        )

    return recalled
