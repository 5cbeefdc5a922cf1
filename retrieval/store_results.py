"""Solutions of a store, term by term, as typed columns."""

from collections.abc import Sequence
from datetime import datetime

import polars as pl
import pyoxigraph

from retrieval.errors import GraphStoreError
from retrieval.query_result import DTYPES, NUMBERS, Kind, QueryResult, result_kind
from retrieval.virtual_rows import NotTranslatable
from retrieval.virtual_terms import Constant, constant


def result_of(names: Sequence[str], columns: Sequence[Sequence[object | None]]) -> QueryResult:
    """Columns of terms (None: unbound) under ``names``; numbers of mixed kinds become doubles.

    Raises GraphStoreError for a term that no result can hold.
    """
    series = []
    kinds = {}
    for name, terms in zip(names, columns, strict=True):
        try:
            values = [None if term is None else constant(term) for term in terms]
        except NotTranslatable as error:
            raise GraphStoreError(f"?{name} holds {error}") from error
        kind = _kind(name, values)
        kinds[name] = result_kind(kind)
        series.append(
            pl.Series(name, [_value(v, kind) for v in values], _dtype(kind)).cast(DTYPES[kind])
        )
    return QueryResult(pl.DataFrame(series), kinds)


def solutions_in(body: bytes, address: str) -> tuple[list[str], list[list[object | None]]]:
    """Variables of a SPARQL result in JSON, and a column of terms for each; ``ask`` of an ASK.

    Raises GraphStoreError, with the ``address`` that it came from, where ``body`` is anything
    else or is not whole.
    """
    try:
        found = pyoxigraph.parse_query_results(body, pyoxigraph.QueryResultsFormat.JSON)
        if isinstance(found, pyoxigraph.QueryBoolean):
            return ["ask"], [[pyoxigraph.Literal(bool(found))]]
        names = [variable.value for variable in found.variables]
        columns: list[list[object | None]] = [[] for _ in names]
        for solution in found:
            for column, term in zip(columns, solution, strict=True):
                column.append(term)
    except (SyntaxError, ValueError) as error:
        raise GraphStoreError(
            f"{address} gave what is no whole SPARQL result in JSON ({error}): does the address"
            " lead to the store itself?"
        ) from error
    return names, columns


def _kind(name: str, values: Sequence[Constant | None]) -> Kind:
    found = {value.kind for value in values if value is not None}
    if not found:
        return Kind.NOTHING
    if len(found) == 1:
        return found.pop()
    if found <= NUMBERS:
        return Kind.DOUBLE
    if found <= {Kind.IRI, Kind.STRING}:
        return Kind.STRING
    raise GraphStoreError(f"?{name} holds values of kinds {', '.join(sorted(found))}")


def _value(value: Constant | None, kind: Kind) -> object | None:
    if value is None:
        return None
    if kind is Kind.DOUBLE:
        assert not isinstance(value.value, datetime)
        return float(value.value)
    return value.value


def _dtype(kind: Kind) -> pl.DataType:
    return pl.Datetime("us", "UTC") if kind is Kind.DATE_TIME else DTYPES[kind]
