"""Values of expressions as Polars expressions, compared and calculated with as SPARQL does."""

from dataclasses import dataclass, replace

import polars as pl

from retrieval.query_result import NUMBERS, Kind
from retrieval.virtual_rows import Column, NotTranslatable, plain
from retrieval.virtual_terms import Constant


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
    match op:
        case "+":
            return of_kind(a.expr + b.expr, kind, a, b)
        case "-":
            return of_kind(a.expr - b.expr, kind, a, b)
        case "*":
            return of_kind(a.expr * b.expr, kind, a, b)
        case "/":
            quotient = a.expr.cast(pl.Float64) / b.expr.cast(pl.Float64)
            if kind is Kind.DOUBLE:
                divided = of_kind(quotient, kind, a, b)
                nonzero = b.constant is not None and b.constant.value != 0
                return replace(divided, column=replace(divided.column, finite=nonzero))
            if b.constant is not None and b.constant.value != 0:
                return of_kind(quotient, Kind.DECIMAL, a, b)
            return of_kind(pl.when(b.expr != 0).then(quotient), Kind.DECIMAL, a, b, fails=True)
        case _:
            raise NotTranslatable(f"the operator {op}")


def wider(one: Kind, other: Kind) -> Kind:
    """The kind that a calculation with both kinds of numbers gives."""
    for kind in (Kind.DOUBLE, Kind.DECIMAL):
        if kind in (one, other):
            return kind
    return Kind.INTEGER


def merged(options: list[Typed]) -> tuple[list[pl.Expr], Column]:
    """Values of one kind out of several alternatives; raises NotTranslatable if they differ."""
    kinds = {option.kind for option in options} - {Kind.NOTHING}
    if not kinds:
        return [pl.lit(None, pl.String)] * len(options), Column(Kind.NOTHING, True)
    if kinds <= NUMBERS:
        kind = Kind.INTEGER
        for found in kinds:
            kind = wider(kind, found)
    elif len(kinds) == 1:
        kind = kinds.pop()
    else:
        raise NotTranslatable(f"alternatives of kinds {', '.join(sorted(kinds))}")
    zones = {option.column.zone for option in options if option.kind is Kind.DATE_TIME}
    if len(zones) > 1 or kind in (Kind.SAMPLE, Kind.NUMBER_PAIR, Kind.MARKED_SAMPLE):
        raise NotTranslatable("alternatives in different time zones")
    nullable = any(option.column.nullable for option in options)
    finite = not any(option.column.may_be_nan for option in options)
    column = Column(kind, nullable, zone=zones.pop() if zones else "UTC")
    return [option.text() for option in options], replace(
        column, finite=finite and kind is Kind.DOUBLE
    )


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
