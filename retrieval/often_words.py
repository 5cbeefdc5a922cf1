"""Rules for how often something must have happened: "more than once", "at least 3 times"."""

import re

from retrieval.measures import Comparison, Condition
from retrieval.question_text import NUMBER, QuestionText, number_of

_TIMES = (
    r"(?:(?:separate|different|distinct)\s+)?(?:times|occasions)\b"
    r"(?!\s+(?:the|its|their|that|as|more|higher|lower|of)\b)"
)
_NUMBER = rf"(?P<number>{NUMBER})\s+{_TIMES}"
_LEAD = r"\b(?:on\s+)?"
_PHRASES: tuple[tuple[str, Comparison, float | None], ...] = (
    (r"more\s+(?:often\s+)?than\s+once|several\s+times|repeatedly", Comparison.ABOVE, 1),
    (r"more\s+(?:often\s+)?than\s+twice", Comparison.ABOVE, 2),
    (r"at\s+least\s+twice|(?<!than\s)twice\s+or\s+more(?:\s+often)?", Comparison.AT_LEAST, 2),
    (r"(?:exactly|only)\s+once", Comparison.EQUAL, 1),
    (r"exactly\s+twice", Comparison.EQUAL, 2),
    (rf"(?:more\s+than|over)\s+{_NUMBER}", Comparison.ABOVE, None),
    (rf"(?:at\s+least|no\s+less\s+than)\s+{_NUMBER}", Comparison.AT_LEAST, None),
    (rf"{_NUMBER}\s+or\s+more", Comparison.AT_LEAST, None),
)  # fmt: skip
_RULES = tuple(
    (re.compile(rf"{_LEAD}(?:{phrase})\b"), comparison, number)
    for phrase, comparison, number in _PHRASES
)


def often_words(text: QuestionText) -> Condition | None:
    """How often something must have happened by ``text``, claimed; None where it does not say.

    "At most" is not read: who never did so is not among the periods.
    """
    for pattern, comparison, fixed in _RULES:
        match = text.take(pattern)
        if match is None:
            continue
        words = match.group().strip()
        number = fixed if fixed is not None else number_of(match["number"])
        return Condition(comparison, number, words=words)
    return None
