"""Rules for missing samples: gaps, the longest of them, and when something last reported."""

import re

from retrieval.measures import Course
from retrieval.question_text import QuestionText

_DATA = r"(?:data|samples?|readings?|telemetry|values?|measurements?|records?|points?)"
_HOLE = r"(?:gaps?|holes?|drop-?outs?)"
_IN = rf"(?:\s+(?:in|of)\s+(?:the\s+)?(?:{_DATA})(?=\s+of\b))?"
_LONGEST = re.compile(
    rf"\b(?:the\s+)?(?:longest|largest|biggest)\s+(?:{_DATA}\s+)?{_HOLE}\b{_IN}"
    rf"|\b(?:the\s+)?longest\s+(?:time|period|stretch)\s+without(?:\s+any|\s+a)?\s+{_DATA}\b"
)
_GAPS = re.compile(
    rf"\b(?:all\s+|any\s+|every\s+|the\s+|an?\s+)*(?:{_DATA}\s+)?{_HOLE}\b(?!\s+between\b){_IN}"
    rf"|\b(?:periods?|times|intervals?|stretch(?:es)?)\s+(?:(?:in|during)\s+which\s+)?"
    rf"(?:with\s+(?:no|missing)|without(?:\s+any)?)\s+{_DATA}\b(?:\s+of\b)?"
    rf"|\bwhere\s+(?:are|is|were|was)\s+(?:there\s+)?{_DATA}\s+missing\b"
)
_NOT = r"(?:not|n't)"
_QUIET = (
    r"(?:silent|quiet|missing)"
    rf"|{_NOT}\s+(?:been\s+)?(?:report(?:ed|ing)?|send(?:ing)?|sent|deliver(?:ed|ing)?)"
    rf"(?:\s+(?:any(?:thing)?\s*)?(?:{_DATA})?)?"
)
_SINCE_WHEN = re.compile(
    rf"\b(?:since\s+when\s+(?:has|have|is|are|was|were|had)|how\s+long\s+(?:has|have|is|are))\b"
    rf"(?=[^?.]*(?:{_QUIET}))"
)
_WAS_QUIET = re.compile(rf"\b(?:been\s+|gone\s+|gon\s+)?(?:{_QUIET})\b")
_WHEN = r"\b(?:when|at\s+what\s+time)"
_LAST_SAMPLE = re.compile(
    rf"{_WHEN}\s+(?:did|has|have)\b(?=[^?.]*\blast\s+(?:report|sen[dt]|deliver|log))"
    rf"|{_WHEN}\s+(?:was|were|is)\s+(?=[^?.]*\blast\s+(?:{_DATA}|seen|heard|reported))"
    rf"|\b(?:the\s+)?(?:time|moment)\s+of\s+(?=the\s+last\s+{_DATA})"
    rf"|\b(?:what\s+(?:is|was)\s+)?(?=the\s+last\s+(?:sample|reading|record)\s+(?:of|from|for)\b)"
)
_REPORT = rf"(?:report(?:ed)?|sen[dt]|deliver(?:ed)?)(?:\s+(?:any\s+)?{_DATA})?"
_LAST = re.compile(
    rf"\b(?:the\s+)?last\s+(?:{_REPORT}|log(?:ged)?|seen|heard(?:\s+(?:of|from))?"
    rf"|{_DATA}(?:\s+(?:received|come|came|arrived?))?)\b"
)
_REPORTED_LAST = re.compile(
    rf"{_WHEN}\s+did\b(?=[^?.]*\b{_REPORT}\b)|\b(?:report|send|deliver)\b(?=[^?.]*\blast\s*[?.!]*$)"
    r"|(?<=\s)last(?=\s*[?.!]*$)"
)
"""The parts of "when did node 5 report power last", which stand apart."""
_LAST_BEHIND = re.compile(
    rf"{_WHEN}\s+did\b[^?.]*\b(?:report|send|deliver)\b[^?.]*\blast\s*[?.!]*$"
)
_WHEN_QUIET = re.compile(
    rf"(?:{_WHEN}|\b(?:for\s+)?how\s+long)\s+(?:was|were)\s+(?=[^?.]*{_QUIET})"
)
_WHEN_STOPPED = re.compile(
    rf"{_WHEN}\s+did\b(?=[^?.]*(?:\b(?:stop|cease)\s+(?:report|send|deliver)ing\b"
    rf"|\b{_NOT}\s+(?:report|send|deliver)\b))"
)
_STOPPED = re.compile(rf"\b(?:stop|cease)\s+(?:report|send|deliver)ing(?:\s+(?:any\s+)?{_DATA})?\b")
_RESUMED = re.compile(
    r",?\s*\band\s+(?:when\s+)?(?:did\s+)?(?:it\s+|they\s+)?(?:c[oa]me\s+back|resumed?|returned?"
    r"|(?:report|start|send)(?:ed)?(?:\s+reporting|\s+sending)?(?=\s+again))(?:\s+(?:online|again))?\b"
)
SILENCE = re.compile(
    rf"\b(?:{_HOLE}(?!\s+between\b)|silent|quiet|(?:not|last)\s+(?:report|sen[dt]|deliver|seen|heard)\w*"
    r"|stop(?:ped)?\s+(?:reporting|sending)|last\s+(?:sample|reading)s?)\b"
)
"""What tells of missing samples even where no metric is named."""


def gap_words(text: QuestionText) -> tuple[Course, ...]:
    """What ``text`` asks of missing samples, claimed; "which ... had no data" is not among it."""
    if text.take_all(_LONGEST):
        return (Course.LONGEST_GAP,)
    if text.take_all(_GAPS):
        return (Course.GAPS,)
    if text.take(_SINCE_WHEN) is not None:
        text.take_all(_WAS_QUIET)
        return (Course.LAST_SAMPLE,)
    if text.take(_WHEN_QUIET) is not None:
        text.take_all(_WAS_QUIET)
        return (Course.GAPS,)
    if text.take(_WHEN_STOPPED) is not None:
        for pattern in (_STOPPED, _WAS_QUIET, _RESUMED):
            text.take_all(pattern)
        return (Course.GAPS,)
    if text.has(_LAST_SAMPLE) and text.has(_LAST):
        text.take(_LAST_SAMPLE)
        text.take_all(_LAST)
        return (Course.LAST_SAMPLE,)
    if text.has(_LAST_BEHIND):
        text.take_all(_REPORTED_LAST)
        return (Course.LAST_SAMPLE,)
    return ()
