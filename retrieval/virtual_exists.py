"""EXISTS and NOT EXISTS as semi-joins, also where the pattern looks at the solution outside."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
from rdflib import Variable
from rdflib.plugins.sparql.parserutils import CompValue

from retrieval.query_result import TIME, Kind
from retrieval.virtual_attach import compared_with
from retrieval.virtual_expressions import condition
from retrieval.virtual_intervals import Bounds, inside
from retrieval.virtual_rows import NotTranslatable, Rows, aligned, join, without
from retrieval.virtual_tree import ExistsTest, certain, conjuncts, names_in, visible

Evaluate = Callable[[CompValue, set[str], Sequence[Any]], Rows]
_FIRST = pl.lit(0, pl.Int64).cast(TIME)
_LAST = pl.lit(4102444800000, pl.Int64).cast(TIME)
_LOOSE = frozenset({"AggregateJoin", "Project", "Minus", "Slice", "Distinct"})


def kept(rows: Rows, test: ExistsTest, evaluate: Evaluate) -> Rows:
    """The solutions for which the pattern has a match, or has none; raises NotTranslatable."""
    pattern, inner_tests = _stripped(test.pattern)
    own = visible(pattern)
    outer = set(rows.columns)
    correlated = [t for t in inner_tests if names_in(t) & (outer - own)]
    plain = [t for t in inner_tests if t not in correlated]
    _check(pattern, outer, outer - own)
    shared = sorted(outer & own)
    if not set(shared) <= certain(pattern):
        raise NotTranslatable("EXISTS over a variable that may be unbound")
    wanted = set(shared) | (names_in(correlated) & own)
    found = evaluate(pattern, wanted, plain)
    if not correlated:
        if not shared:
            is_any = not found.frame.head(1).collect(engine="streaming").is_empty()
            return rows if is_any == test.wanted else rows.filtered(pl.lit(False))
        return without(rows, found, shared, test.wanted)
    bounds = _interval(rows, found, correlated)
    if bounds is not None:
        return _by_interval(rows, found, shared, *bounds, test.wanted)
    return _by_pairs(rows, found, correlated, test.wanted)


def _stripped(pattern: CompValue) -> tuple[CompValue, list[Any]]:
    tests: list[Any] = []
    while pattern.name == "Filter":
        tests += conjuncts(pattern.expr)
        pattern = pattern.p
    return pattern, tests


def _check(pattern: Any, outer: set[str], outside: set[str]) -> None:
    """Refuses patterns in which the outer solution would be seen deeper down."""
    if isinstance(pattern, CompValue):
        if pattern.name in _LOOSE:
            raise NotTranslatable(f"{pattern.name} within EXISTS")
        if pattern.name in ("Filter", "LeftJoin", "Extend") and names_in(pattern.expr) & outside:
            raise NotTranslatable("a nested filter that looks outside its group")
        if pattern.name == "LeftJoin" and (visible(pattern.p2) - certain(pattern.p1)) & outer:
            raise NotTranslatable("an OPTIONAL within EXISTS that looks outside its group")
        if pattern.name == "Extend" and str(pattern.var) in outer:
            raise NotTranslatable("a BIND within EXISTS that looks outside its group")
        for part in (pattern.p, pattern.p1, pattern.p2):
            _check(part, outer, outside)


def _interval(rows: Rows, found: Rows, tests: Sequence[Any]) -> tuple[str, Bounds] | None:
    """The outer instant and the inner bounds for it, if that is all that ``tests`` say."""
    times = {
        str(side)
        for test in tests
        if isinstance(test, CompValue) and test.name == "RelationalExpression"
        for side in (test.expr, test.other)
        if isinstance(side, Variable) and str(side) in rows.columns
    }
    for time in sorted(times):
        column = rows.columns[time]
        if column.kind is not Kind.DATE_TIME or column.zone != "UTC":
            continue
        bounds, used = compared_with(time, tests, found)
        if bounds is not None and used == len(tests):
            return time, bounds
    return None


def _by_interval(
    rows: Rows, found: Rows, shared: list[str], time: str, bounds: Bounds, wanted: bool
) -> Rows:
    rows, found = aligned(rows, found, shared)
    intervals = bounds.added_to(found.frame.collect(engine="streaming"), _FIRST, _LAST)
    points = rows.frame.collect(engine="streaming")
    is_inside = inside(intervals, points, shared, time)
    chosen = points.filter(is_inside if wanted else ~is_inside)
    return replace(rows, frame=chosen.lazy())


def _by_pairs(rows: Rows, found: Rows, tests: Sequence[Any], wanted: bool) -> Rows:
    frame = rows.frame.collect(engine="streaming").with_row_index(".row_number")
    numbered = replace(rows, frame=frame.lazy())
    both = join(numbered, found)
    for test in tests:
        both = both.filtered(condition(test, both.columns).expr)
    numbers = both.frame.select(".row_number").unique()
    matched = numbered.frame.join(numbers, on=".row_number", how="semi" if wanted else "anti")
    return replace(rows, frame=matched.drop(".row_number"))
