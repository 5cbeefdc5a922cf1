"""Rows of variable bindings on their way through a query, lazily computed by Polars."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import polars as pl

from retrieval.query_result import DTYPES, Kind


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

    @property
    def may_be_nan(self) -> bool:
        """Whether NaN has to be reckoned with."""
        return self.kind is Kind.DOUBLE and not self.finite


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
            raise NotTranslatable("an OPTIONAL that shares no variable with what is before it")
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
    kept = Column(wanted.kind, category=wanted.category)
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
        known = one or two
        assert known is not None
        if one and two and (one.kind is not two.kind or one.zone != two.zone):
            if one.kind is not Kind.NOTHING and two.kind is not Kind.NOTHING:
                raise NotTranslatable(f"a UNION of {one.kind} and {two.kind} in ?{name}")
            known = two if one.kind is Kind.NOTHING else one
        nullable = not one or not two or one.nullable or two.nullable
        finite = bool(one and two and one.finite and two.finite)
        columns[name] = Column(known.kind, nullable, zone=known.zone, finite=finite)
    frames = [_padded(side, columns) for side in (left, right)]
    return Rows(pl.concat(frames), columns, left.compact and right.compact)


def _padded(rows: Rows, columns: Mapping[str, Column]) -> pl.LazyFrame:
    parts = []
    for name, column in columns.items():
        dtype = DTYPES[column.kind]
        if column.kind is Kind.DATE_TIME:
            dtype = pl.Datetime("ms", column.zone)
        if name in rows.columns and rows.columns[name].kind is not Kind.NOTHING:
            parts.append(rows.plain(name).cast(dtype).alias(name))
        else:
            parts.append(pl.lit(None, dtype).alias(name))
    if not parts:
        parts.append(pl.lit(True).alias(_ROW))
    return rows.frame.select(parts)
