"""The baselines over a tiny lake: raw rows held against Polars, and a query through the gate."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from agent.baselines.datalake_query_tool import MOST_ROWS, DatalakeQueryTool
from agent.tools import ToolResult
from ontology.conformance import Rejection
from ontology.schema_loader import load_schema
from retrieval.embedded_store import EmbeddedStore
from retrieval.lake import Lake
from retrieval.lake_profile import LakeProfile
from retrieval.metric_catalog import MetricCatalog
from retrieval.raw_lake import NotRead, RawQuery, RawRows, raw_metrics, raw_plugins, raw_rows
from retrieval.request import TimeWindow
from retrieval.scope import GraphScope
from retrieval.ungrounded_run import Ran, UngroundedRun
from tests.worker import small_execution

START, END = datetime(2022, 6, 1, 8, tzinfo=UTC), datetime(2022, 6, 1, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def raw(lake: Path) -> Lake:
    return Lake(lake, LakeProfile())


@pytest.fixture(scope="module")
def tool(raw: Lake) -> DatalakeQueryTool:
    return DatalakeQueryTool(raw)


def stored(lake: Path, plugin: str, metric: str) -> pl.DataFrame:
    files = sorted(lake.glob(f"*/plugin={plugin}/metric={metric}/*.parquet"))
    frames = [pl.read_parquet(file, hive_partitioning=False) for file in files]
    return pl.concat(frames, how="diagonal_relaxed")


def rows(lake: Lake, query: RawQuery) -> RawRows:
    found = raw_rows(lake, query)
    assert isinstance(found, RawRows), found
    return found


def answered(result: ToolResult) -> dict[str, Any]:
    assert not result.problem
    content: dict[str, Any] = json.loads(json.dumps(result.content))
    return content


def test_lists_what_has_files(raw: Lake, lake: Path) -> None:
    assert raw_plugins(raw) == tuple(
        sorted({path.name.removeprefix("plugin=") for path in lake.glob("*/plugin=*")})
    )
    assert "total_power" in raw_metrics(raw, "ipmi_pub")
    assert raw_metrics(raw, "nowhere") == ()


def test_rows_are_those_of_the_files_in_order_of_time(raw: Lake, lake: Path) -> None:
    found = rows(
        raw, RawQuery("ipmi_pub", "total_power", START, END, {"node": ["3", "5"]}, limit=50)
    )

    wanted = stored(lake, "ipmi_pub", "total_power").filter(
        pl.col("node").cast(pl.String).is_in(["3", "5"]),
        pl.col("timestamp").is_between(START, END),
    )
    assert found.matched == wanted.height > 50
    assert len(found.rows) == 50
    time = found.columns.index("timestamp")
    assert [row[time] for row in found.rows] == wanted["timestamp"].sort().head(50).to_list()
    assert set(found.rows) <= set(
        wanted.select(found.columns).cast({"node": pl.String}).iter_rows()
    )


def test_values_are_as_stored_and_not_in_their_unit(raw: Lake, lake: Path) -> None:
    metric = MetricCatalog.load().by_name("PLC_PLC_Q101.Temp_mandata")
    assert metric is not None
    assert metric.scale != 1

    found = rows(raw, RawQuery("schneider_pub", metric.name, START, END, aggregate="max"))

    values = stored(lake, "schneider_pub", metric.name).filter(
        pl.col("timestamp").is_between(START, END)
    )["value"]
    assert found.rows == ((values.max(),),)


@pytest.mark.parametrize("aggregate", ["avg", "min", "max", "sum", "count"])
def test_an_aggregate_for_each_value_of_a_column(raw: Lake, lake: Path, aggregate: Any) -> None:
    query = RawQuery("ipmi_pub", "ambient", START, END, aggregate=aggregate, by="node", limit=200)

    found = rows(raw, query)

    value = pl.col("value")
    wanted = (
        stored(lake, "ipmi_pub", "ambient")
        .filter(pl.col("timestamp").is_between(START, END))
        .group_by(pl.col("node").cast(pl.String))
        .agg(avg=value.mean(), min=value.min(), max=value.max(), sum=value.sum(), count=pl.len())
        .select("node", aggregate)
    )
    assert dict(found.rows) == pytest.approx(dict(wanted.iter_rows()))  # type: ignore[arg-type]


def test_jobs_are_found_by_a_column(raw: Lake) -> None:
    found = rows(raw, RawQuery("job_table", "job_info_marconi100", where={"job_id": ["1000882"]}))

    assert found.matched == 1
    assert str(found.rows[0][found.columns.index("job_id")]) == "1000882"


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (RawQuery("ipmi_pub", "warmth"), "no files of plugin=ipmi_pub/metric=warmth"),
        (RawQuery("ipmi_pub", "ambient", where={"rack": ["1"]}), "no column 'rack'; there are"),
        (RawQuery("ipmi_pub", "ambient", aggregate="avg", by="rack"), "no column 'rack'"),
        (RawQuery("ganglia_pub", "gexec", aggregate="avg"), "the values are texts"),
        (RawQuery("job_table", "job_info_marconi100", aggregate="max"), "no column 'value'"),
    ],
)
def test_what_does_not_fit_is_named(raw: Lake, query: RawQuery, told: str) -> None:
    found = raw_rows(raw, query)

    assert isinstance(found, NotRead)
    assert told in found.text


def test_the_tools_reply_with_bounded_json(tool: DatalakeQueryTool, lake: Path) -> None:
    assert answered(tool.call("datalake_list_plugins", {}))["plugins"]
    metrics = answered(tool.call("datalake_list_metrics", {"plugin": "ipmi_pub"}))["metrics"]
    assert "ambient" in metrics
    day = {"start": "2022-06-01T00:00:00", "end": "2022-06-01T23:59:59Z"}
    ambient = {"plugin": "ipmi_pub", "metric": "ambient", **day}

    told = answered(tool.call("datalake_query", {**ambient, "limit": MOST_ROWS}))

    assert told["matched"] > len(told["rows"]) == MOST_ROWS
    assert told["rows"][0][told["columns"].index("timestamp")] == "2022-06-01T00:00:00+00:00"
    one = answered(tool.call("datalake_query", {**ambient, "nodes": 5, "aggregate": "count"}))
    mine = stored(lake, "ipmi_pub", "ambient").filter(
        pl.col("node").cast(pl.String) == "5", pl.col("timestamp").dt.date() == START.date()
    )
    assert one["rows"] == [[mine.height]]


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("datalake_drop", {}, "there is no tool 'datalake_drop'; there are datalake_list_plugins"),
        ("datalake_list_plugins", {"x": 1}, "datalake_list_plugins: x: "),
        ("datalake_list_metrics", {}, "datalake_list_metrics: plugin: "),
        ("datalake_list_metrics", {"plugin": "x"}, "there are no files of plugin=x"),
        ("datalake_query", {"plugin": "ipmi_pub", "metric": "ambient", "limit": 900}, "limit: "),
        ("datalake_query", {"plugin": "ipmi_pub", "metric": "../..", "limit": 9}, "no files of"),
        ("datalake_query", {"plugin": "a", "metric": "b", "start": "yesterday"}, "start: "),
        ("datalake_query", {"plugin": "a", "metric": "b", "csv": "a.csv"}, "csv: "),
    ],
)
def test_a_wrong_call_is_a_result_with_a_problem(
    tool: DatalakeQueryTool, name: str, arguments: dict[str, object], told: str
) -> None:
    result = tool.call(name, arguments)

    assert told in result.problem
    assert result.content == {}


def test_the_datalake_tool_offers_no_csv_and_no_question_back(tool: DatalakeQueryTool) -> None:
    assert [t.name for t in tool.tools()] == [
        "datalake_list_plugins",
        "datalake_list_metrics",
        "datalake_query",
    ]


def test_a_query_runs_over_the_graph_and_only_through_the_gate(lake: Path, tmp_path: Path) -> None:
    power = MetricCatalog.load().by_name("total_power")
    assert power is not None
    run = UngroundedRun(load_schema(), small_execution(lake, EmbeddedStore(), EmbeddedStore()))
    scope = GraphScope((power,), (TimeWindow(START, END, includes_end=True),))
    query = (
        'SELECT (MAX(?v) AS ?most) WHERE { ?n a oda:ComputeNode ; oda:nodeId "5" ; oda:hasSensor'
        ' ?s . ?s oda:metricName "total_power" ; oda:hasReading ?r . ?r oda:value ?v }'
    )

    ran = run(query, scope, tmp_path)
    refused = run(query.replace("oda:value", "oda:worth"), scope, tmp_path)

    assert isinstance(ran, Ran)
    mine = stored(lake, "ipmi_pub", "total_power").filter(
        pl.col("node").cast(pl.String) == "5", pl.col("timestamp").is_between(START, END)
    )
    assert ran.table.rows == ((mine["value"].max(),),)
    assert isinstance(refused, Rejection)
