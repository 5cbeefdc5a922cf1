"""SPARQL expressions as Polars expressions: operators, and the value forms."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl
from rdflib import Literal, URIRef, Variable
from rdflib.plugins.sparql.parserutils import CompValue

from retrieval.query_result import NUMBERS, Kind
from retrieval.virtual_functions import FUNCTIONS
from retrieval.virtual_rows import Column, NotTranslatable
from retrieval.virtual_terms import column_of, constant
from retrieval.virtual_values import Typed, calculated, compared, merged, number, of_kind

Scope = Mapping[str, Column]


def typed(node: Any, scope: Scope) -> Typed:
    """The value of ``node`` over rows with the columns ``scope``; raises NotTranslatable."""
    if isinstance(node, Variable):
        column = scope.get(str(node))
        if column is None:
            return Typed(pl.lit(None, pl.String), Column(Kind.NOTHING, True))
        return Typed(pl.col(str(node)), column)
    if isinstance(node, URIRef | Literal):
        known = constant(node)
        return Typed(known.literal(), column_of([known]), known)
    if not isinstance(node, CompValue):
        raise NotTranslatable(f"the expression {node!r}")
    form = _FORMS.get(node.name)
    if form is not None:
        return form(node, scope)
    function = FUNCTIONS.get(node.name)
    if function is None:
        raise NotTranslatable(f"the expression {node.name}")
    return function(node, lambda part: typed(part, scope))


def condition(node: Any, scope: Scope) -> Typed:
    """The effective boolean value of ``node``."""
    value = typed(node, scope)
    if value.kind is Kind.BOOLEAN:
        return value
    if value.kind in NUMBERS:
        test = value.expr != 0
        if value.column.may_be_nan:
            test &= value.expr.is_not_nan()
        return of_kind(test, Kind.BOOLEAN, value)
    if value.kind is Kind.STRING:
        return of_kind(value.text() != "", Kind.BOOLEAN, value)
    if value.kind is Kind.NOTHING:
        return Typed(pl.lit(None, pl.Boolean), Column(Kind.BOOLEAN, True))
    raise NotTranslatable(f"the truth of a value of kind {value.kind}")


def _relation(node: CompValue, scope: Scope) -> Typed:
    left = typed(node.expr, scope)
    if node.op not in ("IN", "NOT IN"):
        return compared(left, node.op, typed(node.other, scope))
    others = node.other if isinstance(node.other, list) else []
    if not others:
        found = of_kind(pl.lit(False), Kind.BOOLEAN)
    else:
        tests = [compared(left, "=", typed(other, scope)) for other in others]
        found = of_kind(pl.any_horizontal([t.expr for t in tests]), Kind.BOOLEAN, *tests)
    if node.op == "NOT IN":
        found = replace(found, expr=~found.expr)
    return found


def _both(node: CompValue, scope: Scope) -> Typed:
    tests = [condition(part, scope) for part in (node.expr, *node.other)]
    return of_kind(pl.all_horizontal([t.expr for t in tests]), Kind.BOOLEAN, *tests)


def _either(node: CompValue, scope: Scope) -> Typed:
    tests = [condition(part, scope) for part in (node.expr, *node.other)]
    return of_kind(pl.any_horizontal([t.expr for t in tests]), Kind.BOOLEAN, *tests)


def _negated(node: CompValue, scope: Scope) -> Typed:
    value = condition(node.expr, scope)
    return of_kind(~value.expr, Kind.BOOLEAN, value)


def _minus(node: CompValue, scope: Scope) -> Typed:
    value = number(typed(node.expr, scope))
    same = value.column.same_term and value.kind is Kind.DECIMAL
    return Typed(-value.expr, replace(value.column, same_term=same))


def _arithmetic(node: CompValue, scope: Scope) -> Typed:
    value = number(typed(node.expr, scope))
    for op, other in zip(node.op, node.other, strict=True):
        value = calculated(value, str(op), number(typed(other, scope)))
    return value


def _if(node: CompValue, scope: Scope) -> Typed:
    test = condition(node.arg1, scope)
    (first, second), column = merged([typed(node.arg2, scope), typed(node.arg3, scope)])
    chosen = pl.when(test.expr).then(first).otherwise(second)
    if test.column.nullable:
        chosen = pl.when(test.expr).then(first).when(~test.expr).then(second)
    return Typed(chosen, replace(column, nullable=column.nullable or test.column.nullable))


def _coalesce(node: CompValue, scope: Scope) -> Typed:
    options = [typed(part, scope) for part in node.arg]
    values, column = merged(options)
    nullable = all(option.column.nullable for option in options)
    return Typed(pl.coalesce(values), replace(column, nullable=nullable))


def _bound(node: CompValue, scope: Scope) -> Typed:
    column = scope.get(str(node.arg))
    if column is None:
        return of_kind(pl.lit(False), Kind.BOOLEAN)
    return of_kind(pl.col(str(node.arg)).is_not_null(), Kind.BOOLEAN)


_FORMS = {
    "RelationalExpression": _relation,
    "ConditionalAndExpression": _both,
    "ConditionalOrExpression": _either,
    "UnaryNot": _negated,
    "UnaryMinus": _minus,
    "UnaryPlus": lambda node, scope: number(typed(node.expr, scope)),
    "AdditiveExpression": _arithmetic,
    "MultiplicativeExpression": _arithmetic,
    "Builtin_IF": _if,
    "Builtin_COALESCE": _coalesce,
    "Builtin_BOUND": _bound,
}
