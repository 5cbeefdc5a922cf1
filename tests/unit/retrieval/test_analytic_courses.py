"""What is computed from how values go over time."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.analytic_courses import (
    earliest,
    gaps,
    largest_step,
    runs,
    slope,
    time_of_change,
    time_of_step,
)
from retrieval.analytic_numbers import Sample

START = datetime(2022, 6, 1, tzinfo=UTC)
NUMBERS = st.lists(st.integers(-1000, 1000).map(float), min_size=2, max_size=20)


def _at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def _samples(*values: float, step: float = 20) -> list[Sample]:
    return [(_at(number * step), value) for number, value in enumerate(values)]


def test_a_run_ends_with_an_unmarked_sample_or_a_gap() -> None:
    samples = [*_samples(5.0, 9.0, 1.0, 7.0), (_at(600), 6.0), (_at(620), 8.0)]

    found = runs([(time, value, value > 4) for time, value in samples])

    assert found.split() == [
        "2022-06-01T00:00:00Z/2022-06-01T00:00:20Z/2/5.0/9.0",
        "2022-06-01T00:01:00Z/2022-06-01T00:01:00Z/1/7.0/7.0",
        "2022-06-01T00:10:00Z/2022-06-01T00:10:20Z/2/6.0/8.0",
    ]
    assert runs([]) == ""


def test_gaps_are_longer_than_the_seconds_that_are_given() -> None:
    times = (0, 20, 80, 141, 160)

    found = gaps([(_at(seconds), 60.0) for seconds in times])

    assert found == "2022-06-01T00:01:20Z/2022-06-01T00:02:21Z"


def test_steps_are_not_taken_across_gaps() -> None:
    samples = [*_samples(10, 30, 25), (_at(600), 500.0), (_at(620), 490.0)]

    assert largest_step(samples, up=True) == 20
    assert time_of_step(samples, up=True) == _at(20)
    assert largest_step(samples, up=False) == -10
    assert time_of_step(samples, up=False) == _at(620)


def test_the_first_of_equal_steps_is_told() -> None:
    assert time_of_step(_samples(0, 5, 10, 15), up=True) == _at(20)


def test_one_sample_has_no_step_no_change_and_no_slope() -> None:
    one = _samples(7)

    assert (largest_step(one, up=True), time_of_step(one, up=True)) == (None, None)
    assert (time_of_change(one), slope(one), earliest(one)) == (None, None, 7)


def test_values_change_where_two_means_fit_best() -> None:
    assert time_of_change(_samples(20, 21, 20, 30, 31, 29, 30)) == _at(60)


@pytest.mark.parametrize("values", [(3, 3, 3), (1, math.nan), (1, math.inf, 2)])
def test_values_that_are_one_or_not_finite_never_change(values: tuple[float, ...]) -> None:
    assert time_of_change(_samples(*values)) is None


def test_a_line_has_its_own_slope() -> None:
    assert slope(_samples(0, 10, 20, 30)) == pytest.approx(0.5)


@given(NUMBERS)
def test_no_other_parting_leaves_less_than_the_one_that_is_found(values: list[float]) -> None:
    def left(at: int) -> float:
        parts = (values[:at], values[at:])
        return sum(sum((v - sum(p) / len(p)) ** 2 for v in p) for p in parts)

    found = time_of_change(_samples(*values))

    if found is None:
        assert min(values) == max(values)
    else:
        at = round((found - START).total_seconds() / 20)
        assert left(at) <= min(left(i) for i in range(1, len(values))) + 1e-3


@given(NUMBERS)
def test_every_sample_lies_in_one_run_of_its_kind(values: list[float]) -> None:
    samples = _samples(*values)

    marked = runs([(time, value, value > 0) for time, value in samples])
    others = runs([(time, value, value <= 0) for time, value in samples])

    counts = [int(span.split("/")[2]) for span in f"{marked} {others}".split()]
    assert sum(counts) == len(values)
