"""The words of a text in one spelling, with their places, articles and fillers left out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from retrieval.index_groups import NUMBERED, Group, group_at
from retrieval.word_lists import (
    ARTICLES,
    BE,
    COMPOUNDS,
    CONJUNCTIONS,
    COUNTED_THINGS,
    HEADS,
    IT_HEADS,
    KEPT_S,
    NUMBER_WORDS,
    PARTICIPLES,
    PREPOSITIONS,
    SHOWN,
    SPELLINGS,
    UNITS,
    USE,
)

BREAK = "|"
AND = "and"
OF = "of"

_TOKEN = re.compile(r"Q\d{3}\b|°?[A-Za-zµ°]+|\d+(?:\.\d+)?")
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s?\b")
_SENTENCE_END = re.compile(r"[.;:?!\n]|\s[-\u2013\u2014]\s")
_LIST_MARK = re.compile(r"[,/&+]")

_SPENT = ("power", "energy")
_COMPOUND_STARTS = frozenset(words[0] for words, _ in COMPOUNDS)


@dataclass(frozen=True, slots=True)
class Word:
    """One word in its one spelling; ``and``, ``of`` and ``|`` stand for all of their kind."""

    text: str
    start: int
    end: int
    indices: tuple[str, ...] = ()
    """"GPU 0 and 1" is the word ``gpu`` with the indices 0 and 1."""


class _Token(NamedTuple):
    text: str
    raw: str
    start: int
    end: int
    gap: str


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text in one spelling, in order, with their places in it."""
    tokens = _compounds(_spelled(text))
    return tuple(_merged(_grouped(tokens)))


def phrase_key(phrase: str) -> tuple[str, ...]:
    """What a phrase is looked up by: its words without places."""
    return tuple(word.text for word in words_of(phrase) if word.text != BREAK)


def _spelled(text: str) -> list[_Token]:
    plain = _POSSESSIVE.sub(lambda found: " " * len(found[0]), text)
    tokens = []
    end = 0
    for found in _TOKEN.finditer(plain):
        raw = found[0]
        tokens.append(
            _Token(_spelling(raw), raw, found.start(), found.end(), text[end : found.start()])
        )
        end = found.end()
    return tokens


def _spelling(raw: str) -> str:
    if raw in ("IT", "ICT"):
        return "ict"
    if raw[-1].isdigit() and raw[0] == "Q":
        return "panel"
    folded = raw.lower()
    if folded in SPELLINGS:
        return SPELLINGS[folded]
    one = _singular(folded)
    return SPELLINGS.get(one, one)


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word in KEPT_S or word.endswith(("ss", "us")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches")):
        return word[:-2]
    return word[:-1]


def _compounds(tokens: list[_Token]) -> list[_Token]:
    joined: list[_Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        for words, name in COMPOUNDS if token.text in _COMPOUND_STARTS else ():
            part = tokens[place : place + len(words)]
            if tuple(t.text for t in part) == words and not _parted(part):
                token = _Token(name, name, token.start, part[-1].end, token.gap)
                place += len(words) - 1
                break
        joined.append(token)
        place += 1
    return joined


def _parted(part: list[_Token]) -> bool:
    return any(_SENTENCE_END.search(t.gap) or "," in t.gap for t in part[1:])


def _grouped(tokens: list[_Token]) -> Iterator[Word]:
    """Words with their index groups closed, marks between them, articles left out."""
    texts = [t.text for t in tokens]
    raws = [t.raw for t in tokens]
    gaps = [t.gap for t in tokens]
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if place and _SENTENCE_END.search(token.gap) and not _is_minus(tokens[place - 1], token):
            yield Word(BREAK, token.start, token.start)
        elif place and _LIST_MARK.search(token.gap):
            yield Word(AND, token.start, token.start)
        group: Group | None = None
        if token.text in NUMBERED:
            group = group_at(texts, raws, gaps, place)
        if group is not None:
            yield Word(group.noun, token.start, tokens[group.last].end, group.indices)
            place = group.last + 1
            continue
        following = texts[place + 1] if place + 1 < len(tokens) else ""
        word = _kept(token, following)
        if word:
            yield Word(word, token.start, token.end)
        place += 1


def _is_minus(before: _Token, token: _Token) -> bool:
    """True for the mark of "100 - idle"."""
    return before.text.isdigit() and token.gap in (" - ", " \u2013 ") and token.raw.isalpha()


def _kept(token: _Token, following: str) -> str:
    text = token.text
    if text in ARTICLES or (text in NUMBER_WORDS and following in COUNTED_THINGS):
        return ""
    if text in UNITS and "(" in token.gap:
        return ""
    if text in PREPOSITIONS:
        return OF
    if text in CONJUNCTIONS:
        return AND
    if text == "it" and following in IT_HEADS:
        return "ict"
    return text


def _merged(words: Iterator[Word]) -> list[Word]:
    """Fillers joined to what they fill: "power was consumed by" is ``power of``."""
    kept: list[Word] = []
    taken = list(words)
    for place, word in enumerate(taken):
        last = kept[-1] if kept else None
        following = taken[place + 1].text if place + 1 < len(taken) else ""
        if last is None:
            kept.append(word)
        elif word.text in (OF, AND) and last.text == word.text:
            continue
        elif _says_nothing(last.text, word.text):
            kept[-1] = Word(last.text, last.start, word.end, last.indices)
        elif last.text in _SPENT and word.text in BE and following in PARTICIPLES:
            continue
        elif _is_of(last.text, word.text, taken[place - 1].text):
            kept.append(Word(OF, word.start, word.end))
        else:
            kept.append(word)
    return kept


def _says_nothing(before: str, word: str) -> bool:
    """True for "consumption" after power, "reading" after temperature."""
    return (before in _SPENT and word in USE) or (before in HEADS and word in SHOWN)


def _is_of(before: str, word: str, written_before: str) -> bool:
    """True for "does" of "power does the chiller use", "by" of "used by"."""
    asks = before in _SPENT and word in ("do", "did", "doe", "does")
    return asks or (word == "by" and written_before in PARTICIPLES)
