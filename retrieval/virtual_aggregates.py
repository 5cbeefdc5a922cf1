"""Aggregates of a group as Polars expressions, with the store's treatment of errors."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import polars as pl
from rdflib import Variable
from rdflib.plugins.sparql.parserutils import CompValue

from ontology.vocabulary import FUNCTION
from retrieval.query_result import NUMBERS, Kind
from retrieval.virtual_courses import COURSES
from retrieval.virtual_expressions import Scope, typed
from retrieval.virtual_rows import Column, NotTranslatable
from retrieval.virtual_samples import Order, Samples
from retrieval.virtual_terms import LARGEST
from retrieval.virtual_values import FITS, Typed, halves, numbers, sound

_MOST_ROWS = 2**40


def needs_order(node: CompValue) -> bool:
    """Whether an aggregate is over samples in order of time."""
    return node.name == "Aggregate_Custom" and str(node.iri).removeprefix(FUNCTION) in _OVER_TIME


def read_of(node: CompValue, value: Typed) -> Sequence[Typed]:
    """What an aggregate of ``value`` reads row by row; which quantile is wanted is no row's."""
    is_quantile = node.name == "Aggregate_Custom" and str(node.iri) == FUNCTION + "quantile"
    return value.parts[:1] if is_quantile else value.parts or (value,)


def order_of(node: CompValue) -> Order:
    """What an aggregate over time looks for."""
    return _OVER_TIME[str(node.iri).removeprefix(FUNCTION)]


def sample_columns(node: CompValue, scope: Scope, samples: Samples) -> list[pl.Expr]:
    """The hidden columns that ``samples`` needs of an aggregate over time."""
    value = typed(node.vars, scope)
    marked = samples.order is Order.MARKED
    if value.kind is not (Kind.MARKED_SAMPLE if marked else Kind.SAMPLE):
        raise NotTranslatable(f"an aggregate over time of values of kind {value.kind}")
    number, time, *mark = value.parts
    return [
        time.expr.dt.convert_time_zone("UTC").alias(samples.column("time")),
        numbers(number).alias(samples.column("value")),
        *(flag.expr.alias(samples.column("mark")) for flag in mark),
    ]


def _over_time(node: CompValue, value: Typed, samples: Samples) -> tuple[pl.Expr, Column]:
    held = samples.order is Order.HELD
    result = samples.integral() if held else samples.spans()
    if value.column.nullable:
        whole = pl.all_horizontal(part.null_count() == 0 for part in samples.parts)
        result = pl.when(whole).then(result)
    return result, Column(Kind.DOUBLE if held else Kind.EPISODES, True)


def aggregated(
    node: CompValue, scope: Scope, grouped: bool, samples: Samples | None = None
) -> tuple[pl.Expr, Column]:
    """The value of one aggregate over a group; ``grouped`` is False where all rows are one.

    ``samples`` are the prepared columns of an aggregate that needs order.
    A value that is unbound in some row makes the result unbound, except for COUNT and SAMPLE.
    """
    if node.name == "Aggregate_Count" and node.vars == "*":
        if node.distinct:
            return _solutions(scope)
        return pl.len().cast(pl.Int64), Column(Kind.INTEGER, limit=_MOST_ROWS)
    value = typed(node.vars, scope)
    if node.distinct and not value.column.tells_terms:
        raise NotTranslatable("DISTINCT numbers that are computed or mixed")
    if node.name == "Aggregate_Custom":
        if node.distinct:
            raise NotTranslatable("DISTINCT in an aggregate of our own")
        if samples is not None:
            return _over_time(node, value, samples)
        return _analytic(str(node.iri).removeprefix(FUNCTION), value)
    if value.parts:
        raise NotTranslatable(f"{node.name} of samples")
    return _standard(node, value, bool(node.distinct), grouped)


def _standard(
    node: CompValue, value: Typed, distinct: bool, grouped: bool
) -> tuple[pl.Expr, Column]:
    column = value.column
    expr = value.expr
    match node.name.removeprefix("Aggregate_"):
        case "Count":
            counted = expr.drop_nulls().n_unique() if distinct else expr.count()
            counted = counted.cast(pl.Int64)
            # An unbound variable is not counted; an expression that fails leaves no count at all.
            nullable = column.nullable and not isinstance(node.vars, Variable)
            if nullable:
                counted = sound(counted, value)
            return counted, Column(Kind.INTEGER, nullable, limit=_MOST_ROWS)
        case "Sample":
            chosen = expr.drop_nulls().first() if column.nullable else expr.first()
            return chosen, replace(column, nullable=column.nullable or not grouped)
        case "Sum" | "Avg" as name:
            if value.kind not in NUMBERS:
                raise NotTranslatable(f"{name} of values of kind {value.kind}")
            values = expr.unique() if distinct else expr
            return _summed(values, value) if name == "Sum" else _mean(values, value, grouped)
        case "Min" | "Max" as name:
            if value.kind is Kind.NOTHING:
                return pl.lit(None, pl.String).first(), Column(Kind.NOTHING, True)
            least = _least(value, name == "Min")
            nullable = column.nullable or not grouped
            return sound(least, value), replace(column, nullable=nullable, category=False)
        case "GroupConcat" if value.kind is Kind.STRING:
            texts = value.text().unique() if distinct else value.text()
            separator = " " if node.separator is None else str(node.separator)
            return sound(texts.str.join(separator), value), Column(Kind.STRING, column.nullable)
    raise NotTranslatable(f"{node.name} of values of kind {value.kind}")


