"""Rules for the size of jobs: how many nodes, GPUs or cores each of them has."""

import re

from retrieval.job_request import JobColumn
from retrieval.job_words import JobWords
from retrieval.question_text import QuestionText
from retrieval.ranking_words import RankedWords
from retrieval.request import EntityKind

_USED = (
    r"(?:(?:that\s+)?(?:were|was|are|is)\s+)?(?:used|allocated|requested|occupied|assigned|given)"
)
_ADJECTIVES = r"(?:[\w-]+\s+){0,3}?"
_OF_JOBS = (
    rf"(?:(?:per|of)\s+(?:(?:an?|the|each|every|all|any|one|single|individual)\s+)*(?={_ADJECTIVES}jobs?\b)"
    rf"|(?:by|for|to|in)\s+(?:(?:an?|each|every|any|one|single|individual)\s+)+(?={_ADJECTIVES}job\b))"
)
"""Of each job: "allocated to jobs" may be what all of them have together."""
_WHAT = r"(?:compute\s+)?(?P<what{0}>nodes|gpus|cores)"
_BEHIND_STATISTIC = "|".join(rf"(?<={word}\s)" for word in ("average", "mean", "median"))
_SIZES = re.compile(
    rf"\b(?:the\s+)?(?:number|count)\s+of\s+{_WHAT.format(1)}\s+(?:{_USED}\s+)?{_OF_JOBS}"
    rf"|(?:{_BEHIND_STATISTIC})\b{_WHAT.format(2)}\s+(?:{_USED}\s+)?per\s+(?:single\s+)?(?=jobs?\b)"
    r"|(?<!by\s)(?<!per\s)\b(?P<what3>node|gpu|core)\s+counts?\b(?=\s+(?:of|per|for)\s+(?:[\w-]+\s+){0,3}?jobs?\b)"
    r"|(?<!by\s)(?<!per\s)\b(?P<what4>job\s+sizes?|sizes?\s+of\s+(?:the\s+)?(?=(?:[\w-]+\s+){0,2}?jobs\b))"
)
_STATISTIC = re.compile(
    r"\b(?:averages?|avg|means?|medians?|typical|max(?:imum)?|min(?:imum)?|largest|biggest"
    r"|greatest|highest|smallest|lowest)\b"
)
_OF_ONE = re.compile(
    r"\bhow\s+many\s+(?:compute\s+)?(?P<what>nodes|gpus|cores)\s+(?:did|does|do)\s+"
)
_VERB = re.compile(r"\b(?:use|have|need|get|occupy|take|run\s+on)\b")
_COLUMNS = {"gpu": JobColumn.GPUS, "core": JobColumn.CORES}


def sizes_in(text: QuestionText, ranked: RankedWords | None) -> JobWords:
    """What the question asks of the size of jobs; claimed."""
    return JobWords(columns=_of_ranked(text, ranked), sizes=_sizes(text))


def _sizes(text: QuestionText) -> tuple[JobColumn, ...]:
    """What of jobs is to be averaged or the like: "the average number of nodes per job"; claimed.

    Without a statistic "the number of nodes used by jobs" is of different nodes.
    """
    if not text.has(_STATISTIC):
        return ()
    matches = text.take_all(_SIZES)
    found = [what for match in matches for what in match.groupdict().values() if what]
    return tuple(dict.fromkeys(_column(what) for what in found))


def _of_ranked(text: QuestionText, ranked: RankedWords | None) -> tuple[JobColumn, ...]:
    """The size that is asked of the jobs at one end of an order; claimed.

    As in "how many GPUs did the longest job use".
    """
    if ranked is None or ranked.noun is not EntityKind.JOB:
        return ()
    match = text.take(_OF_ONE)
    if match is None:
        return ()
    text.take(_VERB)
    return (_column(match["what"]),)


def _column(what: str) -> JobColumn:
    return next((c for noun, c in _COLUMNS.items() if what.startswith(noun)), JobColumn.NODE_COUNT)
