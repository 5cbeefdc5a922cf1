"""RDF terms of two libraries as typed Polars columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import polars as pl
import pyoxigraph
import rdflib

from ontology.functions import EPISODES_TYPE
from ontology.vocabulary import XSD
from retrieval.query_result import TIME, Kind
from retrieval.virtual_rows import Column, NotTranslatable, Rows

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
            return Constant(int(text), Kind.INTEGER)
        if datatype == XSD + "decimal":
            return Constant(float(Decimal(text)), Kind.DECIMAL)
        if datatype in (XSD + "double", XSD + "float"):
            return Constant(float(text.replace("INF", "inf")), Kind.DOUBLE)
        if datatype == XSD + "boolean" and text in ("true", "false", "1", "0"):
            return Constant(text in ("true", "1"), Kind.BOOLEAN)
        if datatype == XSD + "dateTime":
            moment = datetime.fromisoformat(text)
            if moment.tzinfo is not None:
                return Constant(moment.astimezone(UTC), Kind.DATE_TIME)
    except ArithmeticError as error:
        raise NotTranslatable(f"the number {text}") from error
    except ValueError as error:
        raise NotTranslatable(f"the literal {text!r}") from error
    if datatype == EPISODES_TYPE:
        return Constant(text, Kind.EPISODES)
    raise NotTranslatable(f"a literal of type {datatype}")


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
    kinds = {found.kind for found in known.values()}
    nullable = any(value is None for value in values)
    if not kinds:
        return pl.Series(name, values, pl.String), Column(Kind.NOTHING, nullable)
    if len(kinds) > 1:
        raise NotTranslatable(f"?{name} is of more than one kind: {', '.join(sorted(kinds))}")
    kind = kinds.pop()
    data = [None if value is None else known[value].value for value in values]
    if kind in (Kind.IRI, Kind.STRING):
        return (
            pl.Series(name, data, pl.String).cast(pl.Categorical),
            Column(kind, nullable, category=True),
        )
    dtypes: dict[Kind, pl.DataType] = {
        Kind.INTEGER: pl.Int64(),
        Kind.DECIMAL: pl.Float64(),
        Kind.DOUBLE: pl.Float64(),
        Kind.BOOLEAN: pl.Boolean(),
        Kind.EPISODES: pl.String(),
    }
    if kind is Kind.DATE_TIME:
        return pl.Series(name, data, pl.Datetime("us", "UTC")).cast(TIME), Column(kind, nullable)
    return pl.Series(name, data, dtypes[kind]), Column(kind, nullable)
