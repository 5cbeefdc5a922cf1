"""Attaches the readings of sensors to rows that name the sensors."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl
from rdflib import Variable
from rdflib.plugins.sparql.parserutils import CompValue

from ontology.vocabulary import TIMESTAMP
from retrieval.lake import Lake
from retrieval.query_result import TIME, Kind
from retrieval.request import Metric, TimeWindow
from retrieval.scope import GraphScope
from retrieval.sensors import owner_tags, reading_iris
from retrieval.topology_store import TopologyStore
from retrieval.virtual_expressions import typed
from retrieval.virtual_intervals import FIRST, LAST, Bounds, codes_of, pairs, with_code
from retrieval.virtual_patterns import Star, variable
from retrieval.virtual_rows import Column, NotTranslatable, Rows, aligned, retyped
from retrieval.virtual_scans import readings
from retrieval.virtual_tree import names_in

_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}
_TICK = timedelta(milliseconds=1)
_START = datetime(1970, 1, 1, tzinfo=UTC)
_END = datetime(2100, 1, 1, tzinfo=UTC)
_NEVER = TimeWindow(_START, _START)
_FEW = 0.25
"""Sensors are picked out of a scan by name if they are no larger a share of all than this."""


class Attacher:
    """Joins scans of readings to rows, metric by metric."""

    def __init__(self, lake: Lake, store: TopologyStore, scope: GraphScope) -> None:
        self._lake = lake
        self._store = store
        self._scope = scope

    def keyed(self, rows: Rows, sensor: str, number: int) -> Rows:
        """``rows`` with the metric and tags of the sensors in ``sensor``, in hidden columns.

        Rows whose sensor belongs to no metric of the scope go. Raises NotTranslatable where
        the sensors are not few.
        """
        rows = retyped(rows, sensor, Column(Kind.IRI, category=True))
        if not rows.compact or rows.columns[sensor].kind is not Kind.IRI:
            raise NotTranslatable("sensors that are not read from the topology")
        tables = []
        for place, metric in enumerate(self._scope.metrics):
            table = self._store.sensors(metric)
            names = {tag: f".k{number}.{tag}" for tag in owner_tags(metric)}
            tables.append(
                table.select(
                    pl.col("sensor").alias(sensor),
                    pl.lit(place, pl.UInt16).alias(f".m{number}"),
                    pl.col("reading").alias(f".r{number}"),
                    *(pl.col(tag).cast(pl.String).alias(name) for tag, name in names.items()),
                )
            )
        if not tables:
            raise NotTranslatable("a scope without metrics")
        known = pl.concat(tables, how="diagonal").lazy()
        if not rows.columns[sensor].category:
            known = known.with_columns(pl.col(sensor).cast(pl.String))
        return replace(rows, frame=rows.frame.join(known, on=sensor).collect().lazy())

    def attached(
        self, rows: Rows, star: Star, number: int, wanted: set[str], conditions: Sequence[Any]
    ) -> Rows:
        """``rows`` (keyed) with each reading of each sensor that matches ``star``.

        Conditions are looked through for bounds of time; they are still to be applied, except
        that rows which fail them may be missing already.
        """
        time = self._time_of(star)
        windows = self._windows(rows, time, conditions)
        metrics = self._metrics_in(rows, number)
        parts = []
        for place in metrics:
            metric = self._scope.metrics[place]
            found = readings(self._lake, metric, star, windows, wanted)
            if found is None:
                continue
            owned = rows
            if len(metrics) > 1:
                owned = replace(rows, frame=rows.frame.filter(pl.col(f".m{number}") == place))
            bounds = self._bounds(rows, time, conditions)
            if bounds is not None and time in found.columns and time not in rows.columns:
                part = self._within(owned, found, metric, number, star, bounds, windows)
            else:
                part = self._joined(owned, found, metric, number)
            parts.append(self._named(part, star, metric, number, wanted))
        if not parts:
            return self._none(rows, star, wanted)
        return _stacked(parts)

    def _metrics_in(self, rows: Rows, number: int) -> list[int]:
        if not rows.compact or len(self._scope.metrics) == 1:
            return list(range(len(self._scope.metrics)))
        found = rows.frame.select(pl.col(f".m{number}").unique()).collect()
        return sorted(found[:, 0].to_list())

    @staticmethod
    def _time_of(star: Star) -> str:
        names = [variable(o) for p, o in star.properties if p == TIMESTAMP and variable(o)]
        return names[0] if names else ""

    def _joined(self, rows: Rows, found: Rows, metric: Metric, number: int) -> Rows:
        shared = [name for name in found.columns if name in rows.columns]
        found, rows = aligned(found, rows, shared)
        tags = owner_tags(metric)
        keys = [f".k{number}.{tag}" for tag in tags]
        scan = found.frame.rename({f".{tag}": key for tag, key in zip(tags, keys, strict=True)})
        if rows.compact and len(keys) == 1:
            names = rows.frame.select(pl.col(keys[0]).unique()).collect()[:, 0]
            if len(names) <= _FEW * self._store.sensors(metric).height:
                scan = scan.filter(pl.col(keys[0]).is_in(names.implode()))
        columns = {**found.columns, **rows.columns}
        if not keys and not shared:
            return Rows(scan.join(rows.frame, how="cross"), columns)
        frame = scan.join(rows.frame, on=[*keys, *shared], how="inner", maintain_order="none")
        return Rows(frame, columns)

    def _within(
        self,
        rows: Rows,
        found: Rows,
        metric: Metric,
        number: int,
        star: Star,
        bounds: Bounds,
        windows: Sequence[TimeWindow],
    ) -> Rows:
        """Readings of a sensor within an interval of each row, such as a job's run."""
        shared = [name for name in found.columns if name in rows.columns]
        found, rows = aligned(found, rows, shared)
        tags = owner_tags(metric)
        keys = [f".k{number}.{tag}" for tag in tags]
        start = min((w.start for w in windows), default=_START)
        end = max((w.end for w in windows), default=_END)
        intervals = bounds.added_to(rows.frame.collect(), pl.lit(start, TIME), pl.lit(end, TIME))
        time = self._time_of(star)
        scan = found.frame.rename({f".{tag}": key for tag, key in zip(tags, keys, strict=True)})
        joined = [*keys, *shared]
        codes = codes_of(intervals, joined)
        coded = with_code(scan, codes, joined)
        instants = coded.select(pl.exclude(joined) if joined else pl.all()).collect(
            engine="streaming"
        )
        frame = pairs(intervals, instants, joined, codes, time)
        return Rows(frame.lazy(), {**found.columns, **rows.columns})

    def _named(self, rows: Rows, star: Star, metric: Metric, number: int, wanted: set[str]) -> Rows:
        """``rows`` with the reading's own IRI where that is wanted, or compared where written."""
        name = variable(star.subject)
        if name and name not in wanted:
            return rows
        beginning = pl.col(f".r{number}")
        tags = {tag: pl.col(f".{tag}") for tag in metric.tags if tag not in owner_tags(metric)}
        frame = rows.frame.with_columns(expr.alias(tag) for tag, expr in tags.items())
        iri = reading_iris(metric, beginning, pl.col(".time"))
        if not name:
            frame = frame.filter(iri == str(star.subject))
            return replace(rows, frame=frame.drop(".time", *tags, *(f".{t}" for t in tags)))
        if name in rows.columns:
            frame = frame.filter(iri == rows.plain(name))
            return replace(rows, frame=frame.drop(".time", *tags, *(f".{t}" for t in tags)))
        frame = frame.with_columns(iri.alias(name)).drop(".time", *tags, *(f".{t}" for t in tags))
        return Rows(frame, {**rows.columns, name: Column(Kind.IRI)})

    def _none(self, rows: Rows, star: Star, wanted: set[str]) -> Rows:
        names = [name for name in star.names & wanted if name not in rows.columns]
        frame = rows.frame.with_columns(pl.lit(None, pl.String).alias(name) for name in names)
        columns = {name: Column(Kind.NOTHING, True) for name in names}
        return Rows(frame.filter(pl.lit(False)), {**rows.columns, **columns}, rows.compact)

    def _windows(self, rows: Rows, time: str, conditions: Sequence[Any]) -> list[TimeWindow]:
        """The scope's windows cut to what the conditions allow; an empty one at the least."""
        first, last = _START, _END
        for op, node in _about(time, conditions):
            if names_in(node):
                continue
            bound = typed(node, {}).constant
            if bound is None or not isinstance(bound.value, datetime):
                continue
            if op in (">", ">=", "="):
                first = max(first, bound.value)
            if op in ("<", "<=", "="):
                last = min(last, bound.value)
        if rows.compact and time in rows.columns:
            known = rows.frame.select(
                pl.col(time).min().alias("first"), pl.col(time).max().alias("last")
            ).collect()
            if known["first"][0] is None:
                return [_NEVER]
            first, last = max(first, known["first"][0]), min(last, known["last"][0])
        bounds = self._bounds(rows, time, conditions)
        if bounds is not None:
            spans = bounds.added_to(rows.frame.collect(), pl.lit(first, TIME), pl.lit(last, TIME))
            if spans.is_empty():
                return [_NEVER]
            ends = spans.select(pl.col(FIRST).min(), pl.col(LAST).max())
            first, last = ends[FIRST][0], ends[LAST][0]
        if (first, last) == (_START, _END):
            return list(self._scope.windows)
        windows = self._scope.windows or (TimeWindow(_START, _END, True),)
        cut = [
            TimeWindow(max(w.start, first), min(w.end, last), w.includes_end or last < w.end)
            for w in windows
        ]
        return [w for w in cut if w.start <= w.end] or [_NEVER]

    @staticmethod
    def _bounds(rows: Rows, time: str, conditions: Sequence[Any]) -> Bounds | None:
        """The interval that conditions give each of ``rows`` for ``time``; None without one."""
        return compared_with(time, conditions, rows)[0] if rows.compact and time else None


