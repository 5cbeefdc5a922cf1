"""Puts together the program and the data that draw a chart in the sandbox."""

import ast
import json
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from pydantic import TypeAdapter

from agent.chart import ChartKind, ChartSpec
from agent.chart_limits import problems_of

SPEC_NAME = "chart.json"
"""The name under which the program expects the specification among its inputs."""
PICTURE_NAME = "plot.png"
"""The name of the picture among the program's outputs."""

_PROGRAMS = {
    ChartKind.LINE: "chart_line",
    ChartKind.DUAL_AXIS: "chart_line",
    ChartKind.HISTOGRAM: "chart_histogram",
    ChartKind.BAR: "chart_bar",
    ChartKind.GROUPED_BAR: "chart_bar",
    ChartKind.PIE: "chart_pie",
    ChartKind.BOX: "chart_box",
    ChartKind.HEATMAP: "chart_heatmap",
    ChartKind.SCATTER: "chart_scatter",
}


@dataclass(frozen=True, slots=True)
class ChartJob:
    """A program, the specification it reads, and the tables it needs beside it."""

    code: str
    spec_json: bytes
    tables: tuple[str, ...]


def write_chart(spec: ChartSpec) -> ChartJob:
    """The job that draws ``spec`` as ``plot.png``.

    Raises:
        ValueError: ``chart_limits.problems_of`` finds something wrong with the specification.

    """
    problems = problems_of(spec)
    if problems:
        raise ValueError("; ".join(problems))
    tables = tuple(dict.fromkeys(series.table for series in spec.series))
    return ChartJob(program_for(spec.kind), spec_to_json(spec), tables)


def spec_to_json(spec: ChartSpec) -> bytes:
    """The specification as UTF-8 JSON with its keys in a fixed order."""
    return json.dumps(asdict(spec), ensure_ascii=False, indent=1, allow_nan=False).encode()


def spec_from_json(text: bytes) -> ChartSpec:
    """The specification that ``spec_to_json`` wrote.

    Raises:
        ValueError: The text is not such a specification.

    """
    return TypeAdapter(ChartSpec).validate_json(text)


@cache
def program_for(kind: ChartKind) -> str:
    """One self-contained Python program: the kind's own file after all that it imports of ours."""
    folder = files("agent") / "chart-programs"
    parts: dict[str, str] = {}
    _collect(_PROGRAMS[kind], folder, parts, runs=True)
    return "\n\n\n".join(parts.values()) + "\n"


def _collect(name: str, folder: Traversable, parts: dict[str, str], *, runs: bool) -> None:
    source = (folder / f"{name}.py").read_text(encoding="utf-8")
    dropped: set[int] = set()
    for node in ast.parse(source).body:
        module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        is_ours = module.startswith("chart_")
        if is_ours or (isinstance(node, ast.If) and not runs):
            dropped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        if is_ours and module not in parts:
            _collect(module, folder, parts, runs=False)
    lines = source.splitlines()
    parts[name] = "\n".join(
        line for number, line in enumerate(lines, start=1) if number not in dropped
    ).strip()
