"""Results to a chart: which kind fits, which columns of which table become its series."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.chart import Axis, ChartKind, ChartSpec, HeatScale, Series
from agent.chart_columns import (
    column_label,
    distinct,
    of_whom,
    split_column,
    subtitle_of,
    time_column,
    title_of,
    value_columns,
)
from agent.chart_over_time import chart_over_time
from agent.plan import Analyse
from agent.row_text import is_key
from retrieval.data_request import ReadingsRequest
from retrieval.job_request import JobsRequest
from retrieval.measures import Wanted
from retrieval.outcome import ResultTable, Retrieved
from retrieval.query_text import Column

_BARS = (ChartKind.BAR, ChartKind.GROUPED_BAR, ChartKind.PIE)


@dataclass(frozen=True, slots=True)
class PlannedChart:
    """A chart with the files that it reads."""

    spec: ChartSpec
    inputs: tuple[Path, ...]


def planned_chart(step: Analyse, results: Sequence[Retrieved], zone: str) -> PlannedChart | None:
    """The chart of ``results``; None where they hold nothing that can be drawn."""
    kind = step.kind or _fitting(results[-1])
    last = results[-1]
    tables = [t for t in last.tables if t.row_count]
    if not tables:
        return None
    if kind is ChartKind.HEATMAP:
        return _heatmap(last, zone) or _heatmap_of_values(last, tables[0], zone)
    if kind is ChartKind.HISTOGRAM:
        return _histogram(last, tables, zone)
    if kind is ChartKind.BOX:
        return _box(results, tables[0], zone)
    if time_column(tables[0]) is not None and kind is not ChartKind.PIE:
        spec = chart_over_time(kind, last, tables, zone)
        return PlannedChart(spec, tuple(t.parquet for t in tables))
    return _bars(kind, last, tables[0], zone)


def _fitting(retrieved: Retrieved) -> ChartKind:
    table = retrieved.tables[0]
    return ChartKind.LINE if time_column(table) is not None else ChartKind.BAR


def _histogram(retrieved: Retrieved, tables: Sequence[ResultTable], zone: str) -> PlannedChart:
    table = tables[0]
    column = value_columns(table)[0]
    label = column_label(column, table)
    split = _split(retrieved, table)
    spec = ChartSpec(
        kind=ChartKind.HISTOGRAM,
        title=f"Distribution of {label}",
        subtitle=subtitle_of(retrieved, zone),
        x=Axis(label, column.unit),
        y=Axis("jobs" if isinstance(retrieved.request, JobsRequest) else "samples"),
        series=(_samples(table, column, split, label),),
        zone=zone,
        alt_text=f"Histogram of {label}",
    )
    return PlannedChart(spec, (table.parquet,))


def _samples(table: ResultTable, column: Column, split: Column | None, label: str) -> Series:
    return Series(
        table=table.parquet.name,
        y=column.variable,
        label="{}" if split is not None else label,
        split_by=split.variable if split is not None else None,
    )


def _split(retrieved: Retrieved, table: ResultTable) -> Column | None:
    """The key whose values are drawn apart: that of a job, of which each has one value, is none."""
    single = isinstance(retrieved.request, JobsRequest)
    return split_column(table, without="job" if single else "")


def _box(results: Sequence[Retrieved], table: ResultTable, zone: str) -> PlannedChart:
    retrieved = results[-1]
    values = value_columns(table)
    column = values[0]
    chosen = [c for c in results[0].tables[0].columns if is_key(c) and c in table.columns]
    split = chosen[0] if len(results) > 1 and chosen else _split(retrieved, table)
    order: tuple[str, ...] = ()
    if split is not None and len(results) > 1 and chosen:
        order = tuple(distinct(results[0].tables[0], split))
    label = column_label(column, table)
    spec = ChartSpec(
        kind=ChartKind.BOX,
        title=title_of(retrieved, [table]),
        subtitle=subtitle_of(retrieved, zone),
        x=Axis(split.heading if split is not None else "all"),
        y=Axis(label, column.unit),
        series=(_samples(table, column, split, label),),
        zone=zone,
        categories=order,
        alt_text=f"Box plot of {label}",
    )
    return PlannedChart(spec, (table.parquet,))


def _bars(
    kind: ChartKind, retrieved: Retrieved, table: ResultTable, zone: str
) -> PlannedChart | None:
    values = value_columns(table)
    if not values:
        return None
    key = split_column(table) or next((c for c in table.columns if is_key(c)), None)
    series = tuple(
        Series(
            table=table.parquet.name,
            y=column.variable,
            x=key.variable if key is not None else None,
            label=column_label(column, table),
        )
        for column in values
        if column.unit == values[0].unit or key is None
    )
    drawn = kind if kind in _BARS else ChartKind.BAR
    if drawn is ChartKind.BAR and len(series) > 1 and key is not None:
        drawn = ChartKind.GROUPED_BAR
    if drawn is ChartKind.GROUPED_BAR and key is None:
        drawn = ChartKind.BAR
    label = column_label(values[0], table) if len(series) == 1 else table.name
    spec = ChartSpec(
        kind=drawn,
        title=title_of(retrieved, [table]),
        subtitle=subtitle_of(retrieved, zone),
        x=Axis(key.heading if key is not None else "quantity"),
        y=Axis(label, values[0].unit),
        series=series,
        zone=zone,
        alt_text=title_of(retrieved, [table]),
    )
    return PlannedChart(spec, (table.parquet,))


def _heatmap_of_values(retrieved: Retrieved, table: ResultTable, zone: str) -> PlannedChart | None:
    """One value in each cell, by thing and time; None where the rows have no two such keys."""
    time, split = time_column(table), split_column(table)
    values = value_columns(table)
    if time is None or split is None or not values:
        return None
    label = column_label(values[0], table)
    spec = ChartSpec(
        kind=ChartKind.HEATMAP,
        title=title_of(retrieved, [table]),
        subtitle=subtitle_of(retrieved, zone),
        x=Axis(time.heading),
        y=Axis(split.heading),
        y2=Axis(label, values[0].unit),
        series=(
            Series(
                table=table.parquet.name,
                y=values[0].variable,
                x=split.variable,
                split_by=time.variable,
            ),
        ),
        zone=zone,
        heat=HeatScale.VALUES,
        alt_text=title_of(retrieved, [table]),
    )
    return PlannedChart(spec, (table.parquet,))


def _heatmap(retrieved: Retrieved, zone: str) -> PlannedChart | None:
    request = retrieved.request
    if not isinstance(request, ReadingsRequest) or request.wanted is not Wanted.CORRELATION:
        return None
    table = retrieved.tables[0]
    names = list(dict.fromkeys(str(row[i]) for row in table.rows for i in (0, 1)))
    spec = ChartSpec(
        kind=ChartKind.HEATMAP,
        title="Correlation matrix" + of_whom(retrieved),
        subtitle=subtitle_of(retrieved, zone),
        x=Axis("metric"),
        y=Axis("metric"),
        y2=Axis("Pearson r"),
        series=(Series(table=table.parquet.name, y="r", x="one", split_by="other"),),
        zone=zone,
        categories=tuple(names),
        heat=HeatScale.CORRELATION,
        alt_text="Heat map of correlation coefficients",
    )
    return PlannedChart(spec, (table.parquet,))
