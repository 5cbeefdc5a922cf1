"""From the times that a question names to the windows that are taken, or a question back."""

from collections.abc import Mapping

from retrieval.request import TimeWindow
from retrieval.time_reading import ReadWindow, TimeProblem, TimeReading
from retrieval.understanding import ReadingStops, Unclear, Why, stop

WHICH_TIME = Unclear(
    "window",
    "Over which time? Choose one, or write a day, hours or the like.",
    (
        ("the last hour", "the last hour"),
        ("today", "today so far"),
        ("yesterday", "yesterday"),
        ("the last 7 days", "the last 7 days"),
    ),
    free=True,
)
"""What is asked back where a question about readings or jobs names no time."""


def chosen_windows(
    times: TimeReading, settled: Mapping[str, str]
) -> tuple[tuple[TimeWindow, ...], tuple[str, ...]]:
    """The windows in the order of the text and what must be said of them.

    Raises ReadingStops where the words cannot be taken as they stand.
    """
    settled_windows = []
    for number, problem in enumerate(times.problems):
        if problem.stops:
            settled_windows.append(_settled(problem, number, settled))
    windows = [_taken(read, settled) for read in times.windows]
    notes = [*times.notes, *(p.message for p in times.problems if not p.stops)]
    notes += [_vague(read) for read in times.windows if read.alternatives]
    return (*settled_windows, *windows), tuple(notes)


def _settled(problem: TimeProblem, number: int, settled: Mapping[str, str]) -> TimeWindow:
    about = f"time:{number}"
    if not problem.options:
        raise stop(Why.TIME, problem.message)
    choices = tuple((str(i), option.label) for i, option in enumerate(problem.options, start=1))
    choice = settled.get(about)
    if choice is None or choice not in dict(choices):
        raise ReadingStops(Unclear(about, problem.message, choices))
    return problem.options[int(choice) - 1].window


def _taken(read: ReadWindow, settled: Mapping[str, str]) -> TimeWindow:
    return read.window


def _vague(read: ReadWindow) -> str:
    other = "; ".join(alternative.label for alternative in read.alternatives)
    window = read.window
    return (
        f"The words for the time are taken as {window.start:%Y-%m-%d %H:%M}"
        f" to {window.end:%Y-%m-%d %H:%M} UTC; they could also mean {other}."
    )
