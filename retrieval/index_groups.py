"""Numbered parts in a text: "GPU-0 to 3", "fan 0_0", "ps0 and ps1", "pumps P101, P102"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_NOUNS = frozenset(
    {
        "core",
        "cpu",
        "dimm",
        "fan",
        "gpu",
        "line",
        "meter",
        "phase",
        "ps",
        "psu",
        "pump",
        "sensor",
        "socket",
        "valve",
    }
)
_SELF_NUMBERED = frozenset({"p", "ty", "l"})
NUMBERED = _NOUNS | _SELF_NUMBERED
"""The words that a numbered part can begin with."""
_BARE = re.compile(r"[\s\-_#(]{0,3}")
_RANGE = re.compile(r"\s?(?:[-\u2013\u2014]|\.\.|\u2026)\s?")
_LIST = re.compile(r"\s*[,&/+]\s*")
_JOINS = frozenset({"and", "or"})
_THROUGH = frozenset({"to", "through"})
_MONTHS = frozenset(
    {
        "apr",
        "april",
        "aug",
        "august",
        "dec",
        "december",
        "feb",
        "february",
        "jan",
        "january",
        "jul",
        "july",
        "jun",
        "june",
        "mar",
        "march",
        "may",
        "nov",
        "november",
        "oct",
        "october",
        "sep",
        "sept",
        "september",
    }
)
_MEASURED = frozenset(
    {
        "a",
        "am",
        "c",
        "cest",
        "cet",
        "cpu",
        "day",
        "degree",
        "gb",
        "gpu",
        "h",
        "hour",
        "job",
        "kb",
        "kw",
        "mb",
        "mhz",
        "min",
        "minute",
        "month",
        "nd",
        "node",
        "percent",
        "pm",
        "rack",
        "rd",
        "rpm",
        "second",
        "st",
        "th",
        "utc",
        "v",
        "w",
        "watt",
        "week",
        "°c",
    }
)


@dataclass(frozen=True, slots=True)
class Group:
    """A noun with the indices that are named with it."""

    noun: str
    indices: tuple[str, ...]
    last: int
    """Place of its last token."""


@dataclass(frozen=True, slots=True)
class _Item:
    index: str
    last: int


class _Tokens:
    """The tokens of a text: their words, as written, and what stands before each."""

    def __init__(self, texts: Sequence[str], raws: Sequence[str], gaps: Sequence[str]) -> None:
        self.texts = texts
        self.raws = raws
        self.gaps = gaps

    def text(self, place: int) -> str:
        return self.texts[place] if 0 <= place < len(self.texts) else ""

    def gap(self, place: int) -> str:
        return self.gaps[place] if 0 <= place < len(self.gaps) else ""

    def raw(self, place: int) -> str:
        return self.raws[place] if 0 <= place < len(self.raws) else ""


def group_at(
    texts: Sequence[str], raws: Sequence[str], gaps: Sequence[str], place: int
) -> Group | None:
    """The noun with its indices that begins at a token, or None where none is numbered."""
    tokens = _Tokens(texts, raws, gaps)
    noun = _noun_at(tokens, place)
    if noun is None:
        return None
    first = _item(tokens, noun, place + (0 if _self_numbered(tokens, place) else 1))
    if first is None:
        return None
    items = [first.index]
    last = first.last
    while True:
        more = _continued(tokens, noun, last, items[-1])
        if more is None:
            break
        items += [index for index in more[0] if index not in items]
        last = more[1]
    return Group(noun, tuple(items), last)


def _noun_at(tokens: _Tokens, place: int) -> str | None:
    text = tokens.text(place)
    if text == "p" and tokens.gap(place + 1) == "":
        number = tokens.text(place + 1)
        return "cpu" if number in ("0", "1") else "pump" if _is_pump(number) else None
    if text == "ty" and tokens.gap(place + 1) == "":
        return "valve"
    if text == "l" and tokens.gap(place + 1) == "" and tokens.text(place + 1) in ("1", "2", "3"):
        return "phase"
    if text == "meter" and tokens.text(place - 1) != "flow":
        return None
    if text not in _NOUNS:
        return None
    return {"ps": "psu", "line": "phase"}.get(text, text)


def _self_numbered(tokens: _Tokens, place: int) -> bool:
    """True where the word itself belongs to the index: P103, TY141, L1, p0."""
    return tokens.text(place) in _SELF_NUMBERED


def _is_pump(number: str) -> bool:
    return number in ("101", "102", "103", "104")


def _item(tokens: _Tokens, noun: str, place: int) -> _Item | None:
    """One index that begins at a token."""
    if not _self_numbered(tokens, place) and not _BARE.fullmatch(tokens.gap(place)):
        return None
    prefix, place = _prefix(tokens, place)
    text = tokens.text(place)
    if noun == "sensor" and tokens.raw(place) in ("A", "B", "C"):
        return _Item(tokens.raw(place), place)
    if noun == "fan":
        return _fan(tokens, place)
    if not text.isdigit() or len(text) > 3 or _is_something_else(tokens, place):
        return None
    if noun == "pump":
        number = f"10{text}" if len(text) == 1 else text
        return _Item(f"P{number}", place)
    if noun == "valve":
        return _Item(f"TY{text}" if len(text) == 3 else text, place)
    if noun == "phase":
        return _Item(f"L{text}", place)
    if noun in ("sensor", "meter") and text not in ("1", "2"):
        return None
    if len(text) > 2 or (prefix == "p" and text not in ("0", "1")):
        return None
    return _Item(str(int(text)), place)


def _prefix(tokens: _Tokens, place: int) -> tuple[str, int]:
    text = tokens.text(place)
    if text in _SELF_NUMBERED and tokens.gap(place + 1) == "" and tokens.text(place + 1).isdigit():
        return text, place + 1
    return "", place


def _fan(tokens: _Tokens, place: int) -> _Item | None:
    text = tokens.text(place)
    if re.fullmatch(r"\d\.\d", text):
        return _Item(text.replace(".", "_"), place)
    if not re.fullmatch(r"\d", text):
        return None
    if tokens.text(place + 1) != "rpm" and _is_something_else(tokens, place):
        return None
    second = tokens.text(place + 1)
    if re.fullmatch(r"[_/-]", tokens.gap(place + 1)) and re.fullmatch(r"\d", second):
        return _Item(f"{text}_{second}", place + 1)
    return _Item(text, place)


def _is_something_else(tokens: _Tokens, place: int) -> bool:
    """True for a number that a time, a date or a unit follows."""
    gap, following = tokens.gap(place + 1), tokens.text(place + 1)
    if gap.startswith(("%", " %", "°", " °", ":")):
        return True
    return gap.strip(" ") == "" and following in _MONTHS | _MEASURED


def _continued(tokens: _Tokens, noun: str, last: int, before: str) -> tuple[list[str], int] | None:
    """Further indices of a list or range after the item that ends at ``last``."""
    place = last + 1
    gap, text = tokens.gap(place), tokens.text(place)
    through = bool(_RANGE.fullmatch(gap)) and noun != "fan"
    if text in _THROUGH and gap == " ":
        through, place = True, place + 1
    elif text in _JOINS and gap.strip(" ,") == "":
        place += 1
    elif not through and not _LIST.fullmatch(gap):
        return None
    start = place
    if _noun_at(tokens, place) == noun and not _self_numbered(tokens, place):
        place += 1
    elif place == start and not through and not _LIST.fullmatch(gap) and tokens.gap(place) != " ":
        return None
    item = _item_after_mark(tokens, noun, place)
    if item is None:
        return None
    return (_between(before, item.index) if through else [item.index]), item.last


def _item_after_mark(tokens: _Tokens, noun: str, place: int) -> _Item | None:
    """An index after a list mark, which stands in the gap before it."""
    gaps = list(tokens.gaps)
    if place < len(gaps):
        gaps[place] = ""
    return _item(_Tokens(tokens.texts, tokens.raws, gaps), noun, place)


def _between(first: str, last: str) -> list[str]:
    one, other = re.fullmatch(r"([A-Z]*)(\d+)", first), re.fullmatch(r"([A-Z]*)(\d+)", last)
    if one is None or other is None or int(other[2]) - int(one[2]) not in range(1, 40):
        return [last]
    return [f"{one[1]}{number}" for number in range(int(one[2]) + 1, int(other[2]) + 1)]
