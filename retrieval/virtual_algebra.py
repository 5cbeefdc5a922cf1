"""Evaluates rdflib's algebra to rows, pushing conditions down to where rows are made."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl
from rdflib import Variable
from rdflib.plugins.sparql.parserutils import CompValue

from retrieval.query_result import Kind
from retrieval.virtual_aggregates import (
    aggregated,
    needs_order,
    order_of,
    read_of,
    sample_columns,
)
from retrieval.virtual_exists import kept
from retrieval.virtual_expressions import typed
from retrieval.virtual_groups import GroupJoin, Sources, filtered
from retrieval.virtual_rows import NotTranslatable, Rows, join, told_apart, union, without
from retrieval.virtual_samples import Samples
from retrieval.virtual_terms import rows_of
from retrieval.virtual_tree import (
    GROUPS,
    certain,
    is_distinct,
    laid_open,
    mentions_readings,
    names_in,
    visible,
)

_SMALL = frozenset({"Slice", "AggregateJoin", "values", "Distinct"})


class Evaluator:
    """Evaluates the algebra of one query over ``sources``."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def rows(self, node: CompValue, wanted: set[str], conditions: Sequence[Any] = ()) -> Rows:
        """Solutions of ``node`` with at least those of the variables ``wanted`` that it binds.

        Only solutions that meet ``conditions``. Raises NotTranslatable.
        """
        if node.name in GROUPS:
            return self._group(node, wanted, conditions)
        match node.name:
            case "Union":
                sides = [self.rows(side, wanted, conditions) for side in (node.p1, node.p2)]
                return union(*(side.narrowed(wanted) for side in sides))
            case "LeftJoin":
                return self._optional(node, wanted, conditions)
            case "Minus":
                return self._minus(node, wanted, conditions)
            case "ToMultiSet" | "Graph":
                return self.rows(node.p, wanted, conditions)
            case _:
                needed = wanted | names_in(list(conditions))
                return filtered(self._closed(node, needed), conditions)

    def _closed(self, node: CompValue, wanted: set[str]) -> Rows:
        """Forms that no condition from outside may enter."""
        match node.name:
            case "values":
                return _values(node)
            case "Project":
                names = {str(name) for name in node.PV}
                return self.rows(node.p, names & wanted).narrowed(names & wanted)
            case "Distinct" | "Reduced":
                rows = self.rows(node.p, visible(node.p))
                if is_distinct(node.p):
                    return rows
                told_apart(rows, rows.columns)
                return replace(rows, frame=rows.frame.unique(maintain_order=True))
            case "Slice":
                rows = self.rows(node.p, wanted)
                return replace(rows, frame=rows.frame.slice(node.start or 0, node.length))
            case "OrderBy":
                return self._ordered(node, wanted)
            case "AggregateJoin":
                return self._aggregated(node, wanted)
            case _:
                raise NotTranslatable(f"the algebra's {node.name}")

    def _group(self, node: CompValue, wanted: set[str], conditions: Sequence[Any]) -> Rows:
        group = laid_open(node)
        tests = [*group.conditions, *conditions]
        needed = wanted | names_in(tests)
        for test in group.tests:
            needed |= names_in(test.pattern) & visible(node)
        binds: list[tuple[str, Any]] = []
        for name, expression in reversed(group.binds):
            if name in needed:
                binds.insert(0, (name, expression))
                needed |= names_in(expression)
        made = {name for name, _ in binds}
        early = [test for test in tests if not names_in(test) & made]
        operands = [self._operand(part, needed, node) for part in group.operands]
        joined = GroupJoin(self._sources, group.triples, operands, early, needed - made)
        rows = joined.rows()
        rows = filtered(rows, joined.leftover())
        for name, expression in binds:
            rows = _bound(rows, name, expression)
        rows = filtered(rows, [test for test in tests if names_in(test) & made])
        for test in group.tests:
            rows = kept(rows.narrowed(needed), test, self.rows)
        return rows

    def _operand(self, part: CompValue, needed: set[str], group: CompValue) -> Rows:
        shared = visible(part) if part is not group else set()
        rows = self.rows(part, needed | shared)
        if _is_small(part) and not rows.compact:
            return rows.collected().with_known_nulls()
        return rows

    def _optional(self, node: CompValue, wanted: set[str], conditions: Sequence[Any]) -> Rows:
        shared = visible(node.p1) & visible(node.p2)
        tests = [] if node.expr.name == "TrueFilter" else [node.expr]
        needed = wanted | shared | names_in(tests) | names_in(list(conditions))
        left_only = [
            c for c in conditions if not names_in(c) & (visible(node.p2) - certain(node.p1))
        ]
        left = self.rows(node.p1, needed, left_only)
        inner = [t for t in tests if names_in(t) <= visible(node.p2)]
        outer = [t for t in tests if t not in inner]
        right = self.rows(node.p2, needed, inner).narrowed(needed)
        rest = [c for c in conditions if c not in left_only]
        if not outer:
            return filtered(join(left, right, "left"), rest)
        numbered = replace(
            left, frame=left.frame.collect(engine="streaming").with_row_index(".left").lazy()
        )
        both = join(numbered, right)
        met = filtered(both, outer)
        met_numbers = met.frame.select(".left").unique()
        unmet = numbered.frame.join(met_numbers, on=".left", how="anti")
        missed = replace(left, frame=unmet)
        names = set(both.columns)
        return filtered(union(met.narrowed(names), missed.narrowed(names)), rest)

    def _minus(self, node: CompValue, wanted: set[str], conditions: Sequence[Any]) -> Rows:
        shared = sorted(visible(node.p1) & visible(node.p2))
        left = self.rows(node.p1, wanted | set(shared), conditions)
        if not shared:
            return left
        return without(left, self.rows(node.p2, set(shared)), shared, keep=False)

    def _ordered(self, node: CompValue, wanted: set[str]) -> Rows:
        rows = self.rows(node.p, wanted | names_in(list(node.expr)))
        keys, descending = [], []
        for part in node.expr:
            key = typed(part.expr, rows.columns)
            if key.kind is Kind.DECIMAL and not key.column.exact:
                raise NotTranslatable("an order of decimals that are computed in steps")
            if key.kind in (Kind.EPISODES, Kind.SAMPLE, Kind.NUMBER_PAIR, Kind.MARKED_SAMPLE):
                raise NotTranslatable(f"an order of values of kind {key.kind}")
            keys.append(key.text() if key.column.category else key.expr)
            descending.append(part.order == "DESC")
        if not keys:
            return rows
        # Unbound values come first, and so last in descending order.
        frame = rows.frame.sort(
            keys, descending=descending, nulls_last=descending, maintain_order=True
        )
        return replace(rows, frame=frame)

    def _aggregated(self, node: CompValue, wanted: set[str]) -> Rows:
        inner = node.p.p
        keys = [key for key in node.p.expr or () if isinstance(key, Variable)]
        if len(keys) != len(node.p.expr or ()):
            raise NotTranslatable("a group by an expression without a name")
        sure = certain(inner)
        wanted_parts = [a for a in node.A if str(a.res) in wanted or not wanted]
        parts = [_counted(a, sure) for a in wanted_parts]
        needed = {str(key) for key in keys} | names_in([a.vars for a in parts])
        if any(a.vars == "*" and a.distinct for a in parts):
            needed |= visible(inner)
        rows = self.rows(inner, needed).narrowed(needed)
        names = [str(key) for key in keys if str(key) in rows.columns]
        told_apart(rows, names)
        rows, parts = _with_constants(rows, parts)
        samples = {
            str(a.res): Samples(n, order_of(a)) for n, a in enumerate(parts) if needs_order(a)
        }
        rows = self._in_order(rows, parts, samples, names)
        made = {
            str(a.res): aggregated(a, rows.columns, bool(keys), samples.get(str(a.res)))
            for a in parts
        }
        values = [value.alias(name) for name, (value, _) in made.items()]
        columns = {name: column for name, (_, column) in made.items()}
        if not keys:
            frame = rows.frame.select(values or [pl.len().alias(".rows")])
        elif names:
            # Keys are read off the groups; to take each key's first value would cost a pass.
            keyed = {str(a.res): names.index(str(a.vars)) for a in parts if _is_key(a, names)}
            hidden = [pl.col(name).alias(f".key{n}") for n, name in enumerate(names)]
            values = [value.alias(name) for name, (value, _) in made.items() if name not in keyed]
            frame = rows.frame.group_by(hidden).agg(values)
            frame = frame.with_columns(pl.col(f".key{n}").alias(res) for res, n in keyed.items())
        else:
            everything = rows.frame.select(*values, pl.len().alias(".rows"))
            frame = everything.filter(pl.col(".rows") > 0)
        return Rows(frame, columns)

    def _in_order(
        self,
        rows: Rows,
        aggregates: Sequence[CompValue],
        samples: dict[str, Samples],
        keys: list[str],
    ) -> Rows:
        """``rows`` with what aggregates over time need, each in its group's order of time."""
        if not samples:
            return rows
        columns: list[pl.Expr] = []
        for aggregate in aggregates:
            found = samples.get(str(aggregate.res))
            columns += sample_columns(aggregate, rows.columns, found) if found else []
        # Only what is grouped by or aggregated is worth keeping in memory.
        names = sorted(set(rows.columns) & {*keys, *_read(aggregates, samples)})
        frame = rows.frame.select(*names, *columns).collect(engine="streaming")
        for found in samples.values():
            frame = found.prepared(frame, keys)
        return replace(rows, frame=frame.lazy())