def _least(value: Typed, lowest: bool) -> pl.Expr:
    expr = value.text() if value.column.category else value.expr
    if lowest:
        return expr.min()
    # NaN is the largest value in the store's order; Polars' max() leaves it out.
    return expr.nan_max() if value.column.may_be_nan else expr.max()


def _solutions(scope: Scope) -> tuple[pl.Expr, Column]:
    """How many different solutions there are, over all the columns of ``scope``."""
    if not scope or not all(column.tells_terms for column in scope.values()):
        raise NotTranslatable("DISTINCT solutions with numbers that are computed or mixed")
    found = pl.struct(list(scope)).n_unique().cast(pl.Int64)
    return found, Column(Kind.INTEGER, limit=_MOST_ROWS)


def _summed(values: pl.Expr, value: Typed) -> tuple[pl.Expr, Column]:
    column, total = value.column, values.sum()
    limit = column.limit * _MOST_ROWS
    whole = column.whole
    facts = Column(value.kind, column.nullable, finite=column.finite)
    if value.kind is Kind.INTEGER and limit < LARGEST:
        facts = replace(facts, limit=limit)
    elif value.kind is Kind.INTEGER:
        # What does not fit is an error for the store, while Polars begins anew at the other end.
        total = pl.when(values.cast(pl.Float64).abs().sum() < FITS).then(total)
        facts = replace(facts, nullable=True)
    elif value.kind is Kind.DECIMAL:
        facts = replace(facts, same_term=whole, exact=whole, whole=whole)
    return sound(total, value), facts


def _mean(values: pl.Expr, value: Typed, grouped: bool) -> tuple[pl.Expr, Column]:
    column, mean = value.column, values.mean()
    if not grouped:
        mean = pl.when(values.len() == 0).then(0.0).otherwise(mean)
    if value.kind is Kind.DOUBLE:
        # Of nothing, the mean is the integer 0.
        return sound(mean, value), Column(Kind.DOUBLE, column.nullable, finite=column.finite)
    exact = value.kind is Kind.INTEGER or column.whole
    return sound(mean, value), Column(Kind.DECIMAL, column.nullable, same_term=exact, exact=exact)


def _analytic(name: str, value: Typed) -> tuple[pl.Expr, Column]:
    build = _ANALYTIC.get(name)
    if build is None:
        raise NotTranslatable(f"the aggregate {name}")
    return build(value)


def _stddev(value: Typed) -> tuple[pl.Expr, Column]:
    return sound(numbers(value).std(ddof=0), value), Column(Kind.DOUBLE, True)


def _median(value: Typed) -> tuple[pl.Expr, Column]:
    middle = numbers(value).quantile(0.5, "linear")
    return sound(middle, value), Column(Kind.DOUBLE, True)


def _quantile(value: Typed) -> tuple[pl.Expr, Column]:
    number, share = halves(value, Kind.NUMBER_PAIR)
    if share.constant is None or not 0 <= float(share.constant.value) <= 1:  # type: ignore[arg-type]
        raise NotTranslatable("a quantile that is computed")
    wanted = float(share.constant.value)  # type: ignore[arg-type]
    return sound(numbers(number).quantile(wanted, "linear"), number), Column(Kind.DOUBLE, True)


def _pearson(value: Typed) -> tuple[pl.Expr, Column]:
    one, other = halves(value, Kind.NUMBER_PAIR)
    likeness = pl.corr(numbers(one), numbers(other))
    known = pl.when(likeness.is_finite()).then(likeness)
    return sound(known, one, other), Column(Kind.DOUBLE, True)


def _time_of(lowest: bool) -> Callable[[Typed], tuple[pl.Expr, Column]]:
    def build(value: Typed) -> tuple[pl.Expr, Column]:
        number, time = halves(value, Kind.SAMPLE)
        values = numbers(number)
        extreme = values.min() if lowest else values.max()
        moment = time.expr.dt.convert_time_zone("UTC").filter(values == extreme).min()
        return sound(moment, number, time), Column(Kind.DATE_TIME, True)

    return build


def _latest(value: Typed) -> tuple[pl.Expr, Column]:
    number, time = halves(value, Kind.SAMPLE)
    moment = time.expr.dt.convert_time_zone("UTC")
    newest = numbers(number).filter(moment == moment.max()).max()
    return sound(newest, number, time), Column(Kind.DOUBLE, True, same_term=False)


_OVER_TIME = {
    "integral": Order.HELD,
    "episodes": Order.RUNS,
    "runs": Order.MARKED,
    "gaps": Order.GAPS,
}
_ANALYTIC: dict[str, Callable[[Typed], tuple[pl.Expr, Column]]] = {
    "stddev": _stddev,
    "median": _median,
    "quantile": _quantile,
    "pearson": _pearson,
    "latest": _latest,
    "timeOfMax": _time_of(lowest=False),
    "timeOfMin": _time_of(lowest=True),
    **COURSES,
}
