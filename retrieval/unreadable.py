"""Texts that no rule is run over: empty, endless, broken, out of scope, or of an untold time."""

import re

from retrieval.question_text import QuestionText
from retrieval.site_words import refusal_in
from retrieval.understanding import Why, stop

LONGEST_QUESTION = 2000
"""Characters; nobody's question is longer, and rules are run over all of them."""
_OF_ITS_OWN = re.compile(
    r"\b(?:its|their|the\s+jobs?'s?)\s+(?:very\s+)?(?:last|first|final)\s+"
    r"(?:\w+\s+)?(?:seconds?|minutes?|hours?|days?|weeks?)\b",
    re.IGNORECASE,
)
"""A time that is counted from the end or start of a thing, and not from now."""


def refuse_unreadable(text: str) -> None:
    """Raises ReadingStops, for the asker, where ``text`` cannot be read at all."""
    if not text.strip():
        raise stop(Why.NOT_UNDERSTOOD, "The question is empty. Ask me something in plain words.")
    if len(text) > LONGEST_QUESTION:
        raise stop(
            Why.NOT_UNDERSTOOD,
            f"The question has {len(text)} characters; I read up to {LONGEST_QUESTION}."
            " Please shorten it.",
        )
    own = _OF_ITS_OWN.search(text)
    if own is not None:
        raise stop(
            Why.NOT_UNDERSTOOD,
            f"I do not know when '{own.group()}' was. Please name the time, or an event, as in"
            " 'in the hour before job 7 ended'.",
        )
    if any(ord(c) < 32 and c not in "\n\r\t" for c in text):
        raise stop(
            Why.NOT_UNDERSTOOD,
            "The question holds control characters. Please type it as plain text.",
        )


def refuse_unanswerable(text: str) -> None:
    """Raises ReadingStops where ``text`` cannot be read, or asks what no data can answer."""
    refuse_unreadable(text)
    refusal = refusal_in(QuestionText(text))
    if refusal is not None:
        raise stop(Why.OUT_OF_SCOPE, refusal.text)
