"""Rules for how values go over time: periods, how often, the longest, the first and the last."""

import re
from dataclasses import dataclass

from retrieval.change_words import change_words
from retrieval.gap_words import gap_words
from retrieval.measures import Condition, Course
from retrieval.often_words import often_words
from retrieval.question_text import QuestionText

_SPELL = (
    r"(?:periods?|episodes?|intervals?|stretch(?:es)?|phases?|spells?|occasions?|occurrences"
    r"|excursions?|exceedances?|crossings?|incidents?)"
)
_IN_WHICH = (
    r"(?:\s+(?:of\s+time\s+)?(?:in|during|for|at|on)\s+which|\s+(?:where|when|that|of"
    r"|with(?!\s+(?:its|their|the|start|begin|end|duration|length|peak|max))))?"
)
_HOW_OFTEN = re.compile(
    rf"\bhow\s+(?:often|frequently|many\s+(?:separate\s+|different\s+)?(?:times|{_SPELL}))\b"
    rf"|\b(?:the\s+)?(?:number|count)\s+of\s+(?:times|{_SPELL}){_IN_WHICH}\b"
    rf"|\bcount\s+(?:the\s+)?(?:times|{_SPELL}){_IN_WHICH}\b"
    r"|(?<=most\s)(?:often|frequently)\b|(?<=least\s)(?:often|frequently)\b"
)
_LONGEST = re.compile(
    r"\b(?:for\s+)?(?:what\s+(?:is|was)\s+)?(?:its\s+|the\s+)?longest\s+"
    r"(?:continuous\s+|uninterrupted\s+|consecutive\s+|single\s+|contiguous\s+)?"
    rf"(?:time|while|run|streak|{_SPELL}){_IN_WHICH}\b"
    r"|\bhow\s+long\s+(?=[^?.]*\b(?:at\s+(?:most|(?:a|one)\s+stretch)|in\s+(?:one\s+go|a\s+row)|without\s+a\s+break"
    r"|(?:continuous|uninterrupted|consecutive)ly)\b)"
)
_STRETCH = (
    r"(?:at\s+(?:a|one|any\s+one)\s+(?:stretch|time)|in\s+one\s+(?:go|piece)"
    r"|(?:without|w/o)\s+(?:a\s+|any\s+)?(?:break|interruption)|continuously|consecutively"
    r"|uninterrupted(?:ly)?|non-?stop|in\s+a\s+row|on\s+end)"
)
_AT_A_STRETCH = re.compile(rf"\b{_STRETCH}\b")
_LENGTH_AT_A_STRETCH = re.compile(
    rf"\d\s*(?:s|secs?|seconds?|min|mins|minutes?|h|hrs?|hours?|days?)\s+(?P<stretch>{_STRETCH})\b"
)
_PERIODS = re.compile(
    rf"\b(?:all\s+)?(?:the\s+|every\s+|each\s+|any\s+)?(?:single\s+)?{_SPELL}{_IN_WHICH}\b"
    r"|\b(?:all\s+)?(?:the\s+)?times\s+(?:when|that|at\s+which|in\s+which|during\s+which)\b"
    r"|\b(?:every|each)\s+time\s+(?:that\s+|when\s+)?(?=(?:the\s+)?\w)"
)
_EACH = re.compile(
    r"\b(?:and\s+)?(?:for\s+)?how\s+long\s+(?:did\s+(?:it|each)\s+last\s+)?"
    r"(?:each|every)(?:\s+time)?\b(?:\s+(?:lasted|took))?"
    r"|\b(?:and\s+)?(?:for\s+)?how\s+long\s+in\s+each\s+case\b|\bhow\s+long\s+each\s+lasted\b"
    rf"|\b(?:the\s+)?(?:lengths?|durations?)\s+of\s+(?:each|every)(?:\s+{_SPELL})?\b"
    r"|\beach\s+time\b|\bevery\s+time\b"
)
_PART = (
    r"(?:(?:its|their|the)\s+)?(?:start|begin(?:ning)?|end|duration|length|peak|maxim(?:um|a)"
    r"|first\s+sample|last\s+sample)s?(?:\s+(?:times?|values?))?"
)
_PARTS = re.compile(
    rf"\b(?:with|including|and|giving)\s+{_PART}(?:\s*(?:,\s*and|,|and|&)\s+{_PART})*\b"
)
_VERB = (
    r"(?:exceed|cross|draw|drew|use|used|go|goes|gone|went|rise|rose|risen|climb|fall|fell|fallen"
    r"|drop|dip|sink|sank"
    r"|reach|get|got|hit|touch|pass|come|came|be|was|were|is|above|over|below|under|more|less|higher"
    r"|lower|hotter|colder|at\s+least|at\s+most|log|show|raise|signal|have|had)"
)
_BOTH_ENDS = re.compile(
    rf"\b(?:the\s+)?first\s+and\s+(?:the\s+)?last\s+(?:time|moment|sample|crossing|{_SPELL})s?"
    rf"{_IN_WHICH}\b|\b(?:the\s+)?first\s+and\s+(?:the\s+)?last(?=\s+(?:ever\s+)?{_VERB})"
)
_FIRST = re.compile(
    rf"\b(?:for\s+)?(?:the\s+)?(?:very\s+)?first\s+(?:time|moment|instant|sample|crossing|{_SPELL})"
    rf"{_IN_WHICH}\b|\b(?:the\s+)?first(?=\s+(?:ever\s+)?{_VERB})"
)
_LAST = re.compile(
    r"\b(?:for\s+)?(?:the\s+)?(?:very\s+)?(?:last|latest|most\s+recent)\s+(?:time|moment|instant"
    rf"|crossing|{_SPELL}){_IN_WHICH}\b|\b(?:the\s+)?last(?=\s+(?:ever\s+)?{_VERB})"
    r"|\bmost\s+recently\b"
)
_CLOSES = r"(?=\s*(?:[?.,]|$|on\b|in\b|during\b|yesterday|today))"
_AT_THE_END = {
    Course.FIRST_PERIOD: re.compile(rf"\bfirst{_CLOSES}"),
    Course.LAST_PERIOD: re.compile(rf"\blast{_CLOSES}"),
}
_STATE = (
    r"(?=\s+(?:ping\s+)?(?:outages?|down|downtimes?|drain(?:ed|s)?|offline|unreachable|critical)\b)"
)
REBOOT = re.compile(r"\bre-?boots?\b|\bre-?booted\b|\brestart(?:s|ed)?\b")
_LAST_REBOOT = re.compile(
    rf"\b(?:the\s+)?(?:last|latest|most\s+recent(?:ly)?)\s+(?={REBOOT.pattern})"
)
_REBOOTS = re.compile(rf"\b(?:how\s+many|(?:the\s+)?number\s+of)\s+(?={REBOOT.pattern})")
_OUTAGE = re.compile(r"\b(?:outages?|downtimes?)\b")
_OF_STATE = {
    Course.LONGEST_PERIOD: re.compile(rf"\b(?:(?:its|the)\s+)?longest{_STATE}"),
    Course.FIRST_PERIOD: re.compile(rf"\bfirst{_STATE}"),
    Course.LAST_PERIOD: re.compile(rf"\b(?:last|latest|most\s+recent(?:ly)?){_STATE}"),
    Course.PERIOD_COUNT: re.compile(
        r"\b(?:how\s+many|(?:the\s+)?number\s+of)(?=\s+(?:ping\s+)?(?:outages|downtimes|drains)\b)"
    ),
}
_BOUND = r"(?=\s+(?:above|over|below|under|beyond|past|higher|lower|more\s+than|less\s+than)\b)"
_WENT = re.compile(
    r"\b(?:rises?|climb(?:s|ed|ing)?|get|gets|fall|falls|falling|drop|drops|sinks?|sank|dip(?:s|ped)?"
    rf"|com(?:e|es|ing)|came|pass(?:ed|es)?|be|being|go(?:es|ing)?|lies?|lay|stay){_BOUND}"
)
_TAKES = re.compile(r"\b(?:take|takes|took|taken|needs?|needed)\b")
"""How long something takes to rise is not how long it stays there."""
_HAS_BOUND = re.compile(
    r"\b(?:above|over|exceed\w*|more\s+than|higher|hotter|warmer|greater|larger|faster|beyond|past"
    r"|below|under|less\s+than|lower|colder|cooler|slower|fewer|at\s+least|at\s+most|reach\w*|hit|hits|hitting|touch\w*"
    r"|between|at\s+0|zero|xid|faults?|alarms?|errors?|violations?)\b|[<>≥≤=]"
)


