"""Runs the plotting programs over small tables."""

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
from PIL import Image

from agent.chart import Axis, ChartKind, ChartSpec, Direction, HeatScale, Mark, Series, Side
from agent.chart_writer import write_chart
from agent.figure_check import FigureReport, parse_report

START = datetime(2022, 6, 1, 8, tzinfo=UTC)


def times(count: int, seconds: float = 20, start: datetime = START) -> list[datetime]:
    return [start + timedelta(seconds=seconds * number) for number in range(count)]


def a_line(**changes: object) -> pl.DataFrame:
    columns: dict[str, object] = {"t": times(100), "v": np.sin(np.arange(100) / 9)}
    return pl.DataFrame(columns | changes)


def a_spec(kind: ChartKind, *series: Series, **changes: object) -> ChartSpec:
    spec = ChartSpec(
        kind=kind,
        title="Total power of node 900",
        subtitle="1 Jun 2022 10:00-17:00 CEST (08:00-15:00 UTC)",
        x=Axis("Time"),
        y=Axis("Total power", "W"),
        series=series or (Series("a.parquet", "v", x="t", label="node 900"),),
        zone="Europe/Rome",
    )
    return replace(spec, **changes)  # type: ignore[arg-type]


def drawn(folder: Path, spec: ChartSpec, **tables: pl.DataFrame) -> tuple[int, FigureReport]:
    """Run the program for a chart over some tables; its exit code and its report."""
    (folder / "in").mkdir(exist_ok=True)
    (folder / "out").mkdir(exist_ok=True)
    for name, table in tables.items():
        table.write_parquet(folder / "in" / f"{name}.parquet")
    job = write_chart(spec)
    (folder / "in" / "chart.json").write_bytes(job.spec_json)
    (folder / "program.py").write_text(job.code)
    command = [sys.executable, "-W", "error", str(folder / "program.py")]
    done = subprocess.run(
        [*command, "--dirs", str(folder / "in"), str(folder / "out")],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return done.returncode, parse_report(done.stdout)


def picture(folder: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    with Image.open(folder / "out" / "plot.png") as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)


def has_colour(folder: Path, colour: str) -> bool:
    wanted = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    return bool(np.all(picture(folder) == wanted, axis=2).any())


def random_numbers(count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.random.default_rng(7).normal(500, 50, count)


def categories(**columns: object) -> pl.DataFrame:
    return pl.DataFrame(columns)


BY_NAME = Series("a.parquet", "v", x="c")
GOOD: dict[str, tuple[ChartSpec, dict[str, pl.DataFrame]]] = {
    "line": (
        a_spec(ChartKind.LINE, marks=(Mark(Direction.Y, 0.5, "limit"),)),
        {"a": a_line()},
    ),
    "two lines": (
        a_spec(ChartKind.LINE, Series("a.parquet", "v", x="t", split_by="n", label="node {}")),
        {"a": pl.concat([a_line(n=["301"] * 100), a_line(n=["318"] * 100, v=[2.0] * 100)])},
    ),
    "dual axis": (
        a_spec(
            ChartKind.DUAL_AXIS,
            Series("a.parquet", "v", x="t", label="ambient"),
            Series("b.parquet", "v", x="t", label="power", side=Side.RIGHT),
            y2=Axis("Total power", "W"),
        ),
        {"a": a_line(), "b": a_line(v=random_numbers(100))},
    ),
    "histogram": (
        a_spec(ChartKind.HISTOGRAM, Series("a.parquet", "v"), x=Axis("Power", "W")),
        {"a": categories(v=random_numbers(5_000))},
    ),
    "bar": (
        a_spec(ChartKind.BAR, BY_NAME, x=Axis("Job")),
        {"a": categories(c=[3423336, 4835969, 3776044], v=[0.8, 1.3, 0.2])},
    ),
    "grouped bar": (
        a_spec(ChartKind.GROUPED_BAR, replace(BY_NAME, split_by="s"), x=Axis("Day")),
        {"a": categories(c=["Wed", "Mon"] * 2, s=["x", "x", "y", "y"], v=[1, 2, 3, 4])},
    ),
    "pie": (
        a_spec(
            ChartKind.PIE,
            Series("a.parquet", "cpu", label="CPU hours"),
            Series("a.parquet", "gpu", label="GPU hours"),
        ),
        {"a": categories(cpu=[12_345.6], gpu=[1_530.0])},
    ),
    "box": (
        a_spec(ChartKind.BOX, BY_NAME, x=Axis("User")),
        {"a": categories(c=["7", "5", "9"] * 200, v=random_numbers(600))},
    ),
    "heat map": (
        a_spec(
            ChartKind.HEATMAP, Series("a.parquet", "r", x="a", split_by="b"),
            x=Axis("Metric"), y=Axis("Metric"),
        ),
        {"a": categories(a=["x", "x", "y"], b=["y", "z", "z"], r=[0.5, -0.8, None])},
    ),
    "heat map of values": (
        a_spec(
            ChartKind.HEATMAP, replace(BY_NAME, split_by="h"), heat=HeatScale.VALUES,
            x=Axis("Hour"), y=Axis("Node"),
        ),
        {"a": categories(c=["900", "901"] * 2, h=[0, 0, 1, 1], v=[40.0, 41.0, 45.0, 50.0])},
    ),
    "scatter": (
        a_spec(ChartKind.SCATTER, Series("a.parquet", "v", x="c"), x=Axis("Load", "%")),
        {"a": categories(c=random_numbers(500), v=random_numbers(500))},
    ),
}  # fmt: skip
