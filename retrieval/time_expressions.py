"""What an expression of time is before it is laid on the calendar, and what stands around it."""

from dataclasses import dataclass
from enum import StrEnum

from retrieval.time_lengths import Length
from retrieval.time_moments import Moment
from retrieval.time_tokens import Words, remembered


class Shape(StrEnum):
    """How the moments of an expression make a window."""

    POINT = "point"
    RANGE = "range"
    SINCE = "since"
    UNTIL = "until"
    BEFORE = "before"
    AFTER = "after"
    ROLLING = "rolling"
    AROUND = "around"
    SHIFT = "shift"
    TURN_OF_DAY = "turn of day"
    NIGHT_BETWEEN = "night between"


@dataclass(frozen=True, slots=True)
class Shift:
    """A window that is another one moved: ``the same period of the previous month``."""

    length: Length
    sign: int
    same: bool
    """The text says that the window keeps its shape."""
    words: str
    onto: Moment | None = None
    """The day onto which it is moved, where that is said outright."""


@dataclass(frozen=True, slots=True)
class Expression:
    """One expression of time in the text, as said."""

    shape: Shape
    first: int
    last: int
    start: Moment | None = None
    end: Moment | None = None
    length: Length | None = None
    sign: int = -1
    """For AROUND: before (-1) or after (1) the moment."""
    inside: bool = False
    """For AROUND: the length lies inside the day (``first hour of 1 June``)."""
    shift: Shift | None = None
    otherwise: "Expression | None" = None
    """What a shift means when there is nothing to shift."""
    opened: str = ""
    """The preposition that governs it."""
    pieces: tuple[tuple[int, int], ...] = ()
    """Token ranges elsewhere in the text that belong to it."""
    or_whole_day: bool = False
    """The hours were taken over from a day beside it; the whole day may be meant as well."""
    each_day: Moment | None = None
    """Days on each of which the hours apply."""

    @property
    def is_hours_only(self) -> bool:
        """Whether it names hours but no day."""
        moments = [moment for moment in (self.start, self.end) if moment is not None]
        clocks = any(moment.clock or moment.part for moment in moments)
        return clocks and not any(moment.has_day for moment in moments)

    @property
    def is_days_only(self) -> bool:
        """Whether it names one date or period and no hours."""
        return self.shape is Shape.POINT and self.start is not None and self.start.is_whole_days

    @property
    def is_whole_days(self) -> bool:
        """Whether it names dates or periods, one or a range, and no hours."""
        ends = [self.start] if self.end is None else [self.start, self.end]
        return self.shape in {Shape.POINT, Shape.RANGE} and all(
            moment is not None and moment.is_whole_days for moment in ends
        )


_OPENERS = {
    "starting from": "since", "starting on": "since", "starting at": "since", "starting": "since",
    "beginning on": "since", "beginning at": "since", "ever since": "since", "since": "since",
    "not before": "since", "from": "from", "in between": "between", "between": "between",
    "up until": "until", "up to": "until", "no later than": "until", "not later than": "until",
    "until": "until", "till": "until", "prior to": "before", "earlier than": "before",
    "before": "before", "later than": "after", "after": "after", "as of": "at", "on": "on",
    "in": "in", "at": "at", "during": "during", "over": "over", "for": "for", "within": "within",
    "throughout": "throughout", "by": "until",
    "across": "across", "around": "around", "about": "about",
}  # fmt: skip
_FILLERS = (
    "the whole of the", "the whole of", "the entire", "the full", "the course of", "all of",
    "the whole hour", "the whole day", "the entire day", "all day", "the whole", "whole", "entire",
    "the day of", "the days", "the dates", "the day", "the date", "the hours", "the hour",
    "the interval", "the period", "the window", "the time", "the night", "the week", "the month",
    "the weekend of", "weekend of",
    "the", "all",
)  # fmt: skip
_CLOSINGS = (
    "both days included", "both days inclusive", "both dates included", "both ends included",
    "both included", "both inclusive", "inclusive", "included", "full day", "whole day", "all day",
    "the full day", "the whole day", "the entire day", "entire day", "so far",
)  # fmt: skip


@remembered
def opening(words: Words, i: int) -> tuple[str, int]:
    """The preposition that governs a moment at ``i`` (or ``""``), and where its words start."""
    kind, first = "", i
    for _ in range(4):
        back = words.before(first, *_FILLERS)
        found, start = _opener(words, back)
        if start == back:
            return kind, back if kind or words.at(back) in {"the", "all", "whole"} else first
        kind, first = kind or found, start
    return kind, first


def _opener(words: Words, i: int) -> tuple[str, int]:
    start = words.before(i, *_OPENERS)
    if start == i:
        return "", i
    phrase = " ".join(words.at(step) for step in range(start, i))
    return _OPENERS[phrase], start


def closing(words: Words, j: int) -> int:
    """The index past trailing words that only confirm the window: ``(both days included)``."""
    bracket = words.at(j) in {"(", "["}
    start = words.after(j, "(", "[", ",")
    end = words.after(start, *_CLOSINGS)
    if end == start:
        return j
    if bracket:
        return end + 1 if words.at(end) in {")", "]"} else j
    return end


def goes_on(words: Words, j: int) -> int:
    """The index past ``onwards`` or ``until now``, which leave a window open up to now."""
    end = words.after(j, "onwards", "onward", "on wards", "and later", "and after", "to date",
                      "until now", "till now", "up to now", "to now", "until today", "to today",
                      "until the present", "to the present")  # fmt: skip
    if end == j and words.at(j) == "on" and words.ends_phrase(j + 1):
        nothing_after = not words.at(j + 1) or not words.at(j + 1).isalnum()
        return j + 1 if nothing_after else j
    return end
