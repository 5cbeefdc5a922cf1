"""What reading the times of a text gives: windows, problems that the asker can settle, notes."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from retrieval.request import TimeWindow

LOOK_BACK = timedelta(days=31)
"""How far back is looked where no time is named and the present moment is not enough."""


class Granularity(StrEnum):
    """The unit in which the end of a window was said."""

    INSTANT = "instant"
    CLOCK = "clock"
    PART_OF_DAY = "part of day"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    RELATIVE = "relative"


class ProblemKind(StrEnum):
    """Why words about time could not be taken as they stand."""

    END_BEFORE_START = "end before start"
    IMPOSSIBLE_DATE = "impossible date"
    IMPOSSIBLE_CLOCK_TIME = "impossible clock time"
    FUTURE = "future"
    AMBIGUOUS_DATE = "ambiguous date"
    UNKNOWN_ZONE = "unknown zone"
    NONEXISTENT_CLOCK_TIME = "nonexistent clock time"
    AMBIGUOUS_CLOCK_TIME = "ambiguous clock time"
    TOO_MANY_DAYS = "too many days"


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another honest reading of the same words."""

    label: str
    """Plain words for a choice: ``1 June 2022, 00:00 to 12:00``."""
    window: TimeWindow


@dataclass(frozen=True, slots=True)
class ReadWindow:
    """One window that the text names, in UTC."""

    window: TimeWindow
    granularity: Granularity
    span: tuple[int, int]
    """Characters of the text that name it, with the prepositions that govern them."""
    zone: str
    """IANA name, or ``UTC``, of the zone in which the words were read."""
    alternatives: tuple[Alternative, ...] = ()
    relation: str | None = None
    """``same period, one month earlier``: this window is a comparison to the one before it."""
    more_spans: tuple[tuple[int, int], ...] = ()
    """Further characters that belong to it, such as a date that stands apart from its hours."""


@dataclass(frozen=True, slots=True)
class TimeProblem:
    """Words about time that the asker has to settle, and how."""

    kind: ProblemKind
    span: tuple[int, int]
    message: str
    options: tuple[Alternative, ...] = ()

    @property
    def stops(self) -> bool:
        """False where a window was taken all the same (a clock time that came twice)."""
        return self.kind is not ProblemKind.AMBIGUOUS_CLOCK_TIME


@dataclass(frozen=True, slots=True)
class TimeReading:
    """All that a text says about time, in the order of the text."""

    windows: tuple[ReadWindow, ...] = ()
    problems: tuple[TimeProblem, ...] = ()
    notes: tuple[str, ...] = ()
    zone_spans: tuple[tuple[int, int], ...] = ()
    """Words that only name a time zone for the rest: ``in UTC``."""

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Every stretch of characters that was read as time, in order, none overlapping."""
        found = {window.span for window in self.windows}
        found |= {span for window in self.windows for span in window.more_spans}
        found |= {problem.span for problem in self.problems}
        return tuple(sorted(found | set(self.zone_spans)))
