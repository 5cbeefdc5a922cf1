"""No number stands in a reply that no result accounts for."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from agent.number_guard import unsupported_numbers
from retrieval.measures import Applies, Comparison, Condition
from retrieval.outcome import Cell, Coverage
from retrieval.query_text import Column, Role
from retrieval.site_request import SiteRequest, Subject
from tests.unit.agent.results import NODE, a_table, count, nodes, readings, retrieved, value

NOON = datetime(2022, 6, 1, 12, tzinfo=UTC)
SINCE = Column("since", "first sample", Role.TIME)


def _strange(text: str, cell: Cell, unit: str = "W", **more: object) -> tuple[str, ...]:
    result = retrieved(readings(), a_table((NODE, value("average", unit)), ("900", cell)))
    return unsupported_numbers(text, [result], **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "cell", "unit"),
    [
        ("average 612.35 W", 612.3456, "W"),
        ("average 612 W", 612.3456, "W"),
        ("maximum 1,058.2 W", 1058.22216796875, "W"),
        ("sum 13,246", 13246, ""),
        ("value -3.5 °C", -3.5, "°C"),
        ("nothing: 0 W", 0.0, "W"),
        ("small 0.0012", 0.0012, ""),
        ("tiny 1.235e-07", 1.2347e-07, ""),
        ("it took 2 h", 7200, "s"),
        ("it took 90 min", 5400, "s"),
        ("150 min (2.5 h)", 150, "min"),
        ("1.5 kW", 1500.0, "W"),
        ("0.0249 MWh", 24.9, "kWh"),
        ("35 %", 35.2, "%"),
        ("node 900 stood out", 1.0, "W"),
        ("nodes 1, 900 and 7", 1.0, "W"),
        ("1 row", 3.0, "W"),
    ],
)
def test_accepts_a_number_of_the_result(text: str, cell: Cell, unit: str) -> None:
    strange = [number for number in _strange(text, cell, unit) if number not in ("1", "7")]

    assert strange == []


@pytest.mark.parametrize(
    ("text", "cell", "unit", "strange"),
    [
        ("average 613.35 W", 612.3456, "W", "613.35"),
        ("average 612.41 W", 612.3456, "W", "612.41"),
        ("maximum 1,059 W", 1058.2, "W", "1,059"),
        ("-612 W", 612.0, "W", "-612"),
        ("node 901", 612.0, "W", "901"),
        ("about 4e5", 612.0, "W", "4e5"),
        ("average 612.35 kW", 612.3456, "W", "612.35"),
        ("average 612.35 °C", 612.3456, "W", "612.35"),
        ("average 612.35", 612.3456, "W", "612.35"),
        ("10.206 W", 612.3456, "W", "10.206"),
        ("36,741 W", 612.3456, "W", "36,741"),
        ("35 %", 0.35, "", "35"),
        ("10 h", 612.0, "W", "10"),
        ("900 W", 612.0, "W", "900"),
        ("900 nodes", 612.0, "W", "900"),
        ("1 W", 0.6, "W", "1"),
    ],
)
def test_names_a_number_of_no_result(text: str, cell: Cell, unit: str, strange: str) -> None:
    assert _strange(text, cell, unit) == (strange,)


def test_names_every_strange_number_in_order() -> None:
    assert _strange("77 W and 612 W, then 88.8 W", 612.0) == ("77", "88.8")


def test_a_number_of_one_column_is_none_of_another() -> None:
    columns = (NODE, value("average"), value("maximum"))
    result = retrieved(readings(), a_table(columns, ("900", 600.0, 800.0)))

    assert unsupported_numbers("average 600 W, maximum 800 W", [result]) == ()
    assert unsupported_numbers("average 800 W, maximum 600 W", [result]) == ("800", "600")


def test_a_number_of_one_thing_is_none_of_another() -> None:
    columns = (NODE, value("average"))
    result = retrieved(readings(), a_table(columns, ("900", 600.0), ("920", 800.0)))

    assert unsupported_numbers("node 900: average 600 W; node 920: average 800 W", [result]) == ()
    assert unsupported_numbers("node 900: average 800 W", [result]) == ("800",)


def test_a_number_of_one_moment_is_none_of_another() -> None:
    later = NOON.replace(hour=13)
    columns = (SINCE, value("peak"))
    result = retrieved(readings(), a_table(columns, (NOON, 600.0), (later, 800.0)))

    assert unsupported_numbers("at 2022-06-01 12:00:00 UTC (peak 600 W)", [result]) == ()
    assert unsupported_numbers("at 2022-06-01 12:00:00 UTC (peak 800 W)", [result]) == ("800",)


def test_accepts_numbers_of_the_question_in_their_unit() -> None:
    question = "power of the 33 nodes above 1,400 W on 1 June 2022"

    assert _strange("33 of them above 1,400 W, or 1.4 kW", 612.0, question=question) == ()
    assert _strange("1,400 °C in 2,022 cases", 612.0, question=question) == ("1,400", "2,022")


def test_accepts_notes_word_by_word() -> None:
    notes = ("Up to 12 of 4,320 moments are left out.",)

    assert _strange("612 W.\n_Up to 12 of 4,320 moments are left out._", 612.0, notes=notes) == ()
    assert _strange("612 W in 12 moments", 612.0, notes=notes) == ("12",)


def test_accepts_bounds_and_names_of_what_was_asked() -> None:
    condition = Condition(Comparison.ABOVE, 1400.0, Applies.SAMPLE)
    request = readings(owners=nodes("4711"), condition=condition)
    result = retrieved(request, a_table((value("average"),), (612.0,)))

    assert unsupported_numbers("node 4711 above 1,400 W: 612 W", [result]) == ()
    assert unsupported_numbers("node 1400 above 4,711 W: 612 W", [result]) == ("1400", "4,711")


def test_accepts_moments_of_the_result_and_of_the_window() -> None:
    result = retrieved(readings(), a_table((SINCE,), (NOON,)))
    rome = ZoneInfo("Europe/Rome")

    text = "2022-06-01 12:00:00 UTC, 2022-06-01 12:00, 2022-06-02"
    assert unsupported_numbers(text, [result]) == ()
    assert unsupported_numbers("2022-06-01 14:00 CEST", [result], zone=rome) == ()
    assert unsupported_numbers("2022-06-01 14:00 UTC", [result]) == ("2022-06-01 14:00",)
    assert unsupported_numbers("on 2031-05-17", [result]) == ("2031-05-17",)


def test_numbers_inside_words_are_no_numbers() -> None:
    assert _strange("612 W of Gpu7_power, p95 and r206n17", 612.0) == ()


def test_accepts_the_numbers_of_the_coverage() -> None:
    coverage = Coverage(got=3131, expected=4242, sensors=17, sensors_expected=19, period=20)
    result = retrieved(readings(), a_table((NODE,), ("900",)), coverage=coverage)

    text = "only 74 % (3,131 of 4,242 samples); 17 of 19 sensors, 2 without"

    assert unsupported_numbers(text, [result]) == ()
    assert unsupported_numbers("only 75 % of 4,243 samples", [result]) == ("75", "4,243")


def test_accepts_the_number_of_rows_and_of_different_things() -> None:
    columns = (NODE, count("gaps"))
    result = retrieved(readings(), a_table(columns, ("7", 5), ("7", 6), ("8", 9)))

    assert unsupported_numbers("3 rows of 2 nodes", [result]) == ()
    assert unsupported_numbers("4 rows of 7 nodes", [result]) == ("4", "7")
    assert unsupported_numbers("3 days without any sample", [result]) == ()
    assert unsupported_numbers("4 days without any sample", [result]) == ("4",)


def test_texts_of_a_result_are_said_as_they_are() -> None:
    assert _strange("the state of rack3/pump 2 was so", "rack3/pump 2") == ()
    assert _strange("the state of pump 2 was so", "rack3/pump 2") == ("2",)


def test_a_truth_value_is_no_number() -> None:
    assert _strange("1234567", True) == ("1234567",)


def test_accepts_the_row_of_the_room_that_was_asked_about() -> None:
    request = SiteRequest(Subject.RACKS, count=True, y=8)
    result = retrieved(request, a_table((count("number"),), (0,)))

    assert unsupported_numbers("There are 0 racks at Y = 8.", [result], "racks in row Y=8") == ()
    assert unsupported_numbers("There are 0 racks at Y = 9.", [result], "racks in row Y=8") == (
        "9",
    )
