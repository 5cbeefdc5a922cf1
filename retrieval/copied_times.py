"""Times that somebody copied out of a question: the rules read them, and compare."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from retrieval.question_text import QuestionText
from retrieval.time_calendar import spoken_window
from retrieval.time_reader import read_times
from retrieval.time_reading import TimeReading
from retrieval.understanding import ReadingStops, Unclear

_ABOUT = "which time"
_COPIED, _WHOLE = "copied", "whole"


def strange_words(question: str, copied: Sequence[str]) -> tuple[str, ...]:
    """Those of ``copied`` that do not stand in ``question`` as they are."""
    return tuple(words for words in copied if _place(QuestionText(question).lower, words) is None)


def read_copied(
    question: str,
    copied: Sequence[str],
    whole: TimeReading,
    now: datetime,
    zone: ZoneInfo,
    settled: Mapping[str, str],
) -> TimeReading:
    """The times of ``question``: those of the words ``copied`` out of it, or of all its words.

    ``whole`` is how the rules read the whole question. Where they read other times in the copied
    words it is asked back which are meant; ``chosen`` is what was answered then.
    """
    masked = _all_but(question, copied)
    apart = read_times(masked, now, zone)
    if not _windows(apart) or any(problem.stops for problem in whole.problems):
        return whole
    if not _windows(whole):
        return apart
    if _windows(apart) == _windows(whole):
        return whole
    chosen = settled.get(_ABOUT)
    if chosen in (_COPIED, _WHOLE):
        return apart if chosen == _COPIED else whole
    choices = ((_COPIED, _told(apart, zone)), (_WHOLE, _told(whole, zone)))
    raise ReadingStops(Unclear(_ABOUT, "Which time do you mean?", choices))


def _windows(times: TimeReading) -> list[object]:
    return [read.window for read in times.windows]


def _told(times: TimeReading, zone: ZoneInfo) -> str:
    windows = (read.window for read in times.windows)
    return " and ".join(spoken_window(one.start, one.end, zone) for one in windows)


def _all_but(question: str, copied: Sequence[str]) -> str:
    """``question`` with everything blanked that was not copied; no character moves."""
    text = QuestionText(question)
    kept = [place for words in copied if (place := _place(text.lower, words)) is not None]
    letters = [" "] * len(text.folded)
    for start, end in kept:
        letters[start:end] = text.folded[start:end]
    return "".join(letters)


def _place(lower: str, words: str) -> tuple[int, int] | None:
    """Where ``words`` stand, whatever their case and blanks; whole words alone."""
    parts = [re.escape(part) for part in QuestionText(words).lower.split()]
    if not parts:
        return None
    found = re.search(r"(?<!\w)" + r"\s+".join(parts) + r"(?!\w)", lower)
    return None if found is None else found.span()