def compared_with(time: str, conditions: Sequence[Any], rows: Rows) -> tuple[Bounds | None, int]:
    """The interval that each of ``rows`` sets for ``time``, and how many conditions made it."""
    first: list[pl.Expr] = []
    last: list[pl.Expr] = []
    for op, node in _about(time, conditions):
        names = names_in(node)
        if not names or not names <= set(rows.columns) or op == "=":
            continue
        bound = typed(node, rows.columns)
        if bound.kind is not Kind.DATE_TIME:
            continue
        moment = bound.expr.dt.convert_time_zone("UTC")
        if op in (">", ">="):
            first.append(moment + _TICK if op == ">" else moment)
        else:
            last.append(moment - _TICK if op == "<" else moment)
    found = Bounds(tuple(first), tuple(last)) if first or last else None
    return found, len(first) + len(last)


def _about(time: str, conditions: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Comparisons of ``time`` with something else, as if ``time`` stood on the left."""
    for test in conditions:
        if not isinstance(test, CompValue) or test.name != "RelationalExpression":
            continue
        if test.op not in _FLIPPED:
            continue
        if isinstance(test.expr, Variable) and str(test.expr) == time:
            yield test.op, test.other
        elif isinstance(test.other, Variable) and str(test.other) == time:
            yield _FLIPPED[test.op], test.expr


def _stacked(parts: Sequence[Rows]) -> Rows:
    if len(parts) == 1:
        return parts[0]
    columns = dict(parts[0].columns)
    for part in parts[1:]:
        for name, column in part.columns.items():
            before = columns[name]
            if before.kind is not column.kind or before.category != column.category:
                raise NotTranslatable(f"?{name} differs from metric to metric")
            columns[name] = replace(
                before,
                finite=before.finite and column.finite,
                nullable=before.nullable or column.nullable,
            )
    # Hidden columns of other stars must survive, so all parts are cut to the same columns.
    names = parts[0].frame.collect_schema().names()
    return Rows(pl.concat([part.frame.select(names) for part in parts]), columns)
