"""Aggregates of a group as Polars expressions, with the store's treatment of errors."""

from collections.abc import Callable

import polars as pl
from rdflib.plugins.sparql.parserutils import CompValue

from ontology.vocabulary import FUNCTION
from retrieval.query_result import NUMBERS, Kind
from retrieval.virtual_expressions import Scope, typed
from retrieval.virtual_rows import Column, NotTranslatable
from retrieval.virtual_samples import Samples
from retrieval.virtual_values import Typed


def needs_order(node: CompValue) -> bool:
    """Whether an aggregate is over samples in order of time."""
    return node.name == "Aggregate_Custom" and str(node.iri).removeprefix(FUNCTION) in _OVER_TIME


def finds_runs(node: CompValue) -> bool:
    """Whether an aggregate over samples looks for runs."""
    return str(node.iri) == FUNCTION + "episodes"


def sample_columns(node: CompValue, scope: Scope, samples: Samples) -> list[pl.Expr]:
    """The hidden columns that ``samples`` needs of an aggregate over time."""
    numbers, time = _halves(typed(node.vars, scope), Kind.SAMPLE)
    return [
        time.expr.dt.convert_time_zone("UTC").alias(samples.column("time")),
        _numbers(numbers).alias(samples.column("value")),
    ]


def _over_time(node: CompValue, value: Typed, samples: Samples) -> tuple[pl.Expr, Column]:
    if not samples.runs:
        result, kind = samples.integral(), Kind.DOUBLE
    else:
        result, kind = samples.episodes(), Kind.EPISODES
    if value.column.nullable:
        whole = (samples.value.null_count() == 0) & (samples.time.null_count() == 0)
        result = pl.when(whole).then(result)
    return result, Column(kind, True)


def aggregated(
    node: CompValue, scope: Scope, grouped: bool, samples: Samples | None = None
) -> tuple[pl.Expr, Column]:
    """The value of one aggregate over a group; ``grouped`` is False where all rows are one.

    ``samples`` are the prepared columns of an aggregate that needs order.
    A value that is unbound in some row makes the result unbound, except for COUNT and SAMPLE.
    """
    if node.name == "Aggregate_Count" and node.vars == "*":
        if node.distinct:
            raise NotTranslatable("COUNT(DISTINCT *)")
        return pl.len().cast(pl.Int64), Column(Kind.INTEGER)
    value = typed(node.vars, scope)
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
            return counted.cast(pl.Int64), Column(Kind.INTEGER)
        case "Sample":
            chosen = expr.drop_nulls().first() if column.nullable else expr.first()
            nullable = column.nullable or not grouped
            return chosen, _with(column, nullable)
        case "Sum" | "Avg" as name:
            if value.kind not in NUMBERS:
                raise NotTranslatable(f"{name} of values of kind {value.kind}")
            values = expr.unique() if distinct else expr
            total = values.sum() if name == "Sum" else values.mean()
            kind = value.kind
            if name == "Avg":
                kind = Kind.DECIMAL if kind is Kind.INTEGER else kind
                if not grouped:
                    total = pl.when(expr.len() == 0).then(0.0).otherwise(total)
            return _sound(total, value), Column(kind, column.nullable, finite=column.finite)
        case "Min" | "Max" as name:
            if value.kind is Kind.NOTHING:
                return pl.lit(None, pl.String).first(), Column(Kind.NOTHING, True)
            least = _least(value, name == "Min")
            nullable = column.nullable or not grouped
            plain = Column(value.kind, nullable, zone=column.zone, pattern=column.pattern)
            return _sound(least, value), plain
        case "GroupConcat" if value.kind is Kind.STRING:
            texts = value.text().unique() if distinct else value.text()
            separator = " " if node.separator is None else str(node.separator)
            return _sound(texts.str.join(separator), value), Column(Kind.STRING, column.nullable)
    raise NotTranslatable(f"{node.name} of values of kind {value.kind}")


