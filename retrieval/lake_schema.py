"""What the columns of a lake's files must hold; a file in which they do not is named."""

from collections.abc import Iterable

import polars as pl

from retrieval.errors import LakeError
from retrieval.lake_files import PartitionFile
from retrieval.request import Metric

JOB_TIMES = frozenset({"submit_time", "eligible_time", "start_time", "end_time"})
"""Columns of the job table that hold instants."""
_COPY = "put a whole copy of the file in its place"
_WRITE = "write the file anew with that type"


def checked_schema(file: PartitionFile, columns: set[str]) -> pl.Schema:
    """The columns of ``file``; raises LakeError where it is damaged or one of ``columns`` lacks."""
    try:
        schema = pl.read_parquet_schema(file.path)
    except PermissionError as error:
        raise LakeError(
            f"{file.path} may not be read: let the user who runs odabot read it"
        ) from error
    except (pl.exceptions.PolarsError, OSError) as error:
        why = first_line(error) if file.path.is_file() else "no such file"
        raise LakeError(f"{file.path} is damaged or cannot be opened ({why}): {_COPY}") from error
    if missing := sorted(columns - set(schema)):
        raise LakeError(f"{file.path} has no column {', '.join(missing)}: {_COPY}")
    return pl.Schema(schema)


def reading_schema(file: PartitionFile, metric: Metric) -> pl.Schema:
    """The columns of a file of readings; raises LakeError where one cannot be what it should.

    What has another type and one meaning all the same is let pass: whole numbers as names of
    nodes, instants in microseconds or without a zone, which are UTC. What has several is refused:
    numbers as instants (seconds or milliseconds?), days, or 5.0 as the name of a node.
    """
    schema = checked_schema(file, {"timestamp", "value", *metric.tags})
    _demand(file, schema, "timestamp", "instants", isinstance(schema["timestamp"], pl.Datetime))
    for tag in metric.tags:
        _demand(file, schema, tag, "texts or whole numbers", _is_name(schema[tag]))
    value = schema["value"]
    if metric.dtype == "string":
        fits = _is_name(value) or value.is_numeric() or value == pl.Boolean
        _demand(file, schema, "value", "texts", fits)
    else:
        _demand(file, schema, "value", "numbers", value.is_numeric())
    return schema


def job_schema(file: PartitionFile) -> pl.Schema:
    """The columns of a file of jobs; raises LakeError as for readings."""
    schema = checked_schema(file, {"job_id"})
    _demand(file, schema, "job_id", "texts or whole numbers", _is_name(schema["job_id"]))
    if "nodes" in schema:
        _demand(file, schema, "nodes", "texts", _is_name(schema["nodes"]))
    for name in sorted(JOB_TIMES & set(schema)):
        fits = isinstance(schema[name], pl.Datetime | pl.Null)
        _demand(file, schema, name, "instants", fits)
    return schema


def unreadable(files: Iterable[PartitionFile]) -> str:
    """The path of the first of ``files`` that cannot be read to its end, or an empty text."""
    for file in files:
        try:
            pl.scan_parquet(file.path, glob=False).select(pl.all().hash().sum()).collect()
        except (pl.exceptions.PolarsError, OSError):
            return str(file.path)
    return ""


def first_line(error: Exception) -> str:
    """What ``error`` says first; the rest are hints for whoever wrote the query."""
    return str(error).partition("\n")[0]


def _is_name(dtype: pl.DataType) -> bool:
    texts = isinstance(dtype, pl.String | pl.Categorical | pl.Enum | pl.Null)
    return texts or dtype.is_integer()


def _demand(file: PartitionFile, schema: pl.Schema, column: str, wanted: str, fits: bool) -> None:
    if not fits:
        raise LakeError(
            f"{file.path}: column {column} holds {schema[column]}, not {wanted}: {_WRITE}"
        )
