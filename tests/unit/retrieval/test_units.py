"""Units: how they are written, and how values are converted."""

import polars as pl
import pytest

from retrieval.query_text import Column, Role
from retrieval.units import converted, in_unit, measure_same, unit_named


@pytest.mark.parametrize(
    ("number", "written", "unit", "value"),
    [
        (1.5, "kW", "W", 1500),
        (1500, "W", "kW", 1.5),
        (2, "MW", "kW", 2000),
        (28, "°C", "°C", 28),
        (28, "degrees", "°C", 28),
        (28, "°  C", "°C", 28),
        (90, "percent", "%", 90),
        (9000, "rpm", "RPM", 9000),
        (2, "GB", "KB", 2e6),
        (1, "GiB", "KB", 2**30 / 1000),
        (1.2, "GHz", "MHz", 1200),
        (90, "minutes", "s", 5400),
        (2, "days", "s", 172800),
        (5, "", "W", 5),
        (5, "V", "V", 5),
        (3, "m3/h", "m³/h", 3),
        (1, "errors", "", 1),
        (77, "°F", "°C", 25),
        (32, "degrees Fahrenheit", "°C", 0),
        (36, "km/h", "m/s", 10),
        (2, "MB/s", "B/s", 2e6),
        (1.013, "bar", "hPa", 1013),
    ],
)
def test_converts_a_number_to_the_unit_of_the_metric(
    number: float, written: str, unit: str, value: float
) -> None:
    assert in_unit(number, written, unit) == pytest.approx(value)


@pytest.mark.parametrize(
    ("written", "unit"),
    [
        ("W", "°C"),
        ("°C", "W"),
        ("rpm", "%"),
        ("GB", "W"),
        ("minutes", "W"),
        ("kWh", "W"),
        ("V", "A"),
    ],
)
def test_gives_no_number_for_a_unit_that_measures_something_else(written: str, unit: str) -> None:
    assert in_unit(5, written, unit) is None


def table(unit: str, **values: float) -> tuple[pl.DataFrame, tuple[Column, ...]]:
    columns = tuple(Column(name, name, Role.VALUE, unit) for name in values)
    return pl.DataFrame({name: [value] for name, value in values.items()}), columns


def test_a_distance_of_temperatures_has_no_offset() -> None:
    frame, columns = converted(*table("°C", average=25.0, stddev=5.0, range_1=10.0), "°F")

    assert frame.row(0) == pytest.approx((77.0, 9.0, 18.0))
    assert {column.unit for column in columns} == {"°F"}


def test_leaves_alone_what_measures_something_else() -> None:
    frame, columns = converted(*table("W", average=25.0), "°F")

    assert frame.row(0) == (25.0,)
    assert columns[0].unit == "W"


@pytest.mark.parametrize(
    ("words", "unit"),
    [("Fahrenheit", "°F"), ("kilowatts", "kW"), ("m3/h", "m³/h"), ("km/h", "km/h"), ("foo", None)],
)
def test_names_units(words: str, unit: str | None) -> None:
    assert unit_named(words) == unit


def test_knows_what_measures_the_same() -> None:
    assert measure_same("kWh", "MJ")
    assert not measure_same("kWh", "kW")
