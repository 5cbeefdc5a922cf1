import ast
import json
from dataclasses import replace

import pytest

from agent.chart import Axis, ChartKind, ChartSpec, Direction, Mark, Series, Side
from agent.chart_limits import MAX_SERIES, problems_of
from agent.chart_writer import program_for, spec_from_json, spec_to_json, write_chart


def a_spec(kind: ChartKind = ChartKind.LINE) -> ChartSpec:
    right = Side.RIGHT if kind is ChartKind.DUAL_AXIS else Side.LEFT
    return ChartSpec(
        kind=kind,
        title="Total power of node 900",
        subtitle="1 Jun 2022 10:00-17:00 CEST (08:00-15:00 UTC)",
        x=Axis("Time"),
        y=Axis("Total power", "W"),
        series=(
            Series("power.parquet", "value", x="timestamp", label="node 900"),
            Series("air.parquet", "value", x="timestamp", label="ambient °C", side=right),
        ),
        y2=Axis("Ambient temperature", "°C"),
        zone="Europe/Rome",
        marks=(Mark(Direction.Y, 900.0, "limit"), Mark(Direction.X, "2022-06-01T10:00Z", "fault")),
        notes=("GPU ids as the site counts them.",),
    )


@pytest.mark.parametrize("kind", ChartKind)
def test_a_specification_survives_being_written_and_read(kind: ChartKind) -> None:
    spec = a_spec(kind)

    again = spec_from_json(spec_to_json(spec))

    assert again == spec


def test_the_specification_is_plain_json_in_utf8() -> None:
    content = json.loads(spec_to_json(a_spec()).decode())

    assert content["kind"] == "line"
    assert content["y2"] == {"label": "Ambient temperature", "unit": "°C"}


@pytest.mark.parametrize("kind", ChartKind)
def test_a_program_stands_alone(kind: ChartKind) -> None:
    tree = ast.parse(program_for(kind))

    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
    ]
    assert not [module for module in modules if str(module).startswith("chart")]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("kind", ChartKind)
def test_a_program_starts_in_one_place(kind: ChartKind) -> None:
    starts = [node for node in ast.parse(program_for(kind)).body if isinstance(node, ast.If)]

    assert len(starts) == 1
    assert ast.unparse(starts[0].test) == "__name__ == '__main__'"


def test_the_same_specification_gives_the_same_job() -> None:
    assert write_chart(a_spec()) == write_chart(a_spec())


def test_a_job_names_each_table_once() -> None:
    spec = a_spec()

    job = write_chart(replace(spec, series=(*spec.series, *spec.series)))

    assert job.tables == ("power.parquet", "air.parquet")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (replace(a_spec(), title="  "), "title is empty"),
        (replace(a_spec(), title="a" * 201), "title is longer"),
        (replace(a_spec(), y=Axis("")), "vertical axis has no label"),
        (replace(a_spec(), x=Axis("")), "horizontal axis has no label"),
        (replace(a_spec(), zone="Europe/Atlantis"), "no time zone"),
        (replace(a_spec(), zone="../../etc/passwd"), "no time zone"),
        (replace(a_spec(), series=()), "1 to 40 series"),
        (replace(a_spec(), series=a_spec().series * MAX_SERIES), "1 to 40 series"),
        (replace(a_spec(), max_points=10), "max_points"),
        (replace(a_spec(), bins=1), "2 to 200 bins"),
        (replace(a_spec(), kind=ChartKind.DUAL_AXIS), "series on each side"),
        (replace(a_spec(ChartKind.DUAL_AXIS), y2=None), "right-hand axis has no label"),
        (replace(a_spec(ChartKind.DUAL_AXIS), kind=ChartKind.LINE), "only a dual-axis chart"),
        (replace(a_spec(), series=(Series("../x.parquet", "v", x="t"),)), "plain name"),
        (replace(a_spec(), series=(Series("x.csv", "v", x="t"),)), "plain name"),
        (replace(a_spec(), series=(Series("x.parquet", "v"),)), "needs a column"),
        (replace(a_spec(), series=(Series("x.parquet", "v", x="t", weight="n"),)), "weights"),
        (
            replace(a_spec(), series=(Series("x.parquet", "v", x="t", period_seconds=0.0),)),
            "period",
        ),
        (replace(a_spec(), marks=(Mark(Direction.Y, float("nan"), "x"),)), "lies nowhere"),
        (replace(a_spec(), notes=("x",) * 9), "more than 8 notes"),
    ],
)
def test_says_what_is_wrong_with_a_specification(spec: ChartSpec, words: str) -> None:
    problems = problems_of(spec)

    assert any(words in problem for problem in problems)
    with pytest.raises(ValueError, match=words):
        write_chart(spec)


@pytest.mark.parametrize("kind", ChartKind)
def test_finds_nothing_wrong_with_a_good_specification(kind: ChartKind) -> None:
    assert problems_of(a_spec(kind)) == ()
