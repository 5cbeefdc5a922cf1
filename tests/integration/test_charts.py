from pathlib import Path

import polars as pl
import pytest

from agent.chart import ChartKind
from tests.integration.chart_runs import GOOD, a_line, a_spec, categories, drawn, picture, times


@pytest.mark.parametrize("name", GOOD)
def test_draws_each_kind_of_chart(name: str, tmp_path: Path) -> None:
    spec, tables = GOOD[name]

    code, report = drawn(tmp_path, spec, **tables)

    assert (code, report.problems) == (0, ())
    assert report.kind_drawn == spec.kind.value
    assert picture(tmp_path).shape == (700, 1200, 3)
    assert report.ink > 500


def test_draws_the_same_picture_again(tmp_path: Path) -> None:
    drawn(tmp_path, a_spec(ChartKind.LINE), a=a_line())
    first = (tmp_path / "out" / "plot.png").read_bytes()

    drawn(tmp_path, a_spec(ChartKind.LINE), a=a_line())

    assert (tmp_path / "out" / "plot.png").read_bytes() == first


@pytest.mark.parametrize("name", ["line", "pie", "heat map"])
def test_reports_a_problem_instead_of_drawing_an_empty_table(name: str, tmp_path: Path) -> None:
    spec, tables = GOOD[name]

    code, report = drawn(tmp_path, spec, a=tables["a"].clear())

    assert code == 3
    assert "no rows" in report.problems[0]
    assert not (tmp_path / "out" / "plot.png").exists()


@pytest.mark.parametrize("name", ["line", "histogram", "box"])
def test_reports_a_problem_when_no_value_is_a_number(name: str, tmp_path: Path) -> None:
    spec, tables = GOOD[name]

    code, report = drawn(tmp_path, spec, a=tables["a"].with_columns(v=pl.lit(float("nan"))))

    assert code == 3
    assert "nothing to draw" in report.problems[0]


def test_reports_a_column_that_is_not_there(tmp_path: Path) -> None:
    code, report = drawn(tmp_path, a_spec(ChartKind.LINE), a=categories(t=times(2)))

    assert (code, report.problems) == (3, ("a.parquet has no column v",))


def test_reports_a_table_that_is_not_there(tmp_path: Path) -> None:
    code, report = drawn(tmp_path, a_spec(ChartKind.LINE), b=a_line())

    assert (code, report.problems) == (3, ("there is no table a.parquet",))
