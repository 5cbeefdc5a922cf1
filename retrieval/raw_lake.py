"""The lake's files as they are, for one baseline of the evaluation alone.

Nobody's question comes here: what is read has passed no ontology and no gate, is in the raw units
of the files, repeated where they repeat, and related to nothing. A contract of the imports lets
only the baselines in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

import polars as pl

from retrieval.lake import Lake
from retrieval.lake_files import PartitionFile

Aggregate = Literal["avg", "min", "max", "sum", "count"]
Cell = str | int | float | bool | datetime | None
_TIMES = ("timestamp", "start_time")
"""The column that a window is of: readings have the first, jobs the second."""


@dataclass(frozen=True, slots=True)
class RawQuery:
    """Rows of one partition, or one number of their values."""

    plugin: str
    metric: str
    start: datetime | None = None
    """With a zone; rows of this moment are taken, as are those of ``end``."""
    end: datetime | None = None
    where: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By column, the values that it may have, as text."""
    aggregate: Aggregate | None = None
    by: str = ""
    """The column whose values the aggregate is taken for, one each."""
    limit: int = 100
    """The most rows that come back."""


@dataclass(frozen=True, slots=True)
class RawRows:
    """The first rows in the order of time, and how many there are."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    matched: int


@dataclass(frozen=True, slots=True)
class NotRead:
    """What of a query does not fit the files."""

    text: str


def raw_plugins(lake: Lake) -> tuple[str, ...]:
    """The plugins that have files; raises LakeError."""
    return lake.plugins


def raw_metrics(lake: Lake, plugin: str) -> tuple[str, ...]:
    """The metrics of ``plugin`` that have files; raises LakeError."""
    return tuple(sorted(metric for owner, metric in lake.files if owner == plugin))


def raw_rows(lake: Lake, query: RawQuery) -> RawRows | NotRead:
    """The rows that ``query`` wants; raises LakeError where a file cannot be read."""
    files = lake.files.get((query.plugin, query.metric))
    if not files:
        return NotRead(f"there are no files of plugin={query.plugin}/metric={query.metric}")
    files = tuple(file for file in files if _may_hold(file, query))
    if not files:
        return NotRead("there are no files of these months")
    scan = pl.concat([_scan(file) for file in files], how="diagonal_relaxed")
    schema = lake.collected(scan.head(0), files).schema
    time = next((name for name in _TIMES if name in schema), "")
    wrong = _wrong_with(query, schema, time)
    if wrong:
        return NotRead(wrong)
    kept = scan.filter(*_filters(query, schema, time))
    if query.aggregate is not None:
        return _aggregated(lake, kept, query, query.aggregate, files)
    matched = int(lake.collected(kept.select(pl.len()), files).item())
    told = kept.bottom_k(query.limit, by=time) if time else kept.head(query.limit)
    frame = lake.collected(told, files)
    return _rows(frame.sort(time) if time else frame, matched)


def _scan(file: PartitionFile) -> pl.LazyFrame:
    return pl.scan_parquet(file.path, hive_partitioning=False, glob=False)


def _may_hold(file: PartitionFile, query: RawQuery) -> bool:
    start, end = query.start or file.first, query.end or file.last
    # Jobs are kept by the month in which they ended.
    return query.plugin == "job_table" or file.may_hold(start, end)


def _wrong_with(query: RawQuery, schema: pl.Schema, time: str) -> str:
    there = ", ".join(schema)
    unknown = [name for name in (*query.where, *filter(None, [query.by])) if name not in schema]
    if unknown:
        return f"there is no column {unknown[0]!r}; there are {there}"
    if (query.start or query.end) and not isinstance(schema.get(time), pl.Datetime):
        return f"no column holds times; there are {there}"
    if query.aggregate not in (None, "count"):
        if "value" not in schema:
            return f"there is no column 'value' to aggregate; there are {there}"
        if not schema["value"].is_numeric():
            return "the values are texts: only count can be taken of them"
    return ""


def _filters(query: RawQuery, schema: pl.Schema, time: str) -> list[pl.Expr]:
    conditions = [pl.lit(True)]
    if query.start is not None:
        conditions.append(pl.col(time) >= _as_stored(query.start, schema[time]))
    if query.end is not None:
        conditions.append(pl.col(time) <= _as_stored(query.end, schema[time]))
    for name, values in query.where.items():
        conditions.append(pl.col(name).cast(pl.String).is_in(list(values)))
    return conditions


def _as_stored(moment: datetime, dtype: pl.DataType) -> pl.Expr:
    utc = moment.astimezone(UTC)
    assert isinstance(dtype, pl.Datetime)
    return pl.lit(utc if dtype.time_zone else utc.replace(tzinfo=None)).cast(dtype)


def _aggregated(
    lake: Lake,
    kept: pl.LazyFrame,
    query: RawQuery,
    aggregate: Aggregate,
    files: Sequence[PartitionFile],
) -> RawRows:
    value = pl.col("value")
    taken = {
        "avg": value.mean(),
        "min": value.min(),
        "max": value.max(),
        "sum": value.sum(),
        "count": pl.len(),
    }[aggregate].alias(aggregate)
    if not query.by:
        return _rows(lake.collected(kept.select(taken), files), 1)
    frame = lake.collected(kept.group_by(query.by).agg(taken).sort(query.by), files)
    return _rows(frame.head(query.limit), frame.height)


def _rows(frame: pl.DataFrame, matched: int) -> RawRows:
    # A table of jobs has columns of kinds that JSON has no words for.
    plain = frame.select(
        pl.col(name) if _is_plain(dtype) else pl.col(name).cast(pl.String, strict=False)
        for name, dtype in frame.schema.items()
    )
    return RawRows(tuple(plain.columns), tuple(plain.iter_rows()), matched)


def _is_plain(dtype: pl.DataType) -> bool:
    return dtype.is_numeric() or isinstance(dtype, pl.String | pl.Boolean | pl.Datetime)
