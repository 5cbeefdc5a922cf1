"""Periods that queries give as text, as the rows of a table."""

from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl

from retrieval.compile_course import BEGINS, ENDS, SPANS
from retrieval.course_tables import course_notes, course_tables
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Comparison, Condition, Course, Owners, Ranking, Selected, Wanted
from retrieval.query_text import Column, Compiled, Role
from retrieval.request import EntityKind, Metric, TimeWindow
from retrieval.scope import GraphScope
from retrieval.tables import Part

NODE = Column("node", "node", Role.KEY)
NOON = datetime(2022, 6, 1, 12, tzinfo=UTC)
METRIC = Metric("ipmi_pub", "total_power", "W", "W", 1, 20, "int32", ("node",), "p", None, "p")
TWO_AND_ONE = {
    "1": "2022-06-01T12:00:00Z/2022-06-01T12:10:00Z/31/610.0/700.0"
    " 2022-06-01T13:00:00Z/2022-06-01T13:00:00Z/1/650.0/650.0",
    "2": "2022-06-01T12:05:00Z/2022-06-01T12:25:00Z/61/605.0/900.0",
    "3": "",
}


def _request(course: Course, comparison: Comparison = Comparison.ABOVE, **more: Any) -> Any:
    return ReadingsRequest(
        Wanted.COURSE,
        (Selected("power", (METRIC,)),),
        (Owners(EntityKind.NODE),),
        (TimeWindow(NOON, NOON + timedelta(hours=2)),),
        condition=Condition(comparison, 600),
        course=course,
        **more,
    )


def _part(spans: dict[str, str]) -> Part:
    number = len(spans)
    frame = pl.DataFrame(
        {
            "node": list(spans),
            "spans": list(spans.values()),
            "begins": [NOON] * number,
            "ends": [NOON + timedelta(hours=2)] * number,
        },
        schema_overrides={"begins": pl.Datetime("ms", "UTC"), "ends": pl.Datetime("ms", "UTC")},
    )
    columns = (NODE, SPANS, BEGINS, ENDS)
    return Part(Compiled("power", "", GraphScope(), columns), frame)


def _at(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


def test_each_period_becomes_a_row_with_its_peak() -> None:
    periods, counts = course_tables(_request(Course.PERIODS), _part(TWO_AND_ONE))

    assert [c.heading for c in periods.columns][-2:] == ["samples", "highest"]
    assert periods.frame.rows() == [
        ("1", _at(0), _at(10), 10.0, 31, 700.0),
        ("2", _at(5), _at(25), 20.0, 61, 900.0),
        ("1", _at(60), _at(60), 0.0, 1, 650.0),
    ]
    assert sorted(counts.frame.rows()) == [("1", 2, 10.0), ("2", 1, 20.0)]


def test_the_peak_of_a_period_below_a_bound_is_its_lowest_value() -> None:
    (periods,) = course_tables(
        _request(Course.LONGEST_PERIOD, Comparison.BELOW), _part({"1": TWO_AND_ONE["1"]})
    )

    assert periods.columns[-1].heading == "lowest"
    assert periods.frame.row(0) == ("1", _at(0), _at(10), 10.0, 31, 610.0)


def test_no_period_is_an_empty_table_and_needs_no_note() -> None:
    request, part = _request(Course.PERIODS), _part({"1": ""})

    (periods,) = course_tables(request, part)

    assert (periods.frame.height, course_notes(request, part)) == (0, [])


def test_things_without_a_period_are_counted_as_none() -> None:
    counts, periods = course_tables(_request(Course.PERIOD_COUNT), _part(TWO_AND_ONE))

    assert counts.frame.rows() == [("1", 2, 10.0), ("2", 1, 20.0), ("3", 0, None)]
    assert periods.frame.height == 3


def test_the_first_the_last_and_the_longest_are_one_of_each_thing() -> None:
    part = _part(TWO_AND_ONE)

    found = {
        course: course_tables(_request(course), part)[0].frame.select("node", "since").rows()
        for course in (Course.FIRST_PERIOD, Course.LAST_PERIOD, Course.LONGEST_PERIOD)
    }

    assert found[Course.FIRST_PERIOD] == [("1", _at(0)), ("2", _at(5))]
    assert found[Course.LAST_PERIOD] == [("1", _at(60)), ("2", _at(5))]
    assert found[Course.LONGEST_PERIOD] == [("2", _at(5)), ("1", _at(0))]


def test_a_ranking_keeps_the_first_things_only() -> None:
    request = _request(Course.PERIOD_COUNT, ranking=Ranking(True, 1))

    assert course_tables(request, _part(TWO_AND_ONE))[0].frame.rows() == [("1", 2, 10.0)]


def test_shorter_periods_can_be_left_out() -> None:
    request = _request(Course.PERIODS, longer=900.0)

    assert course_tables(request, _part(TWO_AND_ONE))[0].frame["node"].to_list() == ["2"]


def test_says_where_a_period_had_begun_before_the_window() -> None:
    notes = course_notes(_request(Course.FIRST_PERIOD), _part(TWO_AND_ONE))

    assert notes[0].startswith("A period lasts from its first to its last sample")
    assert notes[1:] == ["It was so already at the first sample in this time of node 1."]
