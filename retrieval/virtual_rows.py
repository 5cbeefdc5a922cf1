"""Rows of variable bindings on their way through a query, lazily computed by Polars."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import polars as pl

from retrieval.query_result import DTYPES, NUMBERS, Kind


class NotTranslatable(Exception):
    """Why a query cannot be run virtually with a result that is provably the same."""


@dataclass(frozen=True, slots=True)
class Column:
    """What is known of the values of one variable."""

    kind: Kind
    nullable: bool = False
    """Whether some rows may leave it unbound."""
    category: bool = False
    """Whether the column is stored as Categorical rather than String."""
    zone: str = "UTC"
    """Time zone that a dateTime is written in."""
    pattern: str = ""
    """Where not empty: the column holds instants, whose text in this pattern is the value."""
    finite: bool = False
    """True for a double that is never NaN."""
    same_term: bool = False
    """For decimals and doubles: whether values that are equal are one and the same term."""
    exact: bool = False
    """For decimals: whether no other decimal of the query can have the same float."""
    whole: bool = False
    """For decimals: whether they are whole numbers."""
    limit: float = math.inf
    """For integers: none is further from zero."""

    @property
    def may_be_nan(self) -> bool:
        """Whether NaN has to be reckoned with."""
        return self.kind is Kind.DOUBLE and not self.finite

    @property
    def tells_terms(self) -> bool:
        """Whether two values are equal just where their terms are the same."""
        return self.same_term or self.kind not in (Kind.DECIMAL, Kind.DOUBLE)

    @property
    def has_offset(self) -> bool:
        """Whether instants are written with an offset from UTC, rather than in a named zone."""
        return self.zone[0] in "+-"


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """A multiset of solutions: one column a variable, and perhaps hidden ones beside them."""

    frame: pl.LazyFrame
    """Hidden columns have names that begin with a dot."""
    columns: Mapping[str, Column]
    compact: bool = False
    """Whether the rows are few and in memory already."""
    is_unit: bool = False
    """Whether this is the one solution without bindings: neutral in a join."""

    def narrowed(self, names: frozenset[str] | set[str]) -> "Rows":
        """These rows with only the variables ``names``; hidden columns go."""
        kept = {name: column for name, column in self.columns.items() if name in names}
        if not kept:
            # Selecting a literal alone would make one row, however many there are.
            frame = self.frame.with_columns(pl.lit(True).alias(_ROW)).select(_ROW)
            return replace(self, frame=frame, columns={})
        return Rows(self.frame.select(list(kept)), kept, self.compact)

    def extended(self, name: str, value: pl.Expr, column: Column) -> "Rows":
        """These rows with one more variable."""
        frame = self.frame.with_columns(value.alias(name))
        return Rows(frame, {**self.columns, name: column}, self.compact)

    def filtered(self, test: pl.Expr) -> "Rows":
        """The rows for which ``test`` is true."""
        return replace(self, frame=self.frame.filter(test), is_unit=False)

    def collected(self) -> "Rows":
        """The same rows, computed and in memory."""
        return replace(self, frame=self.frame.collect(engine="streaming").lazy(), compact=True)

    def with_known_nulls(self) -> "Rows":
        """These rows (in memory) with each column nullable only if some row leaves it unbound."""
        frame = self.frame.collect()
        columns = {
            name: replace(column, nullable=frame[name].null_count() > 0)
            for name, column in self.columns.items()
        }
        return replace(self, columns=columns)

    def plain(self, name: str) -> pl.Expr:
        """Column ``name`` as the value that it stands for, in the type of its kind."""
        return plain(pl.col(name), self.columns[name])


_ROW = ".row"


def unit() -> Rows:
    """The one solution without bindings."""
    return Rows(pl.LazyFrame({".unit": [True]}), {}, True, True)


def plain(expression: pl.Expr, column: Column) -> pl.Expr:
    """``expression`` decoded: categories to text, patterned instants to text."""
    if column.pattern:
        return expression.dt.strftime(column.pattern)
    if column.category:
        return expression.cast(pl.String)
    return expression


def told_apart(rows: Rows, names: Iterable[str]) -> None:
    """Raises NotTranslatable where equal values of ``names`` need not be equal terms."""
    for name in names:
        if not rows.columns[name].tells_terms:
            raise NotTranslatable(f"equal numbers of ?{name} may be different terms")


def join(left: Rows, right: Rows, how: str = "inner") -> Rows:
    """All pairs that agree on the shared variables; raises NotTranslatable where unsure."""
    if right.is_unit:
        return left
    if left.is_unit:
        if how != "inner":
            raise NotTranslatable("an OPTIONAL without anything before it")
        return right
    shared = [name for name in left.columns if name in right.columns]
    left, right = aligned(left, right, shared)
    compact = left.compact and right.compact
    columns = {**right.columns, **left.columns}
    if how == "left":
        columns |= {
            name: replace(column, nullable=True)
            for name, column in right.columns.items()
            if name not in left.columns
        }
    if not shared:
        if how != "inner":
            right = right.collected()
        if how != "inner" and right.frame.head(1).collect().is_empty():
            return Rows(pl.concat([left.frame, right.frame], how="diagonal"), columns, compact)
        return Rows(left.frame.join(right.frame, how="cross"), columns, compact)
    frame = left.frame.join(
        right.frame, on=shared, how="left" if how == "left" else "inner", maintain_order="none"
    )
    return Rows(frame, columns, compact)


def without(left: Rows, right: Rows, shared: list[str], keep: bool) -> Rows:
    """Rows of ``left`` that have a partner in ``right`` (``keep``), or that have none."""
    left, right = aligned(left, right, shared)
    frame = left.frame.join(right.frame, on=shared, how="semi" if keep else "anti")
    return replace(left, frame=frame)


def aligned(left: Rows, right: Rows, shared: list[str]) -> tuple[Rows, Rows]:
    """Both sides with equal column types for the variables ``shared``."""
    for name in shared:
        left = retyped(left, name, right.columns[name])
        right = retyped(right, name, left.columns[name])
        one, two = left.columns[name], right.columns[name]
        if one.nullable or two.nullable:
            raise NotTranslatable(f"a join on ?{name}, which may be unbound")
        if one.kind is not two.kind or one.zone != two.zone:
            raise NotTranslatable(f"a join of {one.kind} and {two.kind} on ?{name}")
        if not (one.tells_terms and two.tells_terms):
            raise NotTranslatable(f"a join on numbers in ?{name} that are computed or mixed")
        if one.pattern or two.pattern:
            left, right = _decoded(left, name), _decoded(right, name)
        elif one.category != two.category:
            as_text = left if one.category else right
            if as_text.compact:
                left, right = _categorised(left, name), _categorised(right, name)
            else:
                left, right = _decoded(left, name), _decoded(right, name)
    return left, right


def retyped(rows: Rows, name: str, wanted: Column) -> Rows:
    """``rows``; if they are none at all, so that column ``name`` has no kind, it gets one."""
    column = rows.columns[name]
    if column.kind is not Kind.NOTHING or column.nullable or wanted.kind is Kind.NOTHING:
        return rows
    dtype: pl.DataType = pl.Categorical() if wanted.category else DTYPES[wanted.kind]
    frame = rows.frame.with_columns(pl.lit(None, dtype).alias(name))
    kept = Column(wanted.kind, category=wanted.category, same_term=True)
    return replace(rows, frame=frame, columns={**rows.columns, name: kept})


def _decoded(rows: Rows, name: str) -> Rows:
    column = rows.columns[name]
    if not column.category and not column.pattern:
        return rows
    frame = rows.frame.with_columns(rows.plain(name).alias(name))
    return replace(
        rows,
        frame=frame,
        columns={**rows.columns, name: replace(column, category=False, pattern="")},
    )


def _categorised(rows: Rows, name: str) -> Rows:
    column = rows.columns[name]
    if column.category:
        return rows
    frame = rows.frame.with_columns(pl.col(name).cast(pl.Categorical))
    return replace(
        rows, frame=frame, columns={**rows.columns, name: replace(column, category=True)}
    )


def union(left: Rows, right: Rows) -> Rows:
    """All rows of both sides."""
    names = list(dict.fromkeys([*left.columns, *right.columns]))
    columns: dict[str, Column] = {}
    for name in names:
        one, two = left.columns.get(name), right.columns.get(name)
        known = both(f"?{name}", one, two) if one and two else one or two
        assert known is not None
        nullable = not one or not two or one.nullable or two.nullable
        columns[name] = replace(known, nullable=nullable, category=False, pattern="")
    frames = [_padded(side, columns) for side in (left, right)]
    return Rows(pl.concat(frames), columns, left.compact and right.compact)


def both(name: str, one: Column, two: Column) -> Column:
    """What is known of values of ``one`` and ``two`` together; raises NotTranslatable."""
    for column, other in ((one, two), (two, one)):
        if column.kind is Kind.NOTHING:
            return other
    if {one.kind, two.kind} <= NUMBERS:
        kind = wider(one.kind, two.kind)
        exact = all(c.exact or c.kind is Kind.INTEGER for c in (one, two))
        return Column(
            kind,
            one.nullable or two.nullable,
            finite=not one.may_be_nan and not two.may_be_nan and kind is Kind.DOUBLE,
            same_term=one.kind is two.kind and one.same_term and two.same_term,
            exact=exact and kind is Kind.DECIMAL,
            whole=exact and all(c.whole or c.kind is Kind.INTEGER for c in (one, two)),
            limit=max(one.limit, two.limit),
        )
    if one.kind is not two.kind:
        raise NotTranslatable(f"values of kinds {one.kind} and {two.kind} in {name}")
    if one.zone != two.zone:
        raise NotTranslatable(f"instants of different time zones in {name}")
    return Column(one.kind, one.nullable or two.nullable, zone=one.zone)


def wider(one: Kind, other: Kind) -> Kind:
    """The kind that both kinds of numbers have together."""
    for kind in (Kind.DOUBLE, Kind.DECIMAL):
        if kind in (one, other):
            return kind
    return Kind.INTEGER


def _padded(rows: Rows, columns: Mapping[str, Column]) -> pl.LazyFrame:
    parts = []
    for name, column in columns.items():
        dtype = DTYPES[column.kind]
        if column.kind is Kind.DATE_TIME and column.has_offset:
            raise NotTranslatable("an instant with an offset in a UNION")
        if column.kind is Kind.DATE_TIME:
            dtype = pl.Datetime("ms", column.zone)
        if name in rows.columns and rows.columns[name].kind is not Kind.NOTHING:
            parts.append(rows.plain(name).cast(dtype).alias(name))
        else:
            parts.append(pl.lit(None, dtype).alias(name))
    if not parts:
        parts.append(pl.lit(True).alias(_ROW))
    return rows.frame.select(parts)
