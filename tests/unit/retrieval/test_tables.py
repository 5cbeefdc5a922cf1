"""Results of queries put together to tables."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from retrieval.data_request import ReadingsRequest
from retrieval.measures import Measure, Owners, Selected, Wanted
from retrieval.metric_catalog import MetricCatalog
from retrieval.query_text import Column, Compiled, Role
from retrieval.request import EntityKind, TimeWindow
from retrieval.scope import GraphScope
from retrieval.tables import (
    Part,
    Shaped,
    correlation_pairs,
    joined,
    numbered,
    shaped,
    side_by_side,
    silent_days,
    stacked,
)

UTC_ZONE = ZoneInfo("UTC")
ROME = ZoneInfo("Europe/Rome")
NODE = Column("node", "node", Role.KEY)
DAY = Column("day", "day", Role.TIME)
TIME = pl.Datetime("ms", "UTC")


def _value(variable: str, heading: str = "", unit: str = "W") -> Column:
    return Column(variable, heading or variable, Role.VALUE, unit)


def _part(name: str, columns: tuple[Column, ...], **values: Any) -> Part:
    return Part(Compiled(name, "", GraphScope(), columns), pl.DataFrame(values))


def _day(day: int, month: int = 6, hour: int = 0) -> datetime:
    return datetime(2022, month, day, hour, tzinfo=UTC)


def _days(*days: datetime) -> pl.Series:
    return pl.Series(list(days), dtype=TIME)


def test_parts_are_joined_on_their_keys() -> None:
    power = _part("power", (NODE, _value("average")), node=["1", "2"], average=[10.0, 20.0])
    inlet = _part("inlet", (NODE, _value("average")), node=["2", "1"], average=[22.0, 11.0])

    table = joined([power, inlet], "both")

    assert table.frame.rows() == [("1", 10.0, 11.0), ("2", 20.0, 22.0)]
    assert [c.heading for c in table.columns] == ["node", "average power", "average inlet"]


def test_a_key_that_only_one_part_has_is_kept() -> None:
    power = _part("power", (NODE, _value("average")), node=["1"], average=[10.0])
    inlet = _part("inlet", (NODE, _value("average")), node=["1", "3"], average=[11.0, 33.0])

    table = joined([power, inlet], "both")

    assert table.frame.rows() == [("1", 10.0, 11.0), ("3", None, 33.0)]


def test_parts_without_keys_stand_side_by_side() -> None:
    power = _part("power", (_value("average"),), average=[10.0])
    energy = _part("power", (_value("energy", unit="kWh"),), energy=[2.0])

    table = joined([power, energy], "power")

    assert table.frame.rows() == [(10.0, 2.0)]
    assert [c.unit for c in table.columns] == ["W", "kWh"]


def test_a_bucket_of_time_is_a_key() -> None:
    power = _part("p", (DAY, _value("average")), day=_days(_day(1), _day(2)), average=[1.0, 2.0])
    inlet = _part("i", (DAY, _value("average")), day=_days(_day(2), _day(1)), average=[20.0, 10.0])

    table = joined([power, inlet], "both")

    assert table.frame.rows() == [(_day(1), 1.0, 10.0), (_day(2), 2.0, 20.0)]


def test_one_part_keeps_its_headings() -> None:
    table = joined([_part("power", (NODE, _value("average")), node=["1"], average=[1.0])], "power")

    assert [c.heading for c in table.columns] == ["node", "average"]


def test_windows_are_stacked_under_their_names() -> None:
    june = Shaped("temp", (_value("average"),), pl.DataFrame({"average": [21.0]}))
    may = Shaped("temp", (_value("average"),), pl.DataFrame({"average": [15.0]}))

    table = stacked([("June", june), ("May", may)])

    assert table.frame.rows() == [("June", 21.0), ("May", 15.0)]
    assert table.columns[0].role is Role.KEY


def test_a_window_without_values_can_be_stacked() -> None:
    june = Shaped("temp", (_value("average"),), pl.DataFrame({"average": [21.0]}))
    may = Shaped("temp", (_value("average"),), pl.DataFrame({"average": [None]}))

    assert stacked([("June", june), ("May", may)]).frame.rows() == [("June", 21.0), ("May", None)]


def _with_days(*days: datetime) -> Part:
    samples = Column("samples", "samples", Role.COUNT)
    return _part("power", (DAY, samples), day=_days(*days), samples=[3] * len(days))


def test_days_without_samples_are_those_that_no_row_has() -> None:
    window = TimeWindow(_day(1), _day(5))

    table = silent_days(_with_days(_day(1), _day(3)), window, UTC_ZONE)

    assert table.frame["day"].to_list() == [_day(2), _day(4)]


def test_days_begin_at_midnight_of_the_site() -> None:
    window = TimeWindow(_day(31, 5, 22), _day(3, 6, 22))

    table = silent_days(_with_days(_day(31, 5, 22)), window, ROME)

    assert table.frame["day"].to_list() == [_day(1, 6, 22), _day(2, 6, 22)]


def test_a_day_with_a_change_of_the_clock_is_one_day() -> None:
    window = TimeWindow(_day(25, 3, 23), _day(28, 3, 22))

    table = silent_days(_with_days(), window, ROME)

    assert table.frame["day"].to_list() == [_day(25, 3, 23), _day(26, 3, 23), _day(27, 3, 22)]


def test_days_without_samples_are_told_by_owner() -> None:
    samples = Column("samples", "samples", Role.COUNT)
    part = _part(
        "power",
        (NODE, DAY, samples),
        node=["1", "1", "2"],
        day=_days(_day(1), _day(2), _day(2)),
        samples=[1, 1, 1],
    )

    table = silent_days(part, TimeWindow(_day(1), _day(3)), UTC_ZONE)

    assert table.frame.rows() == [("2", _day(1))]


def test_coefficients_become_pairs() -> None:
    columns = (
        _value("r0_1", "power / inlet", ""),
        _value("r0_2", "power / load", ""),
        Column("intervals", "intervals", Role.COUNT),
    )
    part = _part("correlation", columns, r0_1=[0.5], r0_2=[None], intervals=[60])

    table = correlation_pairs(part)

    assert table.frame.rows() == [("power", "inlet", 0.5), ("power", "load", None)]


def _request(wanted: Wanted, *measures: Measure) -> ReadingsRequest:
    metric = MetricCatalog.load().find("ipmi_pub", "total_power")
    assert metric is not None
    return ReadingsRequest(
        wanted,
        (Selected("power", (metric,)),),
        (Owners(EntityKind.NODE),),
        (TimeWindow(_day(1), _day(2)),),
        measures=measures,
    )


@pytest.mark.parametrize("wanted", [Wanted.SERIES, Wanted.OWNERS, Wanted.SILENT_OWNERS])
def test_other_results_are_a_table_each(wanted: Wanted) -> None:
    parts = [_part(name, (NODE,), node=["1"]) for name in ("a", "b")]

    tables = shaped(_request(wanted), parts, TimeWindow(_day(1), _day(2)), UTC_ZONE)

    assert [t.name for t in tables] == ["a", "b"]


def test_tables_of_a_chain_are_joined_in_the_order_of_the_first() -> None:
    user = Column("user", "user", Role.KEY)
    jobs = Column("count", "jobs", Role.COUNT)
    first = pl.DataFrame({"user": ["9", "7", "8"], "count": [5, 4, 3]})
    second = pl.DataFrame({"user": ["7", "9"], "average": [700.0, 900.0]})

    table = side_by_side([(first, (user, jobs)), (second, (user, _value("average")))], "users")

    assert table.frame.rows() == [("9", 5, 900.0), ("7", 4, 700.0), ("8", 3, None)]
    assert [c.variable for c in table.columns] == ["user", "count", "average"]


def _racks(*names: str | None) -> Shaped:
    columns = (Column("rack", "rack", Role.KEY), _value("w"))
    frame = pl.DataFrame(
        {"rack": names, "w": range(len(names))}, schema={"rack": pl.String, "w": int}
    )
    return Shaped("power", columns, frame)


@pytest.mark.parametrize(
    ("names", "put"),
    [
        (["1", "10", "2"], ["1", "2", "10"]),
        (["1", "10", "10", "2"], ["1", "2", "10", "10"]),
        (["10", "2", "1"], ["10", "2", "1"]),
        (["1", "10", "2", "x"], ["1", "10", "2", "x"]),
        (["1", "10", "2", None], ["1", "2", "10", None]),
    ],
)
def test_rows_in_the_order_of_names_are_put_in_that_of_their_numbers(
    names: list[str | None], put: list[str | None]
) -> None:
    assert numbered(_racks(*names)).frame["rack"].to_list() == put


def test_rows_in_any_order_are_put_in_that_of_their_numbers_where_none_is_wanted() -> None:
    table = numbered(_racks("10", "2", "1"), ordered=False)

    assert table.frame.rows() == [("1", 2), ("2", 1), ("10", 0)]
