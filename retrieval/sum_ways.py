"""How sensors may be added up: at the moments of their samples, by intervals, by hours or days."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from retrieval.compile_shapes import sums_of_measures
from retrieval.coverage import Counted, spacing_of
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Group, Measure, Wanted

_MINUTES = (1, 2, 5, 10, 15, 20, 30)
_HOURS = (1, 2, 3, 4, 6, 8, 12)
_SHORTEST = 60.0
_WIDER = 3.0
"""Spacings in an interval in which a sensor may lack a sample or two."""
_LENGTHS = {Group.HOUR: 3600.0, Group.DAY: 86_400.0, Group.WEEK: 604_800.0}
_MONTH = 2_419_200.0
_OF_TIME = frozenset({*_LENGTHS, Group.MONTH})
DRAWN = (Wanted.SERIES, Wanted.DISTRIBUTION)
_ADDED = frozenset({*DRAWN, Wanted.MEASURES, Wanted.OWNERS, Wanted.OWNER_COUNT, Wanted.COURSE})


@dataclass(frozen=True, slots=True)
class Way:
    """What is added up at once: samples of one moment, means of intervals, or of hours and days."""

    noun: str
    seconds: float = 0.0
    """The length of its intervals; 0 for moments."""
    bucket: str = ""
    """That length (ISO 8601), unless the request's own groups are the intervals."""
    words: str = ""
    """That length in words, where the question does not give it."""

    @property
    def aligned(self) -> bool:
        """Whether samples of the same moment are added up."""
        return not self.seconds

    @property
    def by_group(self) -> bool:
        """Whether the hours or days are those by which the request groups."""
        return bool(self.seconds) and not self.bucket


def ways_to_add(request: ReadingsRequest, counted: Sequence[Counted]) -> list[Way]:
    """How the sensors of ``request`` may be added up, the finest first.

    None where it adds none up, or each over the whole of the time.
    """
    if request.instant or request.wanted not in _ADDED:
        return []
    spacings = [s for one in counted if (s := spacing_of(one.frame)) is not None]
    widest = max(spacings, default=_SHORTEST)
    per_sensor = request.wanted is Wanted.MEASURES and sums_of_measures(request.measures, request)
    if per_sensor or not request.combined:
        timed = [group for group in request.groups if group in _OF_TIME]
        adds = request.combined or Measure.ENERGY in request.measures
        if not timed or not adds or Group.OWNER in request.groups:
            return []
        return [Way(f"{timed[-1].value}s", _LENGTHS.get(timed[-1], _MONTH))]
    if request.bucket_asked or request.bucket not in ("", "PT5M"):
        return [Way("intervals", max(widest, _SHORTEST), request.bucket)]
    ways = []
    if request.wanted not in DRAWN and all(_aligned(one.frame) for one in counted):
        ways.append(Way("moments"))
    for spacing in (widest, _WIDER * widest):
        bucket, words, seconds = interval(max(spacing, _SHORTEST))
        ways.append(Way(f"intervals of {words}", seconds, bucket, words))
    return list(dict.fromkeys(ways))


def _aligned(frame: pl.DataFrame) -> bool:
    """Whether all sensors are sampled on one grid of moments, as far as their ends tell."""
    spacing = spacing_of(frame)
    if spacing is None or abs(spacing - round(spacing)) > 0.01 * spacing:
        return False
    step = 1000 * round(spacing)
    ends = pl.concat([frame["first"], frame["last"]]).dt.epoch("ms")
    return bool((ends % step == ends[0] % step).all())


def interval(seconds: float) -> tuple[str, str, float]:
    """The shortest interval that holds a sample of each sensor: ISO 8601, words, seconds."""
    for minutes in _MINUTES:
        if seconds <= minutes * 60 * 1.01:
            words = f"{minutes} min" if minutes > 1 else "1 minute"
            return f"PT{minutes}M", words, minutes * 60.0
    for hours in _HOURS:
        if seconds <= hours * 3600 * 1.01:
            return f"PT{hours}H", f"{hours} h", hours * 3600.0
    return "P1D", "a day", _LENGTHS[Group.DAY]
