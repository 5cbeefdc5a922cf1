"""Which chart is drawn of which columns of a result."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.chart import ChartKind, ChartSpec, Side
from agent.chart_limits import problems_of
from agent.chart_plan import planned_chart
from agent.plan import Analyse
from retrieval.job_request import JobFilter
from retrieval.measures import Group, Measure, Wanted
from retrieval.outcome import Retrieved
from retrieval.query_text import Column, Role
from tests.unit.agent.results import (
    DAY,
    NODE,
    TIME,
    a_quantity,
    a_table,
    count,
    jobs,
    nodes,
    readings,
    retrieved,
    value,
)

START = datetime(2022, 6, 1, 8, tzinfo=UTC)
POWER = value("v", heading="total node power")
INLET = value("v", "°C", "inlet temperature")
DAY_COLUMN = Column("day", "day", Role.TIME)


def _planned(kind: ChartKind | None, *results: Retrieved) -> ChartSpec:
    planned = planned_chart(Analyse(kind), results, "Europe/Rome")
    assert planned is not None
    assert planned.inputs
    assert {series.table for series in planned.spec.series} <= {p.name for p in planned.inputs}
    assert problems_of(planned.spec) == ()
    return planned.spec


def _series(*names: str) -> Retrieved:
    request = readings(Wanted.SERIES, owners=nodes(*names), groups=(Group.OWNER,))
    rows = [(name, START, 600.0) for name in names]
    return retrieved(request, a_table((NODE, TIME, POWER), *rows))


def _two_quantities() -> Retrieved:
    request = readings(Wanted.SERIES, a_quantity(), nodes("900"), groups=(Group.OWNER,))
    power = a_table((NODE, TIME, POWER), ("900", START, 600.0))
    inlet = a_table((NODE, TIME, INLET), ("900", START, 25.0), name="inlet temperature")
    return retrieved(request, power, inlet)


def _by_node(*measures: str) -> Retrieved:
    request = readings(owners=nodes("900", "920"), groups=(Group.OWNER,))
    columns = (NODE, *(value(measure) for measure in measures), count("samples"))
    rows = [(name, *[1.0] * len(measures), 3) for name in ("900", "920")]
    return retrieved(request, a_table(columns, *rows))


def test_samples_of_a_node_are_one_line() -> None:
    spec = _planned(ChartKind.LINE, _series("900"))

    (series,) = spec.series
    assert spec.kind is ChartKind.LINE
    assert (series.x, series.y, series.split_by) == ("t", "v", None)
    assert spec.title == "Total node power of node 900"
    assert (spec.y.label, spec.y.unit) == ("total node power", "W")
    assert "2022" in spec.subtitle
    assert "UTC" in spec.subtitle
    assert spec.zone == "Europe/Rome"


def test_samples_of_nodes_are_a_line_each() -> None:
    (series,) = _planned(ChartKind.LINE, _series("335", "355")).series

    assert (series.split_by, series.label) == ("node", "node {}")


@pytest.mark.parametrize(
    ("result", "kind"),
    [(_series("900"), ChartKind.LINE), (_by_node("average"), ChartKind.BAR)],
    ids=["over time", "by node"],
)
def test_a_chart_that_is_not_named_fits_the_result(result: Retrieved, kind: ChartKind) -> None:
    assert _planned(None, result).kind is kind


def test_two_units_get_two_axes() -> None:
    spec = _planned(ChartKind.LINE, _two_quantities())

    assert spec.kind is ChartKind.DUAL_AXIS
    assert spec.y2 is not None
    assert (spec.y.unit, spec.y2.unit) == ("W", "°C")
    assert [series.side for series in spec.series] == [Side.LEFT, Side.RIGHT]


def test_a_dual_axis_of_one_quantity_is_a_line() -> None:
    spec = _planned(ChartKind.DUAL_AXIS, _series("900"))

    assert (spec.kind, spec.y2) == (ChartKind.LINE, None)


def test_samples_are_binned_to_a_histogram() -> None:
    result = retrieved(
        readings(Wanted.DISTRIBUTION, a_quantity("inlet temperature", "°C"), nodes()),
        a_table((NODE, TIME, INLET), ("1", START, 22.0), name="inlet temperature"),
    )

    spec = _planned(ChartKind.HISTOGRAM, result)

    assert spec.kind is ChartKind.HISTOGRAM
    assert (spec.x.label, spec.x.unit, spec.y.label) == ("inlet temperature", "°C", "samples")


def test_measures_of_one_unit_stand_side_by_side() -> None:
    spec = _planned(ChartKind.BAR, _by_node("minimum", "maximum"))

    assert spec.kind is ChartKind.GROUPED_BAR
    assert [series.y for series in spec.series] == ["minimum", "maximum"]
    assert spec.x.label == "node"


def test_counts_of_samples_are_never_drawn() -> None:
    spec = _planned(ChartKind.BAR, _by_node("average"))

    assert [series.y for series in spec.series] == ["average"]


def test_shares_without_a_key_are_slices_of_their_own() -> None:
    columns = (value("core_hours", "h", "CPU core-hours"), value("gpu_hours", "h", "GPU-hours"))
    result = retrieved(jobs(), a_table(columns, (10.0, 5.0), name="jobs"))

    spec = _planned(ChartKind.PIE, result)

    assert spec.kind is ChartKind.PIE
    assert [series.x for series in spec.series] == [None, None]
    assert len({series.label for series in spec.series}) == 2


def test_jobs_of_each_day_are_drawn_over_time() -> None:
    result = retrieved(
        jobs(), a_table((DAY_COLUMN, count("count", "jobs")), (START, 4), name="jobs")
    )

    spec = _planned(None, result)

    assert spec.kind is ChartKind.LINE
    assert spec.series[0].x == "day"


def test_boxes_keep_the_order_of_the_ranking() -> None:
    user = Column("user", "user", Role.KEY)
    chosen = retrieved(
        jobs(), a_table((user, count("count", "jobs")), ("9", 5), ("7", 4), name="jobs")
    )
    power = retrieved(
        readings(groups=(Group.USER, Group.JOB), during=JobFilter()),
        a_table((user, value("average")), ("7", 1.0), ("9", 2.0)),
    )

    spec = _planned(ChartKind.BOX, chosen, power)

    assert spec.kind is ChartKind.BOX
    assert spec.categories == ("9", "7")
    assert spec.series[0].split_by == "user"


def _correlated() -> Retrieved:
    columns = (Column("one", "one", Role.KEY), Column("other", "other", Role.KEY), value("r", ""))
    request = readings(Wanted.CORRELATION, bucket="PT2M")
    pairs = (("power", "inlet", 0.9), ("power", "load", 0.1), ("inlet", "load", 0.2))
    return retrieved(request, a_table(columns, *pairs, name="correlation"))


def test_coefficients_are_cells_of_a_heat_map() -> None:
    spec = _planned(ChartKind.HEATMAP, _correlated())

    assert spec.kind is ChartKind.HEATMAP
    assert spec.categories == ("power", "inlet", "load")
    assert (spec.series[0].x, spec.series[0].split_by, spec.series[0].y) == ("one", "other", "r")


def test_a_heat_map_of_something_else_is_not_drawn() -> None:
    assert planned_chart(Analyse(ChartKind.HEATMAP), [_series("900")], "UTC") is None


def test_nothing_is_drawn_of_nothing() -> None:
    empty = retrieved(readings(Wanted.SERIES), a_table((NODE, TIME, POWER)))

    assert planned_chart(Analyse(ChartKind.LINE), [empty], "UTC") is None


def test_names_alone_are_not_drawn() -> None:
    result = retrieved(readings(Wanted.OWNERS), a_table((NODE,), ("5",), ("6",)))

    assert planned_chart(Analyse(None), [result], "UTC") is None


def test_periods_that_are_compared_are_told_apart() -> None:
    period = Column("period", "period", Role.KEY)
    rows = [("June", START, 21.0), ("May", START.replace(month=5), 15.0)]
    result = retrieved(
        readings(measures=(Measure.AVERAGE,), groups=(Group.DAY,), windows=(DAY, DAY)),
        a_table((period, DAY_COLUMN, value("average", "°C")), *rows, name="outdoor temperature"),
        windows=(DAY, DAY),
    )

    spec = _planned(ChartKind.LINE, result)

    assert spec.series[0].split_by == "period" or len(spec.series) == 2


def test_the_files_of_the_tables_are_the_inputs() -> None:
    planned = planned_chart(Analyse(ChartKind.LINE), [_two_quantities()], "UTC")

    assert planned is not None
    assert planned.inputs == (Path("total-node-power.parquet"), Path("inlet-temperature.parquet"))
