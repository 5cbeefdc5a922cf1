"""The five questions that every tool is asked, and the lakes that they are asked of."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl

START = datetime(2022, 6, 1, tzinfo=UTC)
PERIOD = timedelta(seconds=20)
POWER = (
    "?n a oda:ComputeNode ; oda:nodeId ?id ; oda:hasSensor ?s ."
    ' ?s oda:metricName "total_power" ; oda:hasReading ?r . ?r oda:value ?v ; oda:timestamp ?t .'
)
NODES_IN_RACK = 20


@dataclass(frozen=True, slots=True)
class Query:
    """One question as SPARQL over the graph, and as a Polars expression over the files."""

    name: str
    sparql: str
    bare: Callable[[pl.LazyFrame, datetime], pl.LazyFrame]
    is_aggregate: bool = True


def _window(scan: pl.LazyFrame, start: datetime) -> pl.LazyFrame:
    inside = pl.col("timestamp").is_between(start, start + timedelta(minutes=10))
    return scan.filter((pl.col("node") == "5") & inside).select("timestamp", "value")


def _by_node(scan: pl.LazyFrame, start: datetime) -> pl.LazyFrame:
    return scan.group_by("node").agg(pl.col("value").mean())


def _by_hour(scan: pl.LazyFrame, start: datetime) -> pl.LazyFrame:
    hour = pl.col("timestamp").dt.truncate("1h")
    return scan.group_by("node", hour).agg(pl.col("value").mean())


def _by_rack(scan: pl.LazyFrame, start: datetime) -> pl.LazyFrame:
    nodes = pl.LazyFrame({"node": [str(n) for n in range(980)]}).with_columns(
        (pl.int_range(980) // NODES_IN_RACK).alias("rack")
    )
    return scan.join(nodes, on="node").group_by("rack").agg(pl.col("value").mean())


def _top(scan: pl.LazyFrame, start: datetime) -> pl.LazyFrame:
    return _by_node(scan, start).sort("value", descending=True).head(5)


_END = (START + timedelta(minutes=10)).strftime("%Y-%m-%dT%H:%M:%SZ")
QUERIES = (
    Query(
        "ten minutes of a node",
        f'SELECT ?t ?v {{ {POWER} FILTER(?id = "5" && ?t <= "{_END}"^^xsd:dateTime) }}',
        _window,
        is_aggregate=False,
    ),
    Query(
        "mean of each node",
        f"SELECT ?id (AVG(?v) AS ?mean) {{ {POWER} }} GROUP BY ?id",
        _by_node,
    ),
    Query(
        "mean of each node and hour",
        f'SELECT ?id ?h (AVG(?v) AS ?mean) {{ {POWER} BIND(odaf:floorTime(?t, "PT1H", "UTC") AS ?h)'
        " } GROUP BY ?id ?h",
        _by_hour,
    ),
    Query(
        "mean of each rack",
        "SELECT ?rack (AVG(?v) AS ?mean) { ?k a oda:Rack ; oda:rackId ?rack ; oda:contains ?n ."
        f" {POWER} }} GROUP BY ?rack",
        _by_rack,
    ),
    Query(
        "five nodes with the highest mean",
        f"SELECT ?id (AVG(?v) AS ?mean) {{ {POWER} }} GROUP BY ?id"
        " ORDER BY DESC(?mean) ?id LIMIT 5",
        _top,
    ),
)


def make_lake(root: Path, nodes: int, hours: float) -> Path:
    """Write total_power of ``nodes`` for ``hours`` below ``root``."""
    steps = int(timedelta(hours=hours) / PERIOD)
    folder = root / "year_month=22-06/plugin=ipmi_pub/metric=total_power"
    folder.mkdir(parents=True)
    number, step = pl.col("number"), pl.col("number") // nodes
    frame = pl.LazyFrame({"number": pl.int_range(nodes * steps, eager=True)}).select(
        (pl.lit(START).dt.cast_time_unit("ms") + step * PERIOD).alias("timestamp"),
        (600 + (number * 7919) % 1201 + step % 180).cast(pl.Int32).alias("value"),
        (number % nodes).cast(pl.String).alias("node"),
    )
    frame.collect(engine="streaming").write_parquet(folder / "a_0.parquet")
    return root
