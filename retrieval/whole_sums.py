"""At which moments a sum over sensors is taken: where every one that speaks has a sample."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import polars as pl

from retrieval.compile_readings import pattern
from retrieval.compile_sums import MOMENTS, PRESENT, moments_query, standing
from retrieval.compiler import scope_of
from retrieval.coverage import PARTIAL_BELOW, Counted, spacing_of
from retrieval.data_request import Quorum, ReadingsRequest
from retrieval.measures import Measure, Wanted
from retrieval.query_text import Column
from retrieval.request_run import RequestRun
from retrieval.sum_ways import DRAWN, Way, ways_to_add

_GOOD = 0.6
"""The finest way of adding up is taken that leaves so many moments; else that with the most."""
_ENOUGH = 0.5
"""Where fewer of the moments are whole, there is no sum."""
_NEARLY_ALL = 0.98
"""Of many sensors so many may stand for all, where hardly ever all have a sample; it is said."""
_NAMED = 20
_VARYING = (
    "Sums are over the sensors that have a sample at each moment; where some lack samples, sums are"
    " too low."
)


@dataclass(frozen=True, slots=True)
class Sums:
    """How a request adds up its sensors."""

    request: ReadingsRequest
    quorums: tuple[Quorum, ...] = ()
    """One for each quantity and window, in the order in which they were counted."""
    way: Way | None = None
    """The way to be confirmed by how many sums the query's own result has."""
    of: int = 0
    """How many moments there are then."""

    def in_window(self, number: int, windows: int) -> tuple[Quorum, ...]:
        """The quorums in one of so many windows, one a quantity."""
        return self.quorums[number::windows]


@dataclass(frozen=True, slots=True)
class _Counts:
    """At how many moments how many sensors had samples, for one quantity and window."""

    frame: pl.DataFrame
    quorum: Quorum
    keys: tuple[Column, ...]

    def whole(self, share: float = 1.0) -> tuple[int, int]:
        """At how many moments that share of the sensors has a sample, and of how many."""
        enough = self.frame.filter(pl.col(PRESENT.variable) >= (self._all() * share).ceil())
        return int(enough[MOMENTS.variable].sum()), int(self.frame[MOMENTS.variable].sum())

    def lacking(self) -> list[str]:
        """The groups that are rarely whole, in words with their share of moments."""
        names = [key.variable for key in self.keys]
        if not names:
            return []
        moments = pl.col(MOMENTS.variable)
        whole = moments.filter(pl.col(PRESENT.variable) >= self._all()).sum()
        shares = self.frame.group_by(names).agg((whole / moments.sum()).alias("share"))
        poor = shares.filter(pl.col("share") < PARTIAL_BELOW).sort("share", *names)
        return [
            ", ".join(f"{key.heading} {cell}" for key, cell in zip(self.keys, cells, strict=True))
            + f" ({share:.0%})"
            for *cells, share in poor.iter_rows()
        ]

    def _all(self) -> pl.Expr:
        number = pl.lit(self.quorum.usual)
        for cells, sensors in self.quorum.others:
            pairs = zip(self.keys, cells, strict=True)
            mine = pl.all_horizontal(pl.col(key.variable) == cell for key, cell in pairs)
            number = pl.when(mine).then(sensors).otherwise(number)
        return number


def whole_sums(
    run: RequestRun, request: ReadingsRequest, counted: Sequence[Counted], told: bool = True
) -> Sums | None:
    """How the sensors of ``request`` are added up; None where hardly ever enough have samples.

    What is left out is noted. Where ``told``, it may be left to the result of the query to tell
    how many moments are whole, see :func:`confirmed`; that saves a pass over the samples.
    """
    ways = ways_to_add(request, counted)
    if not ways:
        return Sums(request)
    if not _constant(request):
        run.notes.append(_VARYING)
        return Sums(_by(run, request, ways[-1]))
    keys = [_keys(run, request, one) for one in counted]
    quorums = tuple(_quorum(one, key) for one, key in zip(counted, keys, strict=True))
    zone = run.source.zone
    bounds = [
        bound
        for one, key in zip(counted, keys, strict=True)
        for bound in _at_most(one, key, ways[0], zone)
    ]
    lacking, every = (sum(pair) for pair in zip(*bounds, strict=True))
    if lacking and told and len(bounds) == 1 and _tells(request, ways[0]):
        return Sums(_added(request, ways[0]), quorums, ways[0], every)
    if all(few <= (1 - PARTIAL_BELOW) * of for few, of in bounds):
        if lacking:
            run.notes.append(_left_out(lacking, every, ways[0], "Up to "))
        return Sums(_by(run, request, ways[0]), quorums)
    # What was told by a result to be too seldom whole is not tried again.
    return _best(run, request, counted, ways if told else ways[1:] or ways)


