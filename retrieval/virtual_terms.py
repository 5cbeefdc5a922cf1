"""RDF terms of two libraries as typed Polars columns."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import polars as pl
import pyoxigraph
import rdflib

from ontology.functions import EPISODES_TYPE
from ontology.vocabulary import XSD
from retrieval.query_result import TIME, Kind
from retrieval.virtual_rows import Column, NotTranslatable, Rows, both

_DIGITS = 15
"""So many digits of a decimal are kept by a float."""
LARGEST = 2**63
"""Integers this far from zero have no column."""
Value = str | int | float | bool | datetime
_INTEGERS = {
    XSD + name
    for name in ("integer", "int", "long", "short", "byte", "nonNegativeInteger", "unsignedInt")
}


@dataclass(frozen=True, slots=True)
class Constant:
    """One term that is written in a query or came from the store."""

    value: Value
    kind: Kind
    zone: str = "UTC"
    """The offset that an instant is written with, or UTC."""
    exact: bool = True
    """Whether a decimal is short enough for a float to keep it apart from all others."""

    def literal(self) -> pl.Expr:
        """The term as a Polars literal."""
        if self.kind is Kind.DATE_TIME:
            return pl.lit(self.value, TIME)
        return pl.lit(self.value)


def constant(term: object) -> Constant:
    """``term`` as a typed value; raises NotTranslatable for what has no column type."""
    if isinstance(term, rdflib.URIRef):
        return Constant(str(term), Kind.IRI)
    if isinstance(term, pyoxigraph.NamedNode):
        return Constant(term.value, Kind.IRI)
    if isinstance(term, rdflib.Literal):
        if term.language:
            raise NotTranslatable("a text with a language")
        if str(term.datatype) == XSD + "float":
            raise NotTranslatable("a number of single precision")
        return literal(str(term), str(term.datatype or XSD + "string"))
    if isinstance(term, pyoxigraph.Literal):
        if term.language:
            raise NotTranslatable("a text with a language")
        return literal(term.value, term.datatype.value)
    raise NotTranslatable(f"the term {term}")


def literal(text: str, datatype: str) -> Constant:
    """The value that ``text`` has in ``datatype``; raises NotTranslatable where it has none."""
    try:
        if datatype == XSD + "string":
            return Constant(text, Kind.STRING)
        if datatype in _INTEGERS:
            return _integer(int(text))
        if datatype == XSD + "decimal":
            number = Decimal(text)
            short = len(number.normalize().as_tuple().digits) <= _DIGITS
            return Constant(float(number), Kind.DECIMAL, exact=short)
        if datatype in (XSD + "double", XSD + "float"):
            return Constant(float(text.replace("INF", "inf")), Kind.DOUBLE)
        if datatype == XSD + "boolean" and text in ("true", "false", "1", "0"):
            return Constant(text in ("true", "1"), Kind.BOOLEAN)
        if datatype == XSD + "dateTime":
            return _instant(text)
    except ArithmeticError as error:
        raise NotTranslatable(f"the number {text}") from error
    except ValueError as error:
        raise NotTranslatable(f"the literal {text!r}") from error
    if datatype == EPISODES_TYPE:
        return Constant(text, Kind.EPISODES)
    raise NotTranslatable(f"a literal of type {datatype}")


_FRACTION = re.compile(r"\.\d{3}0*[1-9]")
_OFFSET = re.compile(r"[+-]\d\d:\d\d$")


def _instant(text: str) -> Constant:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise NotTranslatable("an instant without a time zone")
    if _FRACTION.search(text):
        raise NotTranslatable("an instant finer than a millisecond")
    offset = _OFFSET.search(text)
    zone = offset[0] if offset and moment.utcoffset() else "UTC"
    return Constant(moment.astimezone(UTC), Kind.DATE_TIME, zone)


def _integer(value: int) -> Constant:
    if abs(value) >= LARGEST:
        raise NotTranslatable(f"the number {value}")
    return Constant(value, Kind.INTEGER)


def column_of(constants: Collection[Constant], nullable: bool = False) -> Column:
    """What is known of a column with just these values; raises NotTranslatable."""
    found = Column(Kind.NOTHING)
    for known in constants:
        found = both("one column", found, _known(known))
    return replace(found, nullable=nullable)


def _known(constant: Constant) -> Column:
    value = constant.value
    if constant.kind is Kind.INTEGER:
        return Column(Kind.INTEGER, limit=abs(value))  # type: ignore[arg-type]
    if constant.kind is Kind.DECIMAL:
        whole = float(value).is_integer()  # type: ignore[arg-type]
        exact = constant.exact
        return Column(Kind.DECIMAL, same_term=exact, exact=exact, whole=exact and whole)
    if constant.kind is Kind.DOUBLE:
        is_number = value == value
        signed = value == 0 and math.copysign(1, value) < 0  # type: ignore[arg-type]
        return Column(Kind.DOUBLE, finite=is_number, same_term=not signed)
    return Column(constant.kind, zone=constant.zone)


def rows_of(terms: Mapping[str, Sequence[Any]], height: int) -> Rows:
    """Rows with one column for each of ``terms``, whose None is an unbound variable.

    Texts and IRIs become Categorical. Raises NotTranslatable for a column of mixed kinds.
    """
    data: list[pl.Series] = []
    columns: dict[str, Column] = {}
    for name, values in terms.items():
        series, columns[name] = _column(name, values)
        data.append(series)
    if not data:
        return Rows(pl.LazyFrame({".row": [True] * height}), {}, True)
    return Rows(pl.DataFrame(data).lazy(), columns, True)


def _column(name: str, values: Sequence[Any]) -> tuple[pl.Series, Column]:
    known: dict[Any, Constant] = {}
    for value in values:
        if value is not None and value not in known:
            known[value] = constant(value)
    column = column_of(list(known.values()), any(value is None for value in values))
    if column.kind is Kind.NOTHING:
        return pl.Series(name, values, pl.String), column
    if column.kind is Kind.DATE_TIME and column.zone != "UTC":
        raise NotTranslatable(f"?{name} holds instants with an offset")
    kind = column.kind
    data = [None if value is None else known[value].value for value in values]
    if kind in (Kind.IRI, Kind.STRING):
        return (
            pl.Series(name, data, pl.String).cast(pl.Categorical),
            replace(column, category=True),
        )
    dtypes: dict[Kind, pl.DataType] = {
        Kind.INTEGER: pl.Int64(),
        Kind.DECIMAL: pl.Float64(),
        Kind.DOUBLE: pl.Float64(),
        Kind.BOOLEAN: pl.Boolean(),
        Kind.EPISODES: pl.String(),
    }
    if kind is Kind.DATE_TIME:
        return pl.Series(name, data, pl.Datetime("us", "UTC")).cast(TIME), column
    return pl.Series(name, data, dtypes[kind], strict=False), column
