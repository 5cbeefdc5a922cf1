"""Rules for times that an extreme gives: the hour of the highest load, when the power peaked."""

import re
from dataclasses import dataclass

from retrieval.question_text import QuestionText

_HIGH = r"(?:most|highest|maximum|max|peak(?:ed|s)?|greatest|largest)"
_LOW = r"(?:least|lowest|minimum|min|smallest)"
_ANY = rf"(?:(?:at\s+)?(?:its|their|the)\s+)?(?:{_HIGH}|(?P<low>{_LOW}))"
_HOUR = re.compile(
    r"\b(?:during|in|over|for|within)\s+the\s+hour\s+(?:when|of|with|in\s+which|that)\b"
    rf"(?=[^?.]*\b(?:{_HIGH}|{_LOW})\b)"
)
_MOMENT = re.compile(
    rf"\b(?:when|while|as|at\s+the\s+(?:moment|time)\s+(?:when|of|that))(?=\s[^?.]*\b(?:{_HIGH}|{_LOW})\b)"
)
_EXTREME = re.compile(rf"\b(?:(?:was|were|hit|reached|had)\s+)?{_ANY}\b")
_VALUE_OF = re.compile(
    r"\A\s*(?:(?:what|how\s+(?:high|hot|warm|cold|large|much|fast))\s+(?:was|were|is|are)\b"
    r"(?!\s+the\s+times?\b))[^?.]*?(?<!and\s)\bwhen\b"
)
"""What asks for a value, and gives its time by another's extreme."""
_ITSELF = re.compile(r"\s+(?:it|they)\b")
_ABOUT_JOBS = re.compile(r"\b(?:jobs?|users?|who)\b")


@dataclass(frozen=True, slots=True)
class ExtremeWords:
    """What a question says of a time that the extreme of another quantity gives."""

    at: int = -1
    """Where the words begin; -1 where there are none."""
    hour: bool = False
    """True for the hour with the highest mean, False for the moment of the highest sample."""
    highest: bool = True


def extreme_words(text: QuestionText) -> ExtremeWords:
    """The extreme by which ``text`` gives its time, claimed; empty where it has none.

    A moment is read where jobs or a value are asked for: "tell me when the power peaked" asks for
    the time itself.
    """
    lead = text.take(_HOUR)
    hour = lead is not None
    if lead is None:
        about_jobs = _ABOUT_JOBS.search(text.lower)
        lead = next(text.search(_MOMENT), None)
        of_jobs = about_jobs is not None and lead is not None and about_jobs.start() < lead.start()
        if lead is None or not (of_jobs or _gives_time(text, lead.end())):
            return ExtremeWords()
        text.claim(lead.span())
    for match in text.search(_EXTREME):
        if match.start() >= lead.end():
            text.claim(match.span())
            return ExtremeWords(lead.start(), hour, match["low"] is None)
    return ExtremeWords(lead.start(), hour)


def _gives_time(text: QuestionText, behind: int) -> bool:
    """Whether a value is asked for, and "when", which ends at ``behind``, is of something else."""
    asks = _VALUE_OF.match(text.lower, 0, behind) is not None
    return asks and _ITSELF.match(text.lower, behind) is None
