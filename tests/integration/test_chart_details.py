from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from agent.chart import Axis, ChartKind, Series
from tests.integration.chart_runs import (
    BY_NAME,
    GOOD,
    START,
    a_line,
    a_spec,
    categories,
    drawn,
    has_colour,
    picture,
    random_numbers,
    times,
)


def test_shows_a_single_point(tmp_path: Path) -> None:
    code, report = drawn(tmp_path, a_spec(ChartKind.LINE), a=categories(t=times(1), v=[640.0]))

    assert (code, report.drawn) == (0, 1)
    assert report.ink >= 30


def test_leaves_gaps_open_and_counts_missing_values(tmp_path: Path) -> None:
    table = a_line().with_row_index().with_columns(
        v=pl.when(pl.col("index") == 20).then(float("nan")).otherwise(pl.col("v"))
    ).filter(~pl.col("index").is_between(50, 60))  # fmt: skip
    spec = a_spec(ChartKind.LINE, y=Axis("Power", "W"), max_points=5_000)

    code, report = drawn(tmp_path, spec, a=table.sample(fraction=1, shuffle=True, seed=1))

    assert (code, report.missing) == (0, 1)
    assert report.notes == ("1 gap of more than 3 sampling periods is left open.",)


def test_a_gap_is_no_narrower_than_the_known_period_says(tmp_path: Path) -> None:
    series = Series("a.parquet", "v", x="t", period_seconds=20)
    table = categories(t=[START, START + timedelta(hours=1)], v=[1.0, 2.0])

    _, report = drawn(tmp_path, a_spec(ChartKind.LINE, series), a=table)

    assert "1 gap" in report.notes[0]


def test_names_a_dozen_of_two_hundred_lines(tmp_path: Path) -> None:
    tables = [a_line(n=[str(n)] * 100, v=np.full(100, float(n))) for n in range(200)]
    spec = a_spec(ChartKind.LINE, Series("a.parquet", "v", x="t", split_by="n"))

    code, report = drawn(tmp_path, spec, a=pl.concat(tables))

    assert (code, report.series) == (0, 200)
    assert "the 12 with the highest peaks are coloured" in report.notes[0]


def test_thins_a_million_points_and_keeps_the_peak(tmp_path: Path) -> None:
    values = np.zeros(1_000_000)
    values[333_333] = 1_000.0
    start = np.datetime64("2022-03-01T00:00:00", "us")
    moments = start + np.arange(1_000_000) * np.timedelta64(20_000_000, "us")

    code, report = drawn(tmp_path, a_spec(ChartKind.LINE), a=categories(t=moments, v=values))

    assert code == 0
    assert report.points == 1_000_000
    assert report.drawn <= 4_002
    assert "of 1,000,000 points are drawn" in report.notes[0]
    rows = np.any(picture(tmp_path)[:, 100:1150] == (0, 114, 178), axis=(1, 2)).nonzero()[0]
    assert rows.max() - rows.min() > 400


@pytest.mark.parametrize(
    ("start", "hours"),
    [(datetime(2022, 3, 26, 23, tzinfo=UTC), 23), (datetime(2022, 10, 29, 22, tzinfo=UTC), 25)],
)
def test_draws_the_days_on_which_the_clocks_change(
    start: datetime, hours: int, tmp_path: Path
) -> None:
    table = categories(t=times(hours, 3_600, start), v=np.arange(hours, dtype=float))

    code, report = drawn(tmp_path, a_spec(ChartKind.BAR, Series("a.parquet", "v", x="t")), a=table)

    assert (code, report.points, report.missing) == (0, hours, 0)


def test_fills_a_day_without_a_row(tmp_path: Path) -> None:
    days = [date(2022, 3, day) for day in (25, 26, 28, 29)]
    spec = a_spec(ChartKind.BAR, Series("a.parquet", "v", x="d"))

    code, report = drawn(tmp_path, spec, a=categories(d=days, v=[1, 2, 3, 4]))

    assert (code, report.points, report.missing) == (0, 4, 1)


@pytest.mark.parametrize("value", [0.0, -5.0, None])
def test_draws_bars_where_a_pie_is_impossible(value: float | None, tmp_path: Path) -> None:
    table = categories(c=["IT", "cooling", "return"], v=[900.0, 300.0, value])

    code, report = drawn(tmp_path, a_spec(ChartKind.PIE, BY_NAME, x=Axis("Part")), a=table)

    assert (code, report.kind_drawn) == (0, "bar")
    assert "Drawn as bars" in report.notes[0]


def test_draws_many_small_slices_as_one(tmp_path: Path) -> None:
    table = categories(c=[str(n) for n in range(30)], v=[float(n + 1) for n in range(30)])

    _, report = drawn(tmp_path, a_spec(ChartKind.PIE, BY_NAME), a=table)

    assert report.notes[0] == "The 22 smallest slices are drawn as one."


def test_marks_the_tail_of_a_histogram(tmp_path: Path) -> None:
    values = np.concatenate([random_numbers(5_000), [86_400.0, 1e6]])
    spec = a_spec(ChartKind.HISTOGRAM, Series("a.parquet", "v"), x=Axis("Run time", "s"))

    code, report = drawn(tmp_path, spec, a=categories(v=values))

    assert code == 0
    assert any("up to 1,000,000" in note for note in report.notes)


def test_counts_weighted_values(tmp_path: Path) -> None:
    series = Series("a.parquet", "v", weight="n")
    spec = a_spec(ChartKind.HISTOGRAM, series, x=Axis("GPUs"))

    _, report = drawn(tmp_path, spec, a=categories(v=[1, 2, 4], n=[10, 20, 5]))

    assert "n 35, min 1, median 2, mean 2, max 4" in report.notes[-1]
    assert report.notes[0] == "Each bar is 1 wide."


def test_refuses_a_coefficient_beyond_one(tmp_path: Path) -> None:
    spec, _ = GOOD["heat map"]

    code, report = drawn(tmp_path, spec, a=categories(a=["x"], b=["y"], r=[1.5]))

    assert (code, report.problems) == (3, ("a correlation coefficient lies outside -1 to 1",))


def test_refuses_two_values_for_one_bar(tmp_path: Path) -> None:
    table = categories(c=["x", "x"], v=[1.0, 2.0])

    code, report = drawn(tmp_path, a_spec(ChartKind.BAR, BY_NAME), a=table)

    assert code == 3
    assert "several values for one category" in report.problems[0]


def test_tells_two_lines_apart_by_colour_and_names_them(tmp_path: Path) -> None:
    spec, tables = GOOD["two lines"]

    drawn(tmp_path, spec, **tables)

    assert has_colour(tmp_path, "#0072B2")
    assert has_colour(tmp_path, "#E69F00")


def test_dollar_signs_and_long_words_are_only_words(tmp_path: Path) -> None:
    series = tuple(Series("a.parquet", "v", x="t", label=f"_job_{n}_" + "x" * 90) for n in range(3))
    spec = a_spec(ChartKind.LINE, *series, title="costs of $x_1$ and " + "y" * 150)

    code, _ = drawn(tmp_path, spec, a=a_line())

    assert code == 0
