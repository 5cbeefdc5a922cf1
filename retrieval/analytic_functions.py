"""The analytic functions as the embedded store calls them, on RDF terms one by one."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Protocol

import pyoxigraph
from pyoxigraph import Literal, NamedNode

from ontology.functions import EPISODES_TYPE, MARKED_SAMPLE_TYPE, NUMBER_PAIR_TYPE, SAMPLE_TYPE
from ontology.vocabulary import FUNCTION, XSD
from retrieval.analytic_courses import (
    Marked,
    earliest,
    gaps,
    largest_step,
    runs,
    slope,
    time_of_change,
    time_of_step,
)
from retrieval.analytic_numbers import (
    Sample,
    episodes,
    integral,
    latest,
    longest,
    median,
    pearson,
    quantile,
    stddev,
    time_of_extreme,
)
from retrieval.time_buckets import floor_time

Term = pyoxigraph.NamedNode | pyoxigraph.BlankNode | Literal | pyoxigraph.Triple
_NUMERIC = {XSD + name for name in ("integer", "decimal", "double", "float", "int", "long")}
_BETWEEN = " "


class Accumulator(Protocol):
    """What the store wants of an aggregate."""

    def accumulate(self, element: Term) -> None:
        """Takes one more value of the group."""

    def finish(self) -> Term | None:
        """The result, or None where there is none."""


def _number(term: Term) -> float | None:
    if isinstance(term, Literal) and term.datatype.value in _NUMERIC:
        return float(term.value.replace("INF", "inf"))
    return None


def _instant(term: Term) -> datetime | None:
    if isinstance(term, Literal) and term.datatype.value == XSD + "dateTime":
        moment = datetime.fromisoformat(term.value)
        return moment if moment.tzinfo else None
    return None


def double(value: float | None) -> Literal | None:
    """``value`` as ``xsd:double``; None stays None."""
    if value is None:
        return None
    text = repr(float(value)).replace("inf", "INF").replace("nan", "NaN")
    return Literal(text, datatype=NamedNode(XSD + "double"))


def date_time(moment: datetime | None) -> Literal | None:
    """``moment`` as ``xsd:dateTime`` with its own offset; None stays None."""
    if moment is None:
        return None
    text = moment.isoformat().replace("+00:00", "Z")
    return Literal(text, datatype=NamedNode(XSD + "dateTime"))


def _at(value: Term, time: Term) -> Literal | None:
    number, instant = _number(value), _instant(time)
    if number is None or instant is None:
        return None
    text = f"{number!r}{_BETWEEN}{instant.astimezone(UTC).isoformat()}"
    return Literal(text, datatype=NamedNode(SAMPLE_TYPE))


def _marked(mark: Term, value: Term, time: Term) -> Literal | None:
    sample = _at(value, time)
    if sample is None or not isinstance(mark, Literal) or mark.value not in ("true", "false"):
        return None
    text = f"{mark.value}{_BETWEEN}{sample.value}"
    return Literal(text, datatype=NamedNode(MARKED_SAMPLE_TYPE))


def _pair(one: Term, other: Term) -> Literal | None:
    first, second = _number(one), _number(other)
    if first is None or second is None:
        return None
    return Literal(f"{first!r}{_BETWEEN}{second!r}", datatype=NamedNode(NUMBER_PAIR_TYPE))


def _floor_time(time: Term, bucket: Term, zone: Term) -> Literal | None:
    instant = _instant(time)
    if instant is None or not isinstance(bucket, Literal) or not isinstance(zone, Literal):
        return None
    return date_time(floor_time(instant, bucket.value, zone.value))


def _seconds_between(start: Term, end: Term) -> Literal | None:
    first, second = _instant(start), _instant(end)
    if first is None or second is None:
        return None
    return double((second - first).total_seconds())


def _spans(term: Term) -> str | None:
    if isinstance(term, Literal) and term.datatype.value == EPISODES_TYPE:
        return term.value
    return None


def _episode_count(term: Term) -> Literal | None:
    spans = _spans(term)
    if spans is None:
        return None
    return Literal(str(len(spans.split())), datatype=NamedNode(XSD + "integer"))


def _longest_episode(term: Term) -> Literal | None:
    spans = _spans(term)
    return None if spans is None else double(longest(spans))


class _Collected:
    """An aggregate that computes its result from all values of the group at once."""

    def __init__(
        self,
        read: Callable[[Term], object | None],
        compute: Callable[[Sequence[object]], Literal | None],
    ) -> None:
        self._read = read
        self._compute = compute
        self._values: list[object] = []
        self._failed = False

    def accumulate(self, element: Term) -> None:
        """Takes one more value; a value of another kind makes the result unbound."""
        value = self._read(element)
        if value is None:
            self._failed = True
        else:
            self._values.append(value)

    def finish(self) -> Literal | None:
        """The result over all values."""
        return None if self._failed else self._compute(self._values)


def _sample(term: Term) -> Sample | None:
    if not isinstance(term, Literal) or term.datatype.value != SAMPLE_TYPE:
        return None
    number, _, instant = term.value.partition(_BETWEEN)
    return datetime.fromisoformat(instant), float(number)


def _marked_sample(term: Term) -> Marked | None:
    if not isinstance(term, Literal) or term.datatype.value != MARKED_SAMPLE_TYPE:
        return None
    mark, number, instant = term.value.split(_BETWEEN)
    return datetime.fromisoformat(instant), float(number), mark == "true"


def _numbers(term: Term) -> tuple[float, float] | None:
    if not isinstance(term, Literal) or term.datatype.value != NUMBER_PAIR_TYPE:
        return None
    one, _, other = term.value.partition(_BETWEEN)
    return float(one), float(other)


def _aggregate(
    read: Callable[[Term], object | None], compute: Callable[..., Literal | None]
) -> Callable[[], Accumulator]:
    return lambda: _Collected(read, compute)


def _spans_of(compute: Callable[..., str]) -> Callable[..., Literal]:
    return lambda samples: Literal(compute(samples), datatype=NamedNode(EPISODES_TYPE))


SCALARS: dict[NamedNode, Callable[..., Term | None]] = {
    NamedNode(FUNCTION + "floorTime"): _floor_time,
    NamedNode(FUNCTION + "secondsBetween"): _seconds_between,
    NamedNode(FUNCTION + "at"): _at,
    NamedNode(FUNCTION + "pair"): _pair,
    NamedNode(FUNCTION + "marked"): _marked,
    NamedNode(FUNCTION + "episodeCount"): _episode_count,
    NamedNode(FUNCTION + "longestEpisode"): _longest_episode,
}
"""Functions of single values, by name."""

AGGREGATES: dict[NamedNode, Callable[[], Accumulator]] = {
    NamedNode(FUNCTION + "stddev"): _aggregate(_number, lambda v: double(stddev(v))),
    NamedNode(FUNCTION + "median"): _aggregate(_number, lambda v: double(median(v))),
    NamedNode(FUNCTION + "quantile"): _aggregate(_numbers, lambda v: double(quantile(v))),
    NamedNode(FUNCTION + "pearson"): _aggregate(_numbers, lambda v: double(pearson(v))),
    NamedNode(FUNCTION + "integral"): _aggregate(_sample, lambda v: double(integral(v))),
    NamedNode(FUNCTION + "latest"): _aggregate(_sample, lambda v: double(latest(v))),
    NamedNode(FUNCTION + "episodes"): _aggregate(_sample, _spans_of(episodes)),
    NamedNode(FUNCTION + "runs"): _aggregate(_marked_sample, _spans_of(runs)),
    NamedNode(FUNCTION + "gaps"): _aggregate(_sample, _spans_of(gaps)),
    NamedNode(FUNCTION + "earliest"): _aggregate(_sample, lambda v: double(earliest(v))),
    NamedNode(FUNCTION + "slope"): _aggregate(_sample, lambda v: double(slope(v))),
    NamedNode(FUNCTION + "largestRise"): _aggregate(
        _sample, lambda v: double(largest_step(v, up=True))
    ),
    NamedNode(FUNCTION + "largestFall"): _aggregate(
        _sample, lambda v: double(largest_step(v, up=False))
    ),
    NamedNode(FUNCTION + "timeOfRise"): _aggregate(
        _sample, lambda v: date_time(time_of_step(v, up=True))
    ),
    NamedNode(FUNCTION + "timeOfFall"): _aggregate(
        _sample, lambda v: date_time(time_of_step(v, up=False))
    ),
    NamedNode(FUNCTION + "timeOfChange"): _aggregate(
        _sample, lambda v: date_time(time_of_change(v))
    ),
    NamedNode(FUNCTION + "timeOfMax"): _aggregate(
        _sample, lambda v: date_time(time_of_extreme(v, highest=True))
    ),
    NamedNode(FUNCTION + "timeOfMin"): _aggregate(
        _sample, lambda v: date_time(time_of_extreme(v, highest=False))
    ),
}
"""Aggregates, by name: each call makes a fresh accumulator."""