def confirmed(run: RequestRun, sums: Sums, frames: Sequence[pl.DataFrame]) -> bool:
    """Whether the results have sums at enough moments; what was left out is noted then."""
    if sums.way is None:
        return True
    # A series, and a table by hours, has a row for each sum.
    rows = sums.request.wanted in DRAWN or sums.way.by_group
    whole = min(f.height if rows else int(f[MOMENTS.variable].sum()) for f in frames)
    if whole < _GOOD * sums.of:
        return False
    _by(run, sums.request, sums.way)
    if whole < sums.of:
        run.notes.append(_left_out(sums.of - whole, sums.of, sums.way))
    return True


def no_sum(counted: Sequence[Counted]) -> str:
    """That the sensors have hardly ever samples at the same time."""
    one = counted[0]
    return (
        f"There is no sum of {one.quantity.label}: for more than half of the time not all of the"
        f" {one.frame['s'].n_unique()} sensors have samples. Please ask for the average or the"
        f" energy, for each {one.owners.kind.value}, or for a shorter time."
    )


def _best(
    run: RequestRun, request: ReadingsRequest, counted: Sequence[Counted], ways: Sequence[Way]
) -> Sums | None:
    """The best of ``ways``, by how many moments are whole."""
    best: tuple[float, Way, list[_Counts]] | None = None
    for way in ways:
        counts = [_counts(run, request, one, way) for one in counted]
        share = _share(counts)
        if best is None or share > best[0]:
            best = share, way, counts
        if share >= _GOOD:
            break
    assert best is not None
    share, way, counts = best
    quorums = tuple(one.quorum for one in counts)
    if share < _ENOUGH:
        if _share(counts, _NEARLY_ALL) < _ENOUGH:
            return None
        quorums = tuple(_lowered(one.quorum) for one in counts)
        run.notes.append(_nearly(counts, way))
    elif share < 1:
        whole, every = _total(counts)
        run.notes.append(_left_out(every - whole, every, way))
    poor = list(dict.fromkeys(told for one in counts for told in one.lacking()))
    if poor:
        more = " and others" if len(poor) > _NAMED else ""
        run.notes.append(f"Rarely whole: {', '.join(poor[:_NAMED])}{more}.")
    return Sums(_by(run, request, way), quorums)


def _tells(request: ReadingsRequest, way: Way) -> bool:
    """Whether the result of the query tells how many moments are whole."""
    if request.wanted is Wanted.COURSE or way.by_group or request.groups:
        return way.by_group or not request.groups
    flagged = {Measure.DURATION, Measure.SHARE} & set(request.measures)
    return request.wanted in (*DRAWN, Wanted.MEASURES) and bool(not request.condition or flagged)


def _constant(request: ReadingsRequest) -> bool:
    """Whether the same sensors are added up at all moments."""
    during = request.during
    return request.meanwhile is None and (during is None or len(during.ids) == 1)


def _by(run: RequestRun, request: ReadingsRequest, way: Way) -> ReadingsRequest:
    if way.words:
        run.notes.append(f"Values are means of {way.words}.")
    return _added(request, way)


def _added(request: ReadingsRequest, way: Way) -> ReadingsRequest:
    return replace(request, aligned=way.aligned, bucket=way.bucket or request.bucket)


def _keys(run: RequestRun, request: ReadingsRequest, one: Counted) -> tuple[Column, ...]:
    part = pattern(request, one.quantity, one.owners, one.window, str(run.source.zone))
    return tuple(standing(part))


