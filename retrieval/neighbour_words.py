"""Rules for what else happened then: the other nodes of a node's rack at the same time."""

import re

from retrieval.course_words import CourseWords
from retrieval.measures import Course
from retrieval.question_text import QuestionText

_OTHERS = r"(?:other|neighbou?r(?:ing)?)\s+(?:compute\s+)?nodes|neighbou?rs"
_RACK = r"(?:the\s+same\s+rack|(?:its|that)\s+rack|the\s+rack\s+(?:of|with)(?=\s+node))"
_NEIGHBOURS = re.compile(
    rf"\b(?:(?:which|what|how\s+many|list(?:\s+the)?)\s+)?(?:of\s+the\s+)?(?:{_OTHERS})\s+"
    rf"(?:of|in|on|from)\s+{_RACK}"
    rf"|\b(?:(?:which|what)\s+)?(?:of\s+)?(?:the\s+)?neighbou?rs\s+of(?=\s+node)"
)
_SAME_TIME = re.compile(
    r"\b(?:at\s+the\s+same\s+times?|(?:at\s+)?the\s+same\s+moments?|meanwhile|simultaneously"
    r"|together\s+with\s+(?:it|them)|then\s+too|as\s+well)\b"
)
_AS = re.compile(r"\bas(?=\s+node)")


def neighbour_words(text: QuestionText) -> CourseWords:
    """What ``text`` asks of the neighbours of a node, claimed."""
    if not text.has(_SAME_TIME) or text.take(_NEIGHBOURS) is None:
        return CourseWords()
    text.take_all(_SAME_TIME)
    text.take_all(_AS)
    return CourseWords((Course.NEIGHBOURS,))
