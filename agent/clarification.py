"""A person's reply to a question back, matched with the choices that were offered."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[a-z0-9]+")
_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
_YES = frozenset({"yes", "y", "yes please", "yes, please", "correct", "right", "exactly", "ok"})
_PLAIN = frozenset(
    "the one ones please option number a of and i mean it on for at as to by them all just only"
    " counter counters metric metrics sensor sensors reading readings value values".split()
)
_MEASURES = frozenset(
    "average averages averaged mean means avg median max maximum highest peak min minimum lowest"
    " hourly daily".split()
)
_SAME = {
    "weather": "outdoor",
    "outside": "outdoor",
    "temp": "temperature",
    "mem": "memory",
    "processor": "cpu",
    "ram": "dimm",
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The choice that a reply makes."""

    id: str
    more: str = ""
    """What else it asks for: "the average"."""


def choice_in(text: str, choices: Sequence[tuple[str, str]], question: str = "") -> Chosen | None:
    """The choice that ``text`` makes; None where it makes none, or several.

    Taken are "yes" to the only one, an id or label as it stands, a position ("2", "the second
    one"), or words that fit one choice alone. Of other words only those of ``question``, which was
    asked back about, and measures are allowed: any further one may make it a new question.
    """
    reply = text.strip().lower().rstrip(".!")
    for choice_id, label in choices:
        if reply in (choice_id.lower(), label.lower()):
            return Chosen(choice_id)
    ids = [choice_id for choice_id, _ in choices]
    if reply in _YES and (len(ids) == 1 or "yes" in ids):
        return Chosen("yes" if "yes" in ids else ids[0])
    words = [_SAME.get(w, w) for w in _WORD.findall(reply) if w not in _PLAIN]
    if len(words) == 1 and words[0].isdecimal() and 1 <= int(words[0]) <= len(choices):
        return Chosen(choices[int(words[0]) - 1][0])
    if len(words) == 1 and words[0] in _ORDINALS and _ORDINALS[words[0]] < len(choices):
        return Chosen(choices[_ORDINALS[words[0]]][0])
    if not words:
        return None
    named = {
        choice_id: {_SAME.get(w, w) for w in _WORD.findall(f"{label} {choice_id}".lower())}
        for choice_id, label in choices
    }
    winners = [choice_id for choice_id, label in named.items() if set(words) <= label]
    if winners:
        return Chosen(winners[0]) if len(winners) == 1 else None
    return _with_more(words, named, set(_WORD.findall(question.lower())))


def _with_more(
    words: Sequence[str], named: dict[str, set[str]], repeated: set[str]
) -> Chosen | None:
    """A choice beside which a measure is named, or words of the question are repeated."""
    shared = set.intersection(*named.values()) if named else set()
    hits = {choice_id: (set(words) & label) - shared for choice_id, label in named.items()}
    best = max(hits.values(), key=len)
    winners = [choice_id for choice_id, hit in hits.items() if hit == best]
    if not best or len(winners) > 1 or any(not hit <= best for hit in hits.values()):
        return None
    rest = [w for w in words if w not in named[winners[0]]]
    more = [w for w in rest if w in _MEASURES]
    if any(w not in _MEASURES and w not in repeated for w in rest):
        return None
    return Chosen(winners[0], " ".join(w for w in more if w not in repeated))
