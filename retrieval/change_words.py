"""Rules for how values change: between two times, at one moment, from sample to sample."""

import re

from retrieval.measures import Course
from retrieval.question_text import QuestionText
from retrieval.units import UNIT_WORDS

_MOST = r"(?:fastest|steepest|largest|biggest|greatest|sharpest|quickest|strongest|most\s+rapid)"
_UP = r"(?:rises?|increases?|climbs?|growth|upward\s+(?:steps?|jumps?))"
_DOWN = r"(?:falls?|drops?|decreases?|declines?|dips?|downward\s+(?:steps?|jumps?))"
_RISEN = r"(?:rise|rose|risen|increased?|climb(?:ed)?|went\s+up|go\s+up|grow|grew)"
_FALLEN = r"(?:fall|fell|fallen|decreased?|dropped|drop|declined?|went\s+down|go\s+down|sink|sank)"
_SO = r"(?:the\s+)?(?:most|fastest|quickest|steepest|hardest|sharpest)(?:\s+quickly)?"
_OF = r"(?:\s+(?:in|of)(?=\s))?"
_ALONE = r"(?!\s+(?:above|over|below|under|beyond|past|more\s+than|less\s+than|to\s+\d))"
_RISE = re.compile(
    rf"\b(?:the\s+|its\s+)?{_MOST}\s+{_UP}\b{_OF}|\b{_RISEN}\s+{_SO}\b"
    rf"|\b{_SO}\s+{_RISEN}\b"
)
_FALL = re.compile(
    rf"\b(?:the\s+|its\s+)?{_MOST}\s+{_DOWN}\b{_OF}|\b{_FALLEN}\s+{_SO}\b"
    rf"|\b{_SO}\s+{_FALLEN}\b"
)
_STEP = re.compile(
    rf"\b(?:the\s+|its\s+)?{_MOST}\s+(?:single\s+)?(?:steps?|jumps?|leaps?)\b{_OF}"
    rf"|\bjumped\s+{_SO}\b|\bjump\s+{_SO}\b"
)
_BETWEEN_SAMPLES = re.compile(
    r"\b(?:between|from)\s+(?:(?:two|one)\s+)?(?:(?:successive|consecutive|neighbou?ring)\s+)?"
    r"(?:samples?|readings?)(?:\s+to\s+the\s+next)?\b"
)
_CHANGE_POINT = re.compile(
    rf"\b(?:the\s+|its\s+|any\s+)?(?:main\s+|biggest\s+|largest\s+)?"
    rf"(?:change[- ]?points?|step\s+changes?|level\s+(?:shifts?|changes?)|break[- ]?points?){_OF}"
    rf"|\b(?:the\s+|its\s+)?{_MOST}\s+(?:change|shift)\b{_OF}"
    rf"|\b(?:suddenly\s+)?(?:jump(?:ed)?|shift(?:ed)?|step(?:ped)?\s+up|step(?:ped)?\s+down)\b{_ALONE}"
    rf"|\bchange\s+(?:suddenly|abruptly|{_SO})\b|\b(?:suddenly|abruptly)\s+change\b"
)
_SLOPE = re.compile(
    r"\b(?:the\s+)?(?:rates?\s+of\s+(?:change|rise|increase|decrease|fall)|slopes?|gradients?"
    rf"|derivatives?){_OF}"
    rf"|\bhow\s+(?:fast|quickly|rapidly)\s+(?:did|does|was|is|were|has)\b"
    rf"(?=[^?.]*\b(?:{_RISEN}|{_FALLEN}|change|rising|falling|increasing|decreasing|changing)\b)"
)
_MOVED = re.compile(
    rf"\b(?:{_RISEN}|{_FALLEN}|change|rising|falling|increasing|decreasing|changing)\b{_ALONE}"
)
_PER_HOUR = re.compile(r"\b(?:per|an|each|in\s+\S+\s+per)\s+hour\b|\bhourly\b")
_BETWEEN_TIMES = re.compile(
    rf"\b(?:how|(?:by\s+)?how\s+(?:much|many\s+(?:{UNIT_WORDS})))\s+(?:did|has|have)\s+(?=[^?.]*\b(?:change|{_RISEN}|{_FALLEN})\b)"
    r"|\b(?:the\s+)?changes?\s+(?:in|of)\b"
)
_CHANGED = re.compile(rf"\b(?:change|differ|{_RISEN}|{_FALLEN})\b(?:\s+by\s+how\s+much)?{_ALONE}")


def change_words(text: QuestionText) -> tuple[Course, ...]:
    """What ``text`` asks of changes, claimed."""
    if text.take_all(_STEP):
        text.take_all(_BETWEEN_SAMPLES)
        return (Course.STEP,)
    found = [
        c for c, pattern in ((Course.RISE, _RISE), (Course.FALL, _FALL)) if text.take_all(pattern)
    ]
    if found:
        text.take_all(_BETWEEN_SAMPLES)
        return tuple(found)
    if text.take_all(_CHANGE_POINT):
        return (Course.CHANGE_POINT,)
    if text.take(_SLOPE) is not None:
        text.take_all(_MOVED)
        text.take_all(_PER_HOUR)
        return (Course.SLOPE,)
    if text.take(_BETWEEN_TIMES) is not None:
        text.take(_CHANGED)
        return (Course.BETWEEN_TIMES,)
    return ()
