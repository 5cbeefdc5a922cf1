"""How complete the samples are that an answer rests on."""

from datetime import UTC, datetime, timedelta

import polars as pl
import pytest

from ontology.conformance import CheckedQuery, check_query
from ontology.schema_loader import load_schema
from retrieval.coverage import coverage_of, coverage_query, sensors_query
from retrieval.data_request import ReadingsRequest
from retrieval.job_request import JobFilter
from retrieval.measures import Group, Owners, Selected, Wanted
from retrieval.metric_catalog import MetricCatalog
from retrieval.query_text import Compiled
from retrieval.request import EntityKind, TimeWindow

START = datetime(2022, 6, 1, 8, tzinfo=UTC)
HOUR = TimeWindow(START, START + timedelta(hours=1))


def _counted(*sensors: tuple[int, float]) -> pl.DataFrame:
    """A row for each sensor: its number of samples, and the seconds from first to last."""
    schema: dict[str, pl.DataType] = {
        "s": pl.String(),
        "samples": pl.Int64(),
        "first": pl.Datetime("ms", "UTC"),
        "last": pl.Datetime("ms", "UTC"),
    }
    rows = [
        (f"sensor {i}", samples, START, START + timedelta(seconds=seconds))
        for i, (samples, seconds) in enumerate(sensors)
    ]
    return pl.DataFrame(rows, schema=schema, orient="row")


def test_a_full_hour_of_samples_each_twenty_seconds_is_complete() -> None:
    coverage = coverage_of(_counted((180, 3580)), 1, [HOUR], during=False)

    assert (coverage.got, coverage.expected, coverage.period) == (180, 180, 20)
    assert coverage.share == 1


def test_an_end_that_is_included_expects_one_sample_more() -> None:
    closed = TimeWindow(HOUR.start, HOUR.end, includes_end=True)

    coverage = coverage_of(_counted((181, 3600)), 1, [closed], during=False)

    assert (coverage.got, coverage.expected) == (181, 181)


def test_a_sensor_with_half_its_samples_counts_as_half() -> None:
    frame = _counted((180, 3580), (180, 3580), (90, 3580))

    coverage = coverage_of(frame, 3, [HOUR], during=False)

    assert (coverage.got, coverage.expected) == (450, 540)
    assert coverage.share == pytest.approx(450 / 540)


def test_a_silent_sensor_is_told_apart() -> None:
    coverage = coverage_of(_counted((180, 3580)), 2, [HOUR], during=False)

    assert (coverage.sensors, coverage.sensors_expected) == (1, 2)


def test_the_spacing_is_that_of_most_sensors() -> None:
    frame = _counted((180, 3580), (180, 3580), (2, 3000))

    coverage = coverage_of(frame, 3, [HOUR], during=False)

    assert coverage.period == 20
    assert coverage.expected == 540


def test_several_windows_expect_their_sum() -> None:
    later = TimeWindow(START + timedelta(days=1), START + timedelta(days=1, hours=2))

    coverage = coverage_of(_counted((180, 3580)), 1, [HOUR, later], during=False)

    assert coverage.expected == 540


def test_nothing_at_all_is_no_share() -> None:
    coverage = coverage_of(_counted(), 3, [HOUR], during=False)

    assert (coverage.got, coverage.expected, coverage.share) == (0, 0, 0)
    assert coverage.period is None


def test_single_samples_tell_no_spacing_and_so_no_gap() -> None:
    coverage = coverage_of(_counted((1, 0), (1, 0)), 2, [HOUR], during=False)

    assert (coverage.got, coverage.expected, coverage.period) == (2, 2, None)


def test_samples_at_one_moment_do_not_divide_by_zero() -> None:
    coverage = coverage_of(_counted((5, 0)), 1, [HOUR], during=False)

    assert coverage.period is None


def test_parts_of_a_window_expect_what_they_got() -> None:
    coverage = coverage_of(_counted((10, 180)), 1, [HOUR], during=True)

    assert (coverage.got, coverage.expected) == (10, 10)


def test_more_samples_than_expected_are_no_more_than_all() -> None:
    frame = _counted((180, 3580), (180, 3580), (700, 3580))

    assert coverage_of(frame, 3, [HOUR], during=False).share == 1


def _power() -> Selected:
    metric = MetricCatalog.load().find("ipmi_pub", "total_power")
    assert metric is not None
    return Selected("total node power", (metric,))


def _projected(compiled: Compiled) -> tuple[str, ...]:
    result = check_query(compiled.query, load_schema())
    assert isinstance(result, CheckedQuery), result
    return result.projected


@pytest.mark.parametrize(
    "who",
    [Owners(EntityKind.NODE), Owners(EntityKind.NODE, ("5",)), Owners(EntityKind.NODE, (), ("3",))],
    ids=["nodes", "a node", "a rack"],
)
@pytest.mark.parametrize("during", [None, JobFilter(ids=(7,))], ids=["a window", "a job"])
def test_its_queries_pass_the_gate(who: Owners, during: JobFilter | None) -> None:
    quantity = _power()
    window = HOUR if during is None else None
    request = ReadingsRequest(
        Wanted.MEASURES, (quantity,), (who,), (HOUR,), groups=(Group.OWNER,), during=during
    )

    counting = coverage_query(request, quantity, who, window, "UTC")

    assert _projected(counting) == ("s", "samples", "first", "last")
    assert _projected(sensors_query(quantity, who)) == ("sensors",)
    assert counting.scope.jobs == (during is not None)
