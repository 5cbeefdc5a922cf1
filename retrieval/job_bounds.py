"""Bounds on jobs: on each of them, or on what is counted of a group of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.condition_words import DURATION_UNITS, Bound
from retrieval.job_request import JobMeasure
from retrieval.measures import Condition
from retrieval.question_text import QuestionText
from retrieval.units import in_unit

_GROUPS = re.compile(
    r"\b(?:users?|partitions?|queues?|qos|nodes|racks|days?|hours?)\b"
    r"(?=\s+(?:\w+\s+){0,4}?(?:with|that|which|who|whose|having|had|have|did|were|on\s+which|ran"
    r"|submitted|used|consumed|over|above|below|under|more|less|fewer|at\s+(?:least|most))\b)"
    r"|\bwho\b"
)
"""Things of which a bound on a number of jobs may pick some."""
_COUNTED: tuple[tuple[str, JobMeasure], ...] = (
    (r"\s*node[- ]?\s*hours?\b", JobMeasure.NODE_HOURS),
    (r"\s*(?:cpu(?:\s+core)?|core)[- ]?\s*hours?\b", JobMeasure.CORE_HOURS),
    (r"\s*gpu[- ]?\s*hours?\b", JobMeasure.GPU_HOURS),
    (r"\s*(?:[a-z_-]+\s+){0,3}?jobs?\b", JobMeasure.COUNT),
)
_NUMBERS = tuple((re.compile(pattern), measure) for pattern, measure in _COUNTED)
_BARE = frozenset({"", "job", "jobs", "times"})


@dataclass
class JobBounds:
    """The bounds of a question about jobs, each where it belongs."""

    width: Condition | None = None
    run_seconds: Condition | None = None
    wait_seconds: Condition | None = None
    gpu_count: Condition | None = None
    having: tuple[tuple[JobMeasure, Condition], ...] = ()
    rest: tuple[Bound, ...] = ()
    """Bounds on other things than jobs."""
    taken: tuple[str, ...] = ()
    """Of which property of jobs each of the others is."""


def job_bounds(text: QuestionText, bounds: Sequence[Bound], *, waiting: bool) -> JobBounds:
    """``bounds`` shared out; one on a length of time is that of waiting where it is spoken of."""
    found = JobBounds()
    rest, taken = [], []
    for bound in bounds:
        seconds = in_unit(bound.condition.bound, bound.unit, "s")
        counted = _measure_of(text, bound)
        if counted is not None:
            found.having = (*found.having, (counted, bound.condition))
            taken.append(counted.value)
        elif bound.unit in DURATION_UNITS and seconds is not None:
            condition = _in_seconds(bound, seconds)
            if waiting:
                found.wait_seconds = condition
            else:
                found.run_seconds = condition
            taken.append("wait" if waiting else "run")
        elif bound.unit in ("node", "nodes"):
            found.width = bound.condition
            taken.append("nodes")
        elif bound.unit in ("gpu", "gpus"):
            found.gpu_count = bound.condition
            taken.append("gpus")
        else:
            rest.append(bound)
    found.rest, found.taken = tuple(rest), tuple(taken)
    return found


def _in_seconds(bound: Bound, seconds: float) -> Condition:
    upper = bound.condition.upper
    if upper is not None:
        upper = in_unit(upper, bound.unit, "s")
    return replace(bound.condition, bound=seconds, upper=upper)


def _measure_of(text: QuestionText, bound: Bound) -> JobMeasure | None:
    """What is counted of each group, where ``bound`` is one on that: "more than 3 failed jobs"."""
    if bound.unit not in _BARE or not text.has(_GROUPS):
        return None
    if bound.unit.startswith("job"):
        return JobMeasure.COUNT
    behind = text.lower[bound.span[1] :]
    return next((measure for pattern, measure in _NUMBERS if pattern.match(behind)), None)
