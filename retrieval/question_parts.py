"""Parts that somebody split a question into: held against its words."""

import re
from collections.abc import Sequence

from retrieval.question_text import QuestionText
from retrieval.stop_words import ignored_words

_WORD = re.compile(r"[^\W_]+(?:[-'./:_][^\W_]+)*|[<>=≥≤%°]+")
_JOINING = frozenset(("and", "or", "as", "well", "both", "plus", "with", "versus", "vs", "against"))
"""Words that join what is split, and so may fall away."""


def words_amiss(question: str, parts: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of ``parts`` that ``question`` has not, and those of it that no part has.

    Every word and number that was brought in counts; of those that fell away only such as carry
    meaning.
    """
    asked = _words(question)
    said = [word for part in parts for word in _words(part)]
    brought = tuple(dict.fromkeys(word for word in said if word not in asked))
    passed_over = ignored_words() | _JOINING
    lost = [word for word in asked if word not in said and word not in passed_over]
    return brought, tuple(dict.fromkeys(lost))


def _words(text: str) -> list[str]:
    return _WORD.findall(QuestionText(text).lower)
