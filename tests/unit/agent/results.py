"""Results as retrieval gives them, made by hand."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from retrieval.data_request import DataRequest, ReadingsRequest
from retrieval.job_request import JobFilter, JobsRequest
from retrieval.measures import Measure, Owners, Selected, Wanted
from retrieval.outcome import Cell, Coverage, ResultTable, Retrieved
from retrieval.query_text import Column, Role
from retrieval.request import EntityKind, Metric, TimeWindow

DAY = TimeWindow(datetime(2022, 6, 1, tzinfo=UTC), datetime(2022, 6, 2, tzinfo=UTC))
NODE = Column("node", "node", Role.KEY)
TIME = Column("t", "time", Role.TIME)


def a_metric(name: str = "total_power", unit: str = "W", index: str | None = None) -> Metric:
    return Metric("ipmi_pub", name, unit, unit, 1, 20, "int32", ("node",), name, index, name)


def a_quantity(label: str = "total node power", unit: str = "W", **more: Any) -> Selected:
    return Selected(label, (a_metric(label.replace(" ", "_"), unit),), **more)


def nodes(*names: str, racks: tuple[str, ...] = ()) -> Owners:
    return Owners(EntityKind.NODE, names, racks)


def readings(
    wanted: Wanted = Wanted.MEASURES,
    quantity: Selected | None = None,
    owners: Owners | None = None,
    **more: Any,
) -> ReadingsRequest:
    more.setdefault("windows", (DAY,))
    if wanted is Wanted.MEASURES:
        more.setdefault("measures", (Measure.AVERAGE,))
    chosen = (quantity or a_quantity(),)
    return ReadingsRequest(wanted, chosen, (owners or nodes("900"),), **more)


def jobs(which: JobFilter | None = None, **more: Any) -> JobsRequest:
    return JobsRequest(which or JobFilter(window=DAY), **more)


def value(variable: str, unit: str = "W", heading: str = "") -> Column:
    return Column(variable, heading or variable.replace("_", " "), Role.VALUE, unit)


def count(variable: str, heading: str = "") -> Column:
    return Column(variable, heading or variable, Role.COUNT)


def a_table(
    columns: tuple[Column, ...], *rows: tuple[Cell, ...], name: str = "total node power"
) -> ResultTable:
    stem = name.replace(" ", "-")
    return ResultTable(name, columns, len(rows), rows, Path(f"{stem}.parquet"), Path(f"{stem}.csv"))


def retrieved(
    request: DataRequest,
    *tables: ResultTable,
    windows: tuple[TimeWindow, ...] = (DAY,),
    coverage: Coverage | None = None,
) -> Retrieved:
    return Retrieved(request, tables, ("SELECT",), ("virtual",), (), windows, coverage)