def _is_key(aggregate: CompValue, keys: Sequence[str]) -> bool:
    return aggregate.name == "Aggregate_Sample" and str(aggregate.vars) in keys


def _read(aggregates: Sequence[CompValue], samples: dict[str, Samples]) -> set[str]:
    """The variables that aggregates other than those over ``samples`` read."""
    return names_in([a.vars for a in aggregates if str(a.res) not in samples])


def _counted(aggregate: CompValue, sure: set[str]) -> CompValue:
    """COUNT of a variable that is always bound as COUNT(*), which needs no column."""
    is_count = aggregate.name == "Aggregate_Count" and not aggregate.distinct
    if is_count and isinstance(aggregate.vars, Variable) and str(aggregate.vars) in sure:
        return CompValue("Aggregate_Count", vars="*", distinct="", res=aggregate.res)
    return aggregate


def _with_constants(rows: Rows, aggregates: Sequence[CompValue]) -> tuple[Rows, list[CompValue]]:
    """``rows`` with a column for each constant that is aggregated, which alone is but one value."""
    parts = []
    for number, aggregate in enumerate(aggregates):
        # What is put in order becomes columns of the rows, constants too.
        stays = aggregate.vars == "*" or needs_order(aggregate)
        value = None if stays else typed(aggregate.vars, rows.columns)
        if value is None or all(half.expr.meta.root_names() for half in read_of(aggregate, value)):
            parts.append(aggregate)
            continue
        if value.parts:
            raise NotTranslatable("an aggregate over a constant sample")
        name = f".constant{number}"
        rows = rows.extended(name, value.expr, value.column)
        parts.append(CompValue(aggregate.name, **{**aggregate, "vars": Variable(name)}))
    return rows, parts


def _bound(rows: Rows, name: str, expression: Any) -> Rows:
    if name in rows.columns:
        raise NotTranslatable(f"a second value for ?{name}")
    value = typed(expression, rows.columns)
    if value.parts:
        raise NotTranslatable("a sample outside of an aggregate")
    return rows.extended(name, value.expr, value.column)


def _values(node: CompValue) -> Rows:
    names = sorted({str(name) for row in node.res for name in row})
    table: dict[str, list[Any]] = {name: [] for name in names}
    for row in node.res:
        known = {str(name): term for name, term in row.items()}
        for name in names:
            term = known.get(name)
            table[name].append(None if term is None or str(term) == "UNDEF" else term)
    return rows_of(table, len(node.res))


def _is_small(node: CompValue) -> bool:
    """Whether a part of a group has few solutions, so that they can guide scans of readings."""
    here = node
    while here.name in ("Project", "OrderBy", "Extend", "Filter", "ToMultiSet"):
        here = here.p
    return here.name in _SMALL or not mentions_readings(node)
