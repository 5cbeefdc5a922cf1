"""A person's reply to a question back, matched with the choices that were offered."""

import re
from collections.abc import Sequence

_WORD = re.compile(r"[a-z0-9_]+")
_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
_PLAIN = frozenset(
    {"the", "one", "ones", "please", "option", "number", "a", "of", "and", "i", "mean", "it"}
)


def choice_in(text: str, choices: Sequence[tuple[str, str]]) -> str | None:
    """The id of the choice that ``text`` makes; None where it makes none, or several.

    Taken are an id or label as it stands, a position ("2", "the second one"), or words that all
    stand in one choice alone: any other word may make it a new question.
    """
    reply = text.strip().lower().rstrip(".!")
    for choice_id, label in choices:
        if reply in (choice_id.lower(), label.lower()):
            return choice_id
    words = [word for word in _WORD.findall(reply) if word not in _PLAIN]
    if len(words) == 1 and words[0].isdecimal() and 1 <= int(words[0]) <= len(choices):
        return choices[int(words[0]) - 1][0]
    if len(words) == 1 and words[0] in _ORDINALS and _ORDINALS[words[0]] < len(choices):
        return choices[_ORDINALS[words[0]]][0]
    if not words:
        return None
    winners = [
        choice_id
        for choice_id, label in choices
        if set(words) <= set(_WORD.findall(f"{label} {choice_id}".lower()))
    ]
    return winners[0] if len(winners) == 1 else None
