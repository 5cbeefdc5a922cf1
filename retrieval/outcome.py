"""What retrieval can answer: tables, or that there are no data. Each is a normal day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from ontology.conformance import CheckedQuery
from retrieval.data_request import DataRequest
from retrieval.query_text import Column
from retrieval.request import Metric, TimeWindow

Cell = str | int | float | bool | datetime | None


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Rows on disk, and enough of them in memory to talk about."""

    name: str
    columns: tuple[Column, ...]
    """Their ``variable`` is the column's name in the files."""
    row_count: int
    rows: tuple[tuple[Cell, ...], ...]
    """The first rows; all of them for a table of up to :data:`export.IN_MEMORY` rows."""
    parquet: Path
    csv: Path


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many samples there were, and how many there should have been."""

    got: int
    expected: int
    sensors: int
    sensors_expected: int
    period: float | None
    """Usual spacing of the samples of one sensor, in seconds."""

    @property
    def share(self) -> float:
        """Samples got of those expected, at most 1."""
        return min(1.0, self.got / self.expected) if self.expected else 0.0


class How(StrEnum):
    """How a query was run."""

    VIRTUAL = "virtual"
    MATERIALISED = "materialised"
    GRAPH = "graph"


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The tables of one request with what they rest on."""

    request: DataRequest
    tables: tuple[ResultTable, ...]
    queries: tuple[str, ...]
    how: tuple[str, ...]
    metrics: tuple[Metric, ...] = ()
    windows: tuple[TimeWindow, ...] = ()
    coverage: Coverage | None = None
    notes: tuple[str, ...] = ()
    graph_age: float | None = None
    """Seconds since the oldest kept graph that was asked was built; None where none was."""
    data_queries: tuple[CheckedQuery, ...] = ()
    """The queries that made the tables, without those that counted samples."""
    treatment: tuple[str, ...] = ()
    """What was done with their rows, as :mod:`retrieval.treatment` has it."""


@dataclass(frozen=True, slots=True)
class NoData:
    """The request was sound, and there is nothing to compute it from."""

    request: DataRequest
    text: str
    queries: tuple[str, ...] = ()


Retrieval = Retrieved | NoData


def oldest(ages: Iterable[float | None]) -> float | None:
    """The greatest of ``ages``, None where there is none."""
    return max((age for age in ages if age is not None), default=None)