def _least(value: Typed, lowest: bool) -> pl.Expr:
    expr = value.text() if value.column.category else value.expr
    if lowest:
        return expr.min()
    # NaN is the largest value in the store's order; Polars' max() leaves it out.
    return expr.nan_max() if value.column.may_be_nan else expr.max()


def _with(column: Column, nullable: bool) -> Column:
    return Column(
        column.kind,
        nullable,
        category=column.category,
        zone=column.zone,
        pattern=column.pattern,
        finite=column.finite,
    )


def _sound(result: pl.Expr, *values: Typed) -> pl.Expr:
    doubtful = [value.expr.null_count() == 0 for value in values if value.column.nullable]
    if not doubtful:
        return result
    return pl.when(pl.all_horizontal(doubtful)).then(result)


def _analytic(name: str, value: Typed) -> tuple[pl.Expr, Column]:
    build = _ANALYTIC.get(name)
    if build is None:
        raise NotTranslatable(f"the aggregate {name}")
    return build(value)


def _numbers(value: Typed) -> pl.Expr:
    if value.kind not in NUMBERS:
        raise NotTranslatable(f"numbers are wanted, not values of kind {value.kind}")
    return value.expr.cast(pl.Float64)


def _stddev(value: Typed) -> tuple[pl.Expr, Column]:
    return _sound(_numbers(value).std(ddof=0), value), Column(Kind.DOUBLE, True)


def _median(value: Typed) -> tuple[pl.Expr, Column]:
    middle = _numbers(value).quantile(0.5, "linear")
    return _sound(middle, value), Column(Kind.DOUBLE, True)


def _halves(value: Typed, kind: Kind) -> tuple[Typed, Typed]:
    if value.kind is not kind or len(value.parts) != 2:
        raise NotTranslatable(f"an aggregate that wants {kind}")
    return value.parts[0], value.parts[1]


def _quantile(value: Typed) -> tuple[pl.Expr, Column]:
    numbers, share = _halves(value, Kind.NUMBER_PAIR)
    if share.constant is None or not 0 <= float(share.constant.value) <= 1:  # type: ignore[arg-type]
        raise NotTranslatable("a quantile that is computed")
    wanted = float(share.constant.value)  # type: ignore[arg-type]
    return _sound(_numbers(numbers).quantile(wanted, "linear"), numbers), Column(Kind.DOUBLE, True)


def _pearson(value: Typed) -> tuple[pl.Expr, Column]:
    one, other = _halves(value, Kind.NUMBER_PAIR)
    likeness = pl.corr(_numbers(one), _numbers(other))
    known = pl.when(likeness.is_finite()).then(likeness)
    return _sound(known, one, other), Column(Kind.DOUBLE, True)


def _time_of(lowest: bool) -> Callable[[Typed], tuple[pl.Expr, Column]]:
    def build(value: Typed) -> tuple[pl.Expr, Column]:
        number, time = _halves(value, Kind.SAMPLE)
        numbers = _numbers(number)
        extreme = numbers.min() if lowest else numbers.max()
        moment = time.expr.dt.convert_time_zone("UTC").filter(numbers == extreme).min()
        return _sound(moment, number, time), Column(Kind.DATE_TIME, True)

    return build


def _latest(value: Typed) -> tuple[pl.Expr, Column]:
    number, time = _halves(value, Kind.SAMPLE)
    moment = time.expr.dt.convert_time_zone("UTC")
    newest = _numbers(number).filter(moment == moment.max()).max()
    return _sound(newest, number, time), Column(Kind.DOUBLE, True)


_OVER_TIME = frozenset({"integral", "episodes"})
_ANALYTIC: dict[str, Callable[[Typed], tuple[pl.Expr, Column]]] = {
    "stddev": _stddev,
    "median": _median,
    "quantile": _quantile,
    "pearson": _pearson,
    "latest": _latest,
    "timeOfMax": _time_of(lowest=False),
    "timeOfMin": _time_of(lowest=True),
}
