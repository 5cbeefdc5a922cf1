"""Values of expressions as Polars expressions, compared and calculated with as SPARQL does."""

import math
from dataclasses import dataclass, replace

import polars as pl

from retrieval.query_result import DTYPES, NUMBERS, Kind
from retrieval.virtual_rows import Column, NotTranslatable, both, plain, wider
from retrieval.virtual_terms import LARGEST, Constant


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression with what is known of its values; null is an error or an unbound variable."""

    expr: pl.Expr
    column: Column
    constant: Constant | None = None
    parts: tuple["Typed", ...] = ()
    """The two halves of a sample or a pair of numbers, which have no column of their own."""

    @property
    def kind(self) -> Kind:
        """What the values are."""
        return self.column.kind

    def text(self) -> pl.Expr:
        """The expression with categories and patterned instants as text."""
        return plain(self.expr, self.column)


def of_kind(expr: pl.Expr, kind: Kind, *sources: Typed, fails: bool = False) -> Typed:
    """``expr`` as a value of ``kind``, unbound where one of ``sources`` is, or if it ``fails``."""
    nullable = fails or any(source.column.nullable for source in sources)
    finite = all(not source.column.may_be_nan for source in sources) and not fails
    return Typed(expr, Column(kind, nullable, finite=finite and kind is Kind.DOUBLE))


def compared(left: Typed, op: str, right: Typed) -> Typed:
    """``left op right`` for one of = != < > <= >=; raises NotTranslatable for odd kinds."""
    if Kind.NOTHING in (left.kind, right.kind):
        return Typed(pl.lit(None, pl.Boolean), Column(Kind.BOOLEAN, True))
    if left.kind in NUMBERS and right.kind in NUMBERS:
        return _compared_numbers(left, op, right)
    if left.kind is not right.kind:
        raise NotTranslatable(f"a comparison of {left.kind} with {right.kind}")
    if left.kind is Kind.DATE_TIME:
        a, b = (side.expr.dt.convert_time_zone("UTC") for side in (left, right))
    elif left.kind in (Kind.STRING, Kind.IRI):
        if left.kind is Kind.IRI and op not in ("=", "!="):
            raise NotTranslatable("an order of IRIs")
        a, b = _texts(left, op, right)
    elif left.kind is Kind.BOOLEAN:
        a, b = left.expr, right.expr
    else:
        raise NotTranslatable(f"a comparison of values of kind {left.kind}")
    return of_kind(_operate(a, op, b), Kind.BOOLEAN, left, right)


def _texts(left: Typed, op: str, right: Typed) -> tuple[pl.Expr, pl.Expr]:
    equality = op in ("=", "!=")
    for one, other in ((left, right), (right, left)):
        if equality and one.column.category and (other.constant or other.column.category):
            return left.expr, right.expr
    return left.text(), right.text()


def _compared_numbers(left: Typed, op: str, right: Typed) -> Typed:
    for side in (left, right):
        if side.kind is Kind.DECIMAL and not side.column.exact:
            raise NotTranslatable("a comparison of decimals that are computed in steps")
    test = _operate(left.expr, op, right.expr)
    doubtful = [side.expr for side in (left, right) if side.column.may_be_nan]
    # Polars orders NaN above all numbers and equal to itself; in SPARQL it is neither.
    if doubtful and op not in ("=", "!="):
        known = pl.all_horizontal([side.is_not_nan() for side in doubtful])
        return of_kind(pl.when(known).then(test), Kind.BOOLEAN, left, right, fails=True)
    if len(doubtful) == 2:
        number = doubtful[0].is_not_nan()
        test = test & number if op == "=" else test | ~number
    return of_kind(test, Kind.BOOLEAN, left, right)


def _operate(a: pl.Expr, op: str, b: pl.Expr) -> pl.Expr:
    match op:
        case "=":
            return a == b
        case "!=":
            return a != b
        case "<":
            return a < b
        case ">":
            return a > b
        case "<=":
            return a <= b
        case ">=":
            return a >= b
        case _:
            raise NotTranslatable(f"the operator {op}")


def number(value: Typed) -> Typed:
    """``value`` where it is a number; raises NotTranslatable where it is not."""
    if value.kind is Kind.NOTHING:
        return Typed(pl.lit(None, pl.Float64), Column(Kind.DOUBLE, True))
    if value.kind not in NUMBERS:
        raise NotTranslatable(f"arithmetic with a value of kind {value.kind}")
    return value


def calculated(a: Typed, op: str, b: Typed) -> Typed:
    """``a op b`` for one of + - * /, both numbers."""
    kind = wider(a.kind, b.kind)
    if op == "/":
        return _divided(a, b, kind)
    if op not in ("+", "-", "*"):
        raise NotTranslatable(f"the operator {op}")
    limits = a.column.limit, b.column.limit
    limit = limits[0] * limits[1] if op == "*" else limits[0] + limits[1]
    if kind is not Kind.INTEGER:
        return _with_facts(of_kind(_computed(a.expr, op, b.expr), kind, a, b), a, op, b)
    if limit < LARGEST:
        found = of_kind(_computed(a.expr, op, b.expr), kind, a, b)
        return replace(found, column=replace(found.column, limit=limit))
    # What does not fit is an error for the store, while Polars begins anew from the other end.
    about = _computed(a.expr.cast(pl.Float64), op, b.expr.cast(pl.Float64))
    fits = pl.when(about.abs() < FITS).then(_computed(a.expr, op, b.expr))
    return of_kind(fits, kind, a, b, fails=True)


FITS = float(LARGEST - 2**12)
"""Results below this, reckoned as floats, are integers that fit."""


def _computed(a: pl.Expr, op: str, b: pl.Expr) -> pl.Expr:
    if op == "*":
        return a * b
    return a + b if op == "+" else a - b


def _with_facts(value: Typed, a: Typed, op: str, b: Typed) -> Typed:
    """``value``, which is ``a op b``, with what is known of it as a term."""
    if value.kind is Kind.DECIMAL:
        whole = _is_whole(a) and _is_whole(b)
        column = replace(value.column, same_term=whole, exact=whole, whole=whole)
        return replace(value, column=column)
    sides = (a, b)
    same = all(side.column.same_term or side.kind is Kind.INTEGER for side in sides)
    if op == "*":
        # A factor that may be negative, zero or infinite makes zeros and NaNs of two signs.
        same &= any(_is_positive(side) for side in sides)
    else:
        same &= any(_is_number(side) for side in sides)
    return replace(value, column=replace(value.column, same_term=same))


def _is_whole(value: Typed) -> bool:
    return value.kind is Kind.INTEGER or value.column.whole


def _is_number(value: Typed) -> bool:
    """Whether ``value`` is never infinite nor NaN."""
    if value.constant is not None and value.kind is Kind.DOUBLE:
        return math.isfinite(float(value.constant.value))  # type: ignore[arg-type]
    return not value.column.may_be_nan


def _is_positive(value: Typed) -> bool:
    constant = value.constant
    return constant is not None and 0 < float(constant.value) < math.inf  # type: ignore[arg-type]


def _divided(a: Typed, b: Typed, kind: Kind) -> Typed:
    quotient = a.expr.cast(pl.Float64) / b.expr.cast(pl.Float64)
    nonzero = b.constant is not None and b.constant.value != 0
    if kind is Kind.DOUBLE:
        divided = of_kind(quotient, kind, a, b)
        same = (a.column.same_term or a.kind is Kind.INTEGER) and _is_positive(b)
        facts = replace(divided.column, finite=divided.column.finite and nonzero, same_term=same)
        return replace(divided, column=facts)
    if nonzero:
        found = of_kind(quotient, Kind.DECIMAL, a, b)
    else:
        found = of_kind(pl.when(b.expr != 0).then(quotient), Kind.DECIMAL, a, b, fails=True)
    exact = _is_whole(a) and _is_whole(b)
    return replace(found, column=replace(found.column, same_term=exact, exact=exact))


def merged(options: list[Typed]) -> tuple[list[pl.Expr], Column]:
    """Values of one kind out of several alternatives; raises NotTranslatable if they differ."""
    column = Column(Kind.NOTHING)
    for option in options:
        column = both("alternatives", column, option.column)
    if column.kind is Kind.NOTHING:
        return [pl.lit(None, pl.String)] * len(options), Column(Kind.NOTHING, True)
    if column.kind in (Kind.SAMPLE, Kind.NUMBER_PAIR, Kind.MARKED_SAMPLE):
        raise NotTranslatable("alternatives that are no single values")
    nullable = any(option.column.nullable for option in options)
    column = replace(column, nullable=nullable, category=False, pattern="")
    values = [
        option.expr.cast(DTYPES[column.kind]) if option.kind is Kind.NOTHING else option.text()
        for option in options
    ]
    return values, column


def numbers(value: Typed) -> pl.Expr:
    """The values as Float64; raises NotTranslatable where they are no numbers."""
    if value.kind not in NUMBERS:
        raise NotTranslatable(f"numbers are wanted, not values of kind {value.kind}")
    return value.expr.cast(pl.Float64)


def halves(value: Typed, kind: Kind) -> tuple[Typed, Typed]:
    """The two parts of a sample or a pair; raises NotTranslatable for any other value."""
    if value.kind is not kind or len(value.parts) != 2:
        raise NotTranslatable(f"an aggregate that wants {kind}")
    return value.parts[0], value.parts[1]


def sound(result: pl.Expr, *values: Typed) -> pl.Expr:
    """``result`` of a group, unbound where one of ``values`` is unbound in some row."""
    doubtful = [value.expr.null_count() == 0 for value in values if value.column.nullable]
    if not doubtful:
        return result
    return pl.when(pl.all_horizontal(doubtful)).then(result)
