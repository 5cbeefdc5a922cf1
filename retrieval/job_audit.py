"""Holds the words of a question about jobs against the request: what no slot of it can take up."""

import re
from datetime import timedelta

from retrieval.job_order import HOURS
from retrieval.job_request import (
    COUNTED_EACH,
    MOST_COUNTED,
    JobColumn,
    JobMeasure,
    JobsRequest,
    JobTime,
)
from retrieval.job_words import STATES
from retrieval.measure_words import HEAT
from retrieval.measures import Group
from retrieval.ranking_words import FIRST, LAST
from retrieval.slots import Slots
from retrieval.understanding import Why, stop

_LIMIT_BOUND = re.compile(
    r"\btime\s*-?limits?\s+(?:(?:of|is|was|were|are|that|which)\s+)*(?:over|above|under|below|more"
    r"|less|longer|shorter|greater|smaller|higher|lower|at\s+(?:least|most)|exceed\w*|between"
    r"|exactly|[<>=≥≤])"
    r"|\b(?:hours?|h|minutes?|min|days?|seconds?|s)\s+(?:of\s+)?time\s*-?limit",
    re.IGNORECASE,
)
_FILLED = (
    r"(?:(?:that|which|were|was|are|is|those|of|by|from|on|in|with|the|any|jobs?|ran|run|running"
    r"|used|using|had|have|having|either|as|longer|ones?)\s+)*"
)
_STATE = "|".join(f"(?:{pattern.pattern})" for pattern, _ in STATES)
_LENGTH = (
    r"(?:longer|shorter|more|less|fewer|over|under|above|below|at\s+(?:least|most))\s+(?:than\s+)?"
    r"\S+(?:\s+[a-z]+)?"
)
_SIDES: tuple[tuple[str, str], ...] = (
    ("user", r"\busers?\s+#?\d+"),
    ("partition", r"\bpartitions?\s+\d+"),
    ("node", r"\bnodes?\s+\d+"),
    ("rack", r"\bracks?\s+\d+"),
    ("job", r"\bjobs?\s+\d+"),
    ("state", _STATE),
    ("length", rf"\b{_LENGTH}"),
)
_BEFORE = tuple(
    (kind, re.compile(rf"(?:{words})(?:\s+jobs?|\s+ones?)?\s*,?\s*$", re.IGNORECASE))
    for kind, words in _SIDES
)
_BEHIND = tuple(
    (kind, re.compile(rf"\s*{_FILLED}(?:{words})", re.IGNORECASE)) for kind, words in _SIDES
)
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_NAMED_VALUES = frozenset(
    {
        *(JobColumn.USER, JobColumn.STATE, JobColumn.PARTITION, JobColumn.QOS),
        *(JobColumn.EXIT_CODE, JobColumn.TIME_LIMIT),
    }
)
_OF_EACH = ("RUN_", "WAIT_", "SIZE_", "GPUS_", "CORES_")
_HOW_MANY = re.compile(r"\bhow\s+many\b", re.IGNORECASE)
_PLACES = frozenset({Group.OWNER, Group.RACK})
_OF_READINGS = frozenset(
    {
        *HEAT,
        *("fastest", "slowest", "loudest", "fullest", "hungriest", "heaviest"),
    }
)
_LONG, _LARGE = re.compile(r"\b(?:longest|shortest)\b"), re.compile(r"\b(?:larg|bigg|small)est\b")


def lost_in_jobs(slots: Slots, request: JobsRequest, unnamed: list[JobColumn]) -> tuple[str, ...]:
    """What ``request`` leaves out of the question, whose ``unnamed`` columns have no value."""
    checks = (
        (bool(_LIMIT_BOUND.search(slots.text)), "the bound on the time limit"),
        (joins_unlike(slots.text), "'or' between conditions of different kinds"),
        (_counts_twice(slots, request), "two numbers"),
        (_of_part(request), "hours or lengths of a part of the jobs' nodes"),
        (_turns_another_order(slots), "highest or lowest"),
        (_ranks_by_reading(slots, request), slots.ranked.adjective if slots.ranked else ""),
    )
    lost = [words for failed, words in checks if failed]
    if request.measures:
        taken = {group.value for group in request.groups}
        lost += [c.value for c in unnamed if c in _NAMED_VALUES and c.value not in taken]
    return tuple(lost)


def must_fit_windows(slots: Slots, request: JobsRequest) -> None:
    """Raises ReadingStops where the window is too short or too long for what is counted in it."""
    windows = request.windows or ((request.which.window,) if request.which.window else ())
    moment = any(window.start == window.end for window in windows)
    ended = bool(request.which.states) and JobTime.OVERLAPS not in slots.jobs.times
    if moment and (ended or request.which.time is not JobTime.OVERLAPS):
        raise stop(
            Why.TIME,
            "Hardly any job begins or ends at one moment. Give the start and the end of the time,"
            " or ask which jobs were running at that moment.",
        )
    lengths = [COUNTED_EACH[group] for group in request.groups if group in COUNTED_EACH]
    if lengths and request.which.time is JobTime.OVERLAPS:
        longest = max((window.end - window.start for window in windows), default=timedelta())
        if longest > MOST_COUNTED * lengths[0]:
            raise stop(
                Why.TIME,
                f"Running jobs are counted for at most {MOST_COUNTED} hours, days or weeks at a"
                " time. Name a shorter time, or longer intervals.",
            )


def joins_unlike(text: str) -> bool:
    """Whether an "or" stands between two conditions, all of which a request over jobs keeps.

    One between names or states of one kind is taken up: the jobs may have any of them.
    """
    for match in _OR.finditer(text):
        left = {kind for kind, words in _BEFORE if words.search(text[: match.start()])}
        right = {kind for kind, words in _BEHIND if words.match(text[match.end() :])}
        if left and right and not left & right:
            return True
    return False


def _counts_twice(slots: Slots, request: JobsRequest) -> bool:
    """Whether two numbers are asked for, where one would be given."""
    told = len(request.measures) + bool(request.share_of is not None) + len(request.groups)
    return len(_HOW_MANY.findall(slots.text)) > max(told, 1)


def _of_part(request: JobsRequest) -> bool:
    """Whether hours are asked of some nodes of the jobs, of which only whole jobs have them."""
    hours = HOURS & set(request.measures)
    places = _PLACES & set(request.groups)
    if places and hours - {JobMeasure.NODE_HOURS}:
        return True
    if Group.RACK in places and any(m.name.startswith(_OF_EACH) for m in request.measures):
        return True  # a job would weigh as much as it has nodes in the rack
    return bool(hours and not places and (request.which.nodes or request.which.racks))


def _ranks_by_reading(slots: Slots, request: JobsRequest) -> bool:
    """Whether things are to be in the order of what is measured of them, and are in another."""
    return (
        slots.ranked is not None
        and slots.ranked.adjective in _OF_READINGS
        and isinstance(request.order_by, JobMeasure)
    )


def _turns_another_order(slots: Slots) -> bool:
    """Whether a follow-up names the end of an order that the question before did not rank by."""
    if slots.ranked is None or not slots.superlatives:
        return False
    words, text = slots.ranked.adjective, slots.text.lower()
    ends = [order for order in (_LONG, _LARGE) if order.search(text)]
    another = bool(ends) and not any(order.search(words) for order in ends)
    return another or words in (FIRST, LAST)