def _counts(run: RequestRun, request: ReadingsRequest, one: Counted, way: Way) -> _Counts:
    part = pattern(request, one.quantity, one.owners, one.window, str(run.source.zone))
    scope = scope_of(one.quantity, one.window, request)
    found = run.part(moments_query(_added(request, way), part, scope, way.by_group))
    keys = tuple(standing(part))
    return _Counts(found.frame, _quorum(one, keys), keys)


def _quorum(one: Counted, keys: Sequence[Column]) -> Quorum:
    """How many sensors each group has that have samples at all in this time."""
    names = [key.variable for key in keys]
    if not names:
        return Quorum(one.frame["s"].n_unique())
    sensors = one.frame.group_by(names).agg(pl.col("s").n_unique())
    usual = int(sensors.select(pl.col("s").mode().max()).item())
    if one.quantity.summed and set(names) <= _WHO:
        # Where a summand of a thing has no samples, the thing has no sum at all.
        return Quorum(max(usual, len(one.quantity.metrics)))
    others = sensors.filter(pl.col("s") != usual).sort(names)
    return Quorum(usual, tuple((tuple(cells), int(n)) for *cells, n in others.iter_rows()))


_WHO = frozenset({"node", "crac", "panel", "device"})


def _at_most(
    one: Counted, keys: Sequence[Column], way: Way, zone: ZoneInfo
) -> list[tuple[int, int]]:
    """At how many moments each group can at most lack a sensor, and how many there are."""
    spacing = spacing_of(one.frame)
    first, last = one.frame["first"].min(), one.frame["last"].max()
    if spacing is None or not isinstance(first, datetime) or not isinstance(last, datetime):
        return [(1, 1)]
    step = float(round(spacing)) if way.aligned else spacing
    samples = round((last - first).total_seconds() / step) + 1
    every, in_one = samples, 1
    if way.seconds:
        every = _number(last, way, zone) - _number(first, way, zone) + 1
        in_one = max(1, int(way.seconds // spacing))
    names = [key.variable for key in keys]
    lacking = ((samples - pl.col("samples")).clip(0) // in_one).sum().alias("lacking")
    groups = one.frame.group_by(names).agg(lacking) if names else one.frame.select(lacking)
    return [(min(int(n), every), every) for n in groups["lacking"]]


def _number(moment: datetime, way: Way, zone: ZoneInfo) -> int:
    """The number of the interval in which ``moment`` lies."""
    local = moment.astimezone(zone if way.by_group else UTC)
    return int((local - local.min.replace(tzinfo=local.tzinfo)).total_seconds() // way.seconds)


def _total(counts: Sequence[_Counts], share: float = 1.0) -> tuple[int, int]:
    whole, every = (sum(pair) for pair in zip(*(c.whole(share) for c in counts), strict=True))
    return whole, every


def _share(counts: Sequence[_Counts], share: float = 1.0) -> float:
    """The least share of moments that are whole, over quantities and windows."""
    pairs = [one.whole(share) for one in counts]
    return min((whole / every if every else 0.0 for whole, every in pairs), default=0.0)


def _lowered(quorum: Quorum) -> Quorum:
    others = tuple((key, math.ceil(_NEARLY_ALL * sensors)) for key, sensors in quorum.others)
    return Quorum(math.ceil(_NEARLY_ALL * quorum.usual), others)


def _left_out(lacking: int, every: int, way: Way, up_to: str = "") -> str:
    partial = "Partial: " if not up_to and every - lacking < PARTIAL_BELOW * every else ""
    return (
        f"{partial}{up_to}{lacking:,} of {every:,} {way.noun} are left out of the sums, for not all"
        " sensors have samples then."
    )


def _nearly(counts: Sequence[_Counts], way: Way) -> str:
    many = max((one.quorum for one in counts), key=lambda quorum: quorum.usual)
    least, sensors = _lowered(many).usual, many.usual
    whole, every = _total(counts, _NEARLY_ALL)
    return (
        f"Hardly ever all {sensors:,} sensors have samples: sums are of {whole:,} of {every:,}"
        f" {way.noun} at which at least {least:,} have, and are too low by what the others add."
    )
