"""Reads the columns of a chart from Parquet files."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from chart_spec import ChartProblem, SeriesSpec, Spec
from numpy.typing import NDArray

Floats = NDArray[np.float64]
TIME, NUMBER, CATEGORY = "time", "number", "category"
MICROSECONDS_A_DAY = 86_400e6
_ISO = r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}|$)"


@dataclass(frozen=True)
class Column:
    """The values along an axis: days since 1970 in UTC, numbers, or texts."""

    kind: str
    numbers: Floats
    values: pl.Series

    @property
    def texts(self) -> tuple[str, ...]:
        """The values as names of categories."""
        return tuple(category(value) for value in self.values)


@dataclass(frozen=True)
class Group:
    """The rows that become one line, one set of bars, or one box."""

    label: str
    series: SeriesSpec
    x: Column | None
    y: Floats
    weight: Floats | None


class Tables:
    """The Parquet files beside the specification, each read once."""

    def __init__(self, folder: Path, spec: Spec) -> None:
        self._folder = folder
        self._spec = spec
        self._frames: dict[str, pl.DataFrame] = {}

    def groups(self) -> list[Group]:
        """The groups of all series, in the order of the series and then of the split column."""
        found = [group for series in self._spec.series for group in self._of_series(series)]
        if not any(group.y.size for group in found):
            raise ChartProblem("the tables have no rows, so there is nothing to draw")
        return found

    def _of_series(self, series: SeriesSpec) -> list[Group]:
        frame = self._frame(series)
        if series.split_by is None:
            return [self._group(series, frame, series.label or series.y)]
        parts = frame.partition_by(series.split_by, maintain_order=True)
        return [self._group(series, part, self._split_label(series, part)) for part in parts]

    def _split_label(self, series: SeriesSpec, part: pl.DataFrame) -> str:
        value = category(part[str(series.split_by)][0])
        if "{}" in series.label:
            return series.label.replace("{}", value)
        return f"{series.label} {value}".strip()

    def _group(self, series: SeriesSpec, frame: pl.DataFrame, label: str) -> Group:
        return Group(
            label=label,
            series=series,
            x=None if series.x is None else as_column(frame, series.x, self._spec),
            y=_numbers(frame, series.y),
            weight=None if series.weight is None else _numbers(frame, series.weight),
        )

    def _frame(self, series: SeriesSpec) -> pl.DataFrame:
        if series.table not in self._frames:
            self._frames[series.table] = self._read(series.table)
        frame = self._frames[series.table]
        if series.where is not None:
            frame = frame.filter(pl.col(series.where).cast(pl.String) == series.equals)
        return frame.select(_columns(series))

    def _read(self, table: str) -> pl.DataFrame:
        """The columns of a table that are drawn; texts that only tell rows apart are numbered.

        Ten million rows must leave room to draw them.
        """
        path = self._folder / table
        if not path.is_file():
            raise ChartProblem(f"there is no table {table}")
        scan = pl.scan_parquet(path, glob=False)
        schema = scan.collect_schema()
        drawn = [series for series in self._spec.series if series.table == table]
        names = list(dict.fromkeys(name for series in drawn for name in _columns(series)))
        missing = [name for name in names if name not in schema]
        if missing:
            raise ChartProblem(f"{table} has no column {', '.join(missing)}")
        at_axes = {name for series in drawn for name in (series.x, series.y, series.weight)}
        keys = {series.split_by for series in drawn if series.split_by is not None} - at_axes
        numbered = [name for name in sorted(keys) if schema[name] == pl.String]
        return scan.select(names).with_columns(pl.col(numbered).cast(pl.Categorical)).collect()


def _columns(series: SeriesSpec) -> list[str]:
    wanted = [series.x, series.y, series.split_by, series.weight, series.where]
    return list(dict.fromkeys(name for name in wanted if name is not None))


def as_column(frame: pl.DataFrame, name: str, spec: Spec) -> Column:
    """A column as what it holds: times, numbers or categories."""
    values = frame[name]
    if values.dtype == pl.String:
        values = _times_in_texts(values)
    if values.dtype == pl.Date:
        local = values.cast(pl.Datetime("us"))
        values = local.dt.replace_time_zone(
            spec.zone.key, ambiguous="earliest", non_existent="null"
        )
    if isinstance(values.dtype, pl.Datetime):
        if values.dtype.time_zone is None:
            values = values.dt.replace_time_zone("UTC")
        ticks = values.dt.cast_time_unit("us").to_physical().cast(pl.Float64)
        return Column(TIME, ticks.to_numpy() / MICROSECONDS_A_DAY, values)
    if values.dtype.is_numeric():
        return Column(NUMBER, values.cast(pl.Float64).to_numpy(), values)
    return Column(CATEGORY, np.empty(0), values)


def _times_in_texts(values: pl.Series) -> pl.Series:
    present = values.drop_nulls()
    if present.is_empty() or not present.str.contains(_ISO).all():
        return values
    if present.str.len_chars().max() == len("2022-06-01"):
        return values.str.to_date(strict=False)
    times = values.str.to_datetime(strict=False, time_zone="UTC", time_unit="us")
    return values if times.null_count() > values.null_count() else times


def _numbers(frame: pl.DataFrame, name: str) -> Floats:
    values = frame[name]
    if values.dtype == pl.String or not (values.dtype.is_numeric() or values.dtype == pl.Boolean):
        raise ChartProblem(f"the column {name} does not hold numbers")
    numbers = values.cast(pl.Float64).to_numpy()
    if np.isfinite(numbers).all():
        return numbers
    return np.where(np.isfinite(numbers), numbers, np.nan)


def category(value: object) -> str:
    """A value as the name of a category."""
    if value is None:
        return "(none)"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts the numbers in texts by their size."""
    parts = re.findall(r"\d+|\D+", text)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)
