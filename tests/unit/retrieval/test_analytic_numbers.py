import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.analytic_numbers import (
    Sample,
    episodes,
    integral,
    longest,
    median,
    pearson,
    quantile,
    stddev,
    time_of_extreme,
)

START = datetime(2022, 6, 1, tzinfo=UTC)
NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20)


def _at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def _samples(*values: float, step: float = 20) -> list[Sample]:
    return [(_at(number * step), value) for number, value in enumerate(values)]


def test_spreads_as_a_population_does() -> None:
    assert stddev([2, 4, 4, 4, 5, 5, 7, 9]) == 2


def test_interpolates_between_the_values_around_a_quantile() -> None:
    assert quantile([(v, 0.95) for v in (1, 2, 3, 4)]) == pytest.approx(3.85)


def test_takes_the_mean_of_the_two_middle_values() -> None:
    assert median([4, 1, 3, 2]) == 2.5


@given(NUMBERS)
def test_keeps_quantiles_within_the_values(values: list[float]) -> None:
    found = quantile([(value, 0.3) for value in values])

    assert found is not None
    assert min(values) - 1e-6 <= found <= max(values) + 1e-6


def test_finds_no_correlation_with_what_does_not_vary() -> None:
    assert pearson([(1, 5), (2, 5), (3, 5)]) is None
    assert pearson([(1, 2)]) is None


def test_correlates_opposite_courses_with_minus_one() -> None:
    assert pearson([(1, 3), (2, 2), (3, 1)]) == pytest.approx(-1)


def test_holds_each_sample_until_the_next_and_the_last_for_one_period() -> None:
    assert integral(_samples(100, 200, 300)) == 100 * 20 + 200 * 20 + 300 * 20


def test_fills_a_gap_for_three_periods_only() -> None:
    samples = [*_samples(100, 100, 100), (_at(1000), 100.0)]

    assert integral(samples) == 100 * 20 * 2 + 100 * 60 + 100 * 20


def test_adds_up_sensors_that_are_sampled_together() -> None:
    one, other = _samples(100, 100), _samples(50, 50)

    assert integral([*one, *other]) == 150 * 40


def test_has_no_integral_without_a_period() -> None:
    assert integral([]) is None
    assert integral([(START, 5.0)]) is None


def test_takes_samples_in_any_order() -> None:
    samples = _samples(1, 5, 2, 8)

    assert integral(samples[::-1]) == integral(samples)


def test_joins_samples_into_episodes_and_breaks_them_at_zeros_and_gaps() -> None:
    samples = [*_samples(1, 1, 0, 1), (_at(600), 1.0), (_at(620), 1.0)]

    assert episodes(samples).split() == [
        "2022-06-01T00:00:00Z/2022-06-01T00:00:20Z",
        "2022-06-01T00:01:00Z/2022-06-01T00:01:00Z",
        "2022-06-01T00:10:00Z/2022-06-01T00:10:20Z",
    ]


def test_measures_the_longest_episode() -> None:
    assert longest("2022-06-01T00:00:00Z/2022-06-01T00:00:20Z") == 20
    assert longest("") == 0


def test_gives_the_first_of_equal_extremes() -> None:
    samples = _samples(1, 7, 7, 0, 0)

    assert time_of_extreme(samples, highest=True) == _at(20)
    assert time_of_extreme(samples, highest=False) == _at(60)


def test_leaves_nan_out_of_extremes_unless_there_is_nothing_else() -> None:
    assert time_of_extreme(_samples(math.nan, 3), highest=True) == _at(20)
    assert time_of_extreme(_samples(math.nan, math.nan), highest=True) == _at(0)
