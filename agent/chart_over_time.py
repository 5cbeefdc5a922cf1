"""Results over time to lines, on one axis or two; compared periods are laid over each other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from agent.chart import Axis, ChartKind, ChartSpec, Series, Side
from agent.chart_columns import (
    column_label,
    distinct,
    split_column,
    subtitle_of,
    time_column,
    title_of,
    value_columns,
)
from retrieval.outcome import ResultTable, Retrieved
from retrieval.query_text import Column
from retrieval.tables import PERIOD


@dataclass(frozen=True, slots=True)
class _Line:
    series: Series
    axis: Axis


def chart_over_time(
    kind: ChartKind, retrieved: Retrieved, tables: Sequence[ResultTable], zone: str
) -> ChartSpec:
    """Lines of every value column of ``tables`` over time."""
    lines = [
        line
        for table in tables
        for column in value_columns(table)
        for line in _lines(retrieved, table, column, len(tables) > 1)
    ]
    axes = [axis for axis, _ in groupby(line.axis for line in lines)]
    axes = list(dict.fromkeys(axes))
    dual = len(axes) == 2 and (kind is ChartKind.DUAL_AXIS or axes[0].unit != axes[1].unit)
    series = [
        replace(line.series, side=Side.RIGHT) if dual and line.axis == axes[1] else line.series
        for line in lines
    ]
    drawn = ChartKind.LINE if kind is ChartKind.DUAL_AXIS else kind
    joint = Axis(" / ".join(dict.fromkeys(a.label for a in axes)), axes[0].unit)
    return ChartSpec(
        kind=ChartKind.DUAL_AXIS if dual else drawn,
        title=title_of(retrieved, list(tables)),
        subtitle=subtitle_of(retrieved, zone),
        x=Axis("time", zone),
        y=axes[0] if dual or len(axes) == 1 else joint,
        y2=axes[1] if dual else None,
        series=tuple(series),
        zone=zone,
        alt_text=title_of(retrieved, list(tables)),
    )


def _lines(retrieved: Retrieved, table: ResultTable, column: Column, several: bool) -> list[_Line]:
    time = time_column(table)
    assert time is not None
    axis = Axis(column_label(column, table), column.unit)
    split = split_column(table)
    plain = Series(table=table.parquet.name, y=column.variable, x=time.variable)
    if PERIOD in table.columns and len(retrieved.windows) > 1:
        return _compared(retrieved, table, plain, axis)
    if split is None:
        return [_Line(replace(plain, label=axis.label), axis)]
    label = f"{split.heading} {{}}"
    label = f"{axis.label}, {label}" if several else label
    return [_Line(replace(plain, label=label, split_by=split.variable), axis)]


def _compared(retrieved: Retrieved, table: ResultTable, plain: Series, axis: Axis) -> list[_Line]:
    """One line a period, each moved to where the first one lies."""
    lines = []
    first = retrieved.windows[0].start
    for period, window in zip(distinct(table, PERIOD), retrieved.windows, strict=False):
        shift = (first - window.start).total_seconds()
        series = replace(
            plain, label=period, where=PERIOD.variable, equals=period, shift_seconds=shift
        )
        lines.append(_Line(series, axis))
    return lines
