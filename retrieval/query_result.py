"""What a query gives: one typed column for each projected variable."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import polars as pl


class Kind(StrEnum):
    """What the values of one column are."""

    IRI = "iri"
    STRING = "string"
    INTEGER = "integer"
    DECIMAL = "decimal"
    DOUBLE = "double"
    BOOLEAN = "boolean"
    DATE_TIME = "dateTime"
    EPISODES = "episodes"
    SAMPLE = "sample"
    NUMBER_PAIR = "numberPair"
    MARKED_SAMPLE = "markedSample"
    NOTHING = "nothing"
    """Bound in no row."""


How = Literal["virtual", "materialised", "graph"]
NUMBERS = frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.DOUBLE})
TIME = pl.Datetime("ms", "UTC")
DTYPES: dict[Kind, pl.DataType] = {
    Kind.IRI: pl.String(),
    Kind.STRING: pl.String(),
    Kind.INTEGER: pl.Int64(),
    Kind.DECIMAL: pl.Float64(),
    Kind.DOUBLE: pl.Float64(),
    Kind.BOOLEAN: pl.Boolean(),
    Kind.DATE_TIME: TIME,
    Kind.EPISODES: pl.String(),
    Kind.NOTHING: pl.String(),
}
"""Polars type of each kind that a result can have."""


@dataclass(frozen=True, slots=True)
class QueryResult:
    """Rows of a SELECT in projected order, or one Boolean column ``ask``."""

    frame: pl.DataFrame
    """Int64, Float64, String, Boolean or Datetime(ms, UTC) columns; null where unbound."""
    kinds: dict[str, str]
    """integer, double, string, boolean, dateTime, iri or episodes, by column."""
    how: How = "virtual"
    """Whether the lake was scanned, a graph built from it, or only the topology asked."""
    reason: str = ""
    """Why a graph was built, where one was."""
    graph_age: float | None = None
    """Seconds since the graph was built, where one was asked that had been kept."""


def result_kind(kind: Kind) -> str:
    """The name of ``kind`` as results tell it; decimals count as doubles."""
    return {Kind.DECIMAL: "double", Kind.NOTHING: "string"}.get(kind, kind.value)
