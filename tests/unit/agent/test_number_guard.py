"""No number stands in a reply that no result accounts for."""

from datetime import UTC, datetime

import pytest

from agent.number_guard import unsupported_numbers
from retrieval.outcome import Cell, Coverage
from tests.unit.agent.results import NODE, a_table, readings, retrieved, value


def _strange(text: str, *cells: Cell, also: tuple[str | float, ...] = ()) -> tuple[str, ...]:
    columns = (NODE, *(value(f"v{i}") for i in range(len(cells))))
    result = retrieved(readings(), a_table(columns, ("900", *cells)))
    return unsupported_numbers(text, [result], also)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("average 612.35 W", 612.3456),
        ("average 612 W", 612.3456),
        ("maximum 1,058.2 W", 1058.22216796875),
        ("sum 13,246", 13246),
        ("value -3.5 °C", -3.5),
        ("nothing: 0 W", 0.0),
        ("small 0.0012", 0.0012),
        ("it took 2 h", 7200),
        ("it took 90 min", 5400),
        ("1.5 kW", 1500.0),
        ("35 %", 0.35),
        ("node 900 stood out", 1.0),
        ("1 row", 1.0),
    ],
)
def test_accepts_a_number_of_the_result(text: str, cell: Cell) -> None:
    assert _strange(text, cell) == ()


@pytest.mark.parametrize(
    ("text", "cell", "strange"),
    [
        ("average 613.35 W", 612.3456, "613.35"),
        ("average 612.41 W", 612.3456, "612.41"),
        ("maximum 1,059 W", 1058.2, "1,059"),
        ("-612 W", 612.0, "-612"),
        ("node 901", 612.0, "901"),
        ("about 4e5", 612.0, "4e5"),
    ],
)
def test_names_a_number_of_no_result(text: str, cell: Cell, strange: str) -> None:
    assert _strange(text, cell) == (strange,)


def test_names_every_strange_number_in_order() -> None:
    assert _strange("77 W and 612 W, then 88.8 W", 612.0) == ("77", "88.8")


def test_accepts_numbers_of_the_question_and_of_notes() -> None:
    also = ("power of node 4711 above 1,400 W", 33.0)

    assert _strange("node 4711: above 1,400 W, 33 times", 612.0, also=also) == ()


def test_dates_and_clock_times_are_no_numbers() -> None:
    assert _strange("612 W on 2031-05-17 at 23:59:59, 2031-05-17 07:08", 612.0) == ()


def test_numbers_inside_words_are_no_numbers() -> None:
    assert _strange("612 W of Gpu7_power, p95 and r206n17", 612.0) == ()


def test_accepts_the_numbers_of_the_coverage() -> None:
    coverage = Coverage(got=3131, expected=4242, sensors=17, sensors_expected=19, period=20)
    result = retrieved(readings(), a_table((NODE,), ("900",)), coverage=coverage)

    text = "only 74 % (3,131 of 4,242 samples); 17 of 19 sensors"

    assert unsupported_numbers(text, [result], ()) == ()


def test_numbers_in_texts_of_a_result_are_accepted() -> None:
    assert _strange("nodes 801 and 802", "801 802") == ()


def test_a_truth_value_is_no_number() -> None:
    assert _strange("1234567", True) == ("1234567",)


def test_the_day_of_a_time_is_accepted() -> None:
    moment = datetime(2022, 6, 17, 8, tzinfo=UTC)

    assert _strange("on the 17 of the month", moment) == ()