@dataclass(frozen=True, slots=True)
class CourseWords:
    """What a question says of how values go over time."""

    asked: tuple[Course, ...] = ()
    by_period: bool = False
    """Each period is to be told with its length."""
    often: Condition | None = None
    """How many periods there must be: "more than once"."""


def course_words(text: QuestionText, of_state: bool = False) -> CourseWords:
    """What ``text`` asks of the course of values, claimed; empty where it sets no bound.

    ``of_state``: it speaks of a state of nodes, which needs no bound: "how often was it drained".
    """
    often = often_words(text)
    found = gap_words(text) or change_words(text)
    if found:
        return CourseWords(found, often=often)
    if text.has(REBOOT):
        return CourseWords(_of_boots(text), often=often)
    if not (of_state or text.has(_HAS_BOUND)):
        return CourseWords(often=often)
    for match in text.search(_LENGTH_AT_A_STRETCH):
        text.claim(match.span("stretch"))
    asked: list[Course] = []
    parts = bool(text.take_all(_PARTS)) if text.has(_PERIODS) or text.has(_EACH) else False
    for pattern, course in (
        (_HOW_OFTEN, Course.PERIOD_COUNT),
        (_LONGEST, Course.LONGEST_PERIOD),
        (_BOTH_ENDS, Course.FIRST_AND_LAST),
        (_FIRST, Course.FIRST_PERIOD),
        (_LAST, Course.LAST_PERIOD),
    ):
        if text.take_all(pattern):
            asked.append(course)
    if of_state:
        asked += [course for course, pattern in _OF_STATE.items() if text.take(pattern)]
        if not asked and text.has(_OUTAGE):
            asked.append(Course.PERIODS)
    if re.match(r"\s*(?:and\s+)?(?:when|at\s+what\s+time)\b", text.lower):
        asked += [course for course, pattern in _AT_THE_END.items() if text.take(pattern)]
    each = bool(text.take_all(_EACH))
    listed = bool(text.take_all(_PERIODS))
    if each or listed or parts:
        asked.append(Course.PERIODS)
    if asked:
        text.take_all(_AT_A_STRETCH)
    if not text.has(_TAKES):
        text.take_all(_WENT)
    return CourseWords(tuple(dict.fromkeys(asked)), each, often)


def _of_boots(text: QuestionText) -> tuple[Course, ...]:
    """What is asked of reboots: the last one, or how many there were."""
    if text.take(_LAST_REBOOT) is not None:
        return (Course.LAST_REBOOT,)
    counted = bool(text.take_all(_HOW_OFTEN)) | bool(text.take_all(_REBOOTS))
    return (Course.PERIOD_COUNT,) if counted else ()
