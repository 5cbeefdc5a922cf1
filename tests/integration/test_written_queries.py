"""Queries that somebody else wrote, over real lakes: what they see, and that rows are the same."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from agent.evidence import answer_tables, evidence_of
from agent.number_guard import unsupported_numbers
from agent.presenter import present
from ontology.conformance import CheckedQuery, check_query
from ontology.schema_loader import load_schema
from retrieval.compiler import Compiler
from retrieval.data_request import DataRequest
from retrieval.embedded_store import EmbeddedStore
from retrieval.errors import ScopeTooLarge, WrittenQueryRejected
from retrieval.execution import Execution
from retrieval.graph_builder import count_jobs, count_readings
from retrieval.graph_cache import GraphCache
from retrieval.lake import Lake
from retrieval.lake_profile import LakeProfile
from retrieval.metric_catalog import MetricCatalog
from retrieval.outcome import NoData, Retrieved
from retrieval.query_result import QueryResult
from retrieval.query_text import HEADER
from retrieval.request import Entity, EntityKind, Metric, TimeWindow
from retrieval.request_run import RequestRun, Source
from retrieval.scope import GraphScope
from retrieval.site import Site
from retrieval.site_discovery import discovered
from retrieval.split_runs import is_splittable, run_whole_or_split
from retrieval.topology_store import TopologyStore
from retrieval.written_request import WrittenRequest
from retrieval.written_run import run_written
from tests.curated_asking import Asker
from tests.odd_lake import odd_lake

CATALOG = MetricCatalog.load()
SCHEMA = load_schema()
UTC_ZONE = ZoneInfo("UTC")
JUNE_1, JUNE_2 = datetime(2022, 6, 1, tzinfo=UTC), datetime(2022, 6, 2, tzinfo=UTC)
DAY = TimeWindow(JUNE_1, JUNE_2)
TEN = TimeWindow(JUNE_1 + timedelta(hours=10), JUNE_1 + timedelta(hours=10, minutes=5))


def metric(name: str) -> Metric:
    found = CATALOG.by_name(name)
    assert found is not None
    return found


POWER, INLET = metric("total_power"), metric("ambient")
NODE = "?n a oda:ComputeNode ; oda:hasSensor ?s ; oda:nodeId ?node ."
SENSOR = '?s oda:pluginName "ipmi_pub" ; oda:metricName "total_power" ; oda:hasReading ?r .'
READING = "?r oda:value ?v ; oda:timestamp ?t ."
ALL = f"{NODE} ?s oda:hasReading ?r . {READING}"
IN_A_GRAPH = "?r a ?kind ."
"""Makes a query one that no virtual run translates."""
Way = Callable[[Execution, CheckedQuery, GraphScope], QueryResult]


def checked(query: str) -> CheckedQuery:
    found = check_query(f"{HEADER}\n{query}", SCHEMA)
    assert isinstance(found, CheckedQuery), found
    return found


def execution_over(root: Path, most_readings: int = 1_000_000, racks: int = 1) -> Execution:
    lake, site = Lake(root, LakeProfile()), Site.load()
    small = discovered(replace(site, racks=site.racks[:racks]), lake, CATALOG)
    graphs = GraphCache(EmbeddedStore())
    return Execution(lake, CATALOG, TopologyStore(small, CATALOG), graphs, graphs, most_readings)


def run_of(root: Path, request: DataRequest, folder: Path) -> RequestRun:
    execution = execution_over(root, racks=2)
    compiler = Compiler(CATALOG, "UTC")
    source = Source(SCHEMA, Lake(root, LakeProfile()), compiler, execution, UTC_ZONE)
    return RequestRun(source, request, folder)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return odd_lake(tmp_path_factory.mktemp("odd") / "data")


@pytest.mark.parametrize("way", [Execution.run, Execution.materialised])
def test_no_way_of_running_shows_other_times_or_metrics(odd: Path, way: Way) -> None:
    query = checked(f"SELECT ?metric ?t WHERE {{ {ALL} ?s oda:metricName ?metric }}")
    scope = GraphScope((POWER,), (TEN,))

    frame = way(execution_over(odd), query, scope).frame

    assert set(frame["metric"]) == {"total_power"}
    assert all(TEN.start <= time < TEN.end for time in frame["t"])
    assert way(execution_over(odd), query, replace(scope, windows=())).frame.height > frame.height


def test_a_query_of_the_topology_shows_no_sensor_of_other_metrics(odd: Path) -> None:
    query = checked("SELECT ?metric WHERE { ?n oda:hasSensor ?s . ?s oda:metricName ?metric }")

    result = execution_over(odd).run(query, GraphScope((POWER,), (TEN,)))

    assert (result.how, set(result.frame["metric"])) == ("graph", {"total_power"})


@pytest.mark.parametrize("way", [Execution.run, Execution.materialised])
def test_without_a_grant_of_jobs_there_are_none(odd: Path, way: Way) -> None:
    query = checked("SELECT ?job WHERE { ?j a oda:Job ; oda:jobId ?job }")

    assert not way(execution_over(odd), query, GraphScope()).frame.height


QUERIES = [
    f"SELECT ?node ?t ?v WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH} }}",
    f"SELECT ?node ?t ?v WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH} FILTER(?v > 500) }}"
    " ORDER BY ?t ?node",
    f"SELECT ?hour ?v WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH}"
    ' BIND(odaf:floorTime(?t, "PT1H", "UTC") AS ?hour) } ORDER BY ?t ?node',
    f"SELECT ?job ?v WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH} ?j a oda:Job ; oda:runsOn ?n ;"
    " oda:jobId ?job ; oda:startTime ?a . FILTER(?t >= ?a) }",
]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(
    "windows", [(TEN,), (TEN, TimeWindow(TEN.end, TEN.end + timedelta(hours=1), True))]
)
def test_a_query_that_is_split_gives_the_rows_of_the_whole(
    odd: Path, query: str, windows: tuple[TimeWindow, ...]
) -> None:
    scope = GraphScope((POWER,), windows, jobs="oda:Job" in query)
    whole = execution_over(odd).run(checked(query), scope)
    lake = Lake(odd, LakeProfile())
    size = count_readings(lake, scope) // 2 + 7 * count_jobs(lake, scope) + 20
    small = execution_over(odd, size)

    with pytest.raises(ScopeTooLarge):
        small.run(checked(query), scope)
    split = run_whole_or_split(small, checked(query), scope)

    assert (whole.how, split.how, split.kinds) == ("materialised", "materialised", whole.kinds)
    assert whole.frame.height
    if "ORDER" in query:
        assert split.frame.equals(whole.frame)
    else:
        assert sorted(split.frame.rows(), key=str) == sorted(whole.frame.rows(), key=str)


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT (AVG(?v) AS ?x) WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH} }}",
        f"SELECT ?node WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH} }} GROUP BY ?node",
        f"SELECT DISTINCT ?node WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH} }}",
        f"SELECT ?v WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH} }} ORDER BY ?v",
        f"SELECT ?v WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH} }} ORDER BY DESC(?t)",
        f"SELECT ?v WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH} }} ORDER BY ?t LIMIT 5",
        f"SELECT ?v WHERE {{ {{ SELECT ?v WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH} }} }} }}",
        f"SELECT ?v ?w WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH}"
        " ?s oda:hasReading ?r2 . ?r2 oda:value ?w }",
        f"SELECT ?v ?w WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH}"
        " OPTIONAL { ?s oda:hasReading ?r2 . ?r2 oda:value ?w } }",
        f"SELECT ?v WHERE {{ {NODE} {SENSOR} {READING} {IN_A_GRAPH}"
        " FILTER NOT EXISTS { ?s oda:hasReading ?r2 . ?r2 oda:timestamp ?t2 . FILTER(?t2 > ?t) } }",
        f"SELECT ?node ?v WHERE {{ {NODE} {SENSOR} ?s oda:hasReading/oda:value ?v }}",
        f"SELECT ?node WHERE {{ {NODE} FILTER EXISTS {{ {SENSOR} }} }}",
        "SELECT ?node WHERE { ?n oda:nodeId ?node ; oda:hasSensor ?s }",
    ],
)
def test_what_looks_at_several_readings_is_never_split(query: str) -> None:
    assert not is_splittable(checked(query), GraphScope((POWER,), (DAY,)))


def test_times_that_overlap_are_not_split() -> None:
    query = checked(QUERIES[0])
    meeting = (replace(TEN, includes_end=True), TimeWindow(TEN.end, JUNE_2))

    assert is_splittable(query, GraphScope((POWER,), (DAY,)))
    assert not is_splittable(query, GraphScope((POWER,), meeting))
    assert not is_splittable(query, GraphScope((POWER,), ()))


FIVE = Entity(EntityKind.NODE, "5")
WHEN = (
    'FILTER(?t >= "2022-06-01T00:00:00Z"^^xsd:dateTime'
    ' && ?t < "2022-06-02T00:00:00Z"^^xsd:dateTime)'
)
BODY = f'{NODE} VALUES ?node {{ "5" }} {SENSOR} {READING}'
RACKS = (
    "SELECT ?rack (SUM(?mean) AS ?x) WHERE { { SELECT ?rack ?s (AVG(?v) AS ?mean) WHERE {"
    f" {NODE} ?k a oda:Rack ; oda:contains ?n ; oda:rackId ?rack . {SENSOR} {READING} {WHEN} }}"
    " GROUP BY ?rack ?s } } GROUP BY ?rack ORDER BY ?rack"
)
JOBS = (
    "SELECT ?state (COUNT(DISTINCT ?j) AS ?n) WHERE { ?j a oda:Job ; oda:startTime ?a ;"
    " oda:endTime ?b ; oda:jobState ?state ."
    f" {WHEN.replace('?t >=', '?b >').replace('?t <', '?a <')} }} GROUP BY ?state"
)


@pytest.fixture(scope="module")
def asker(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Asker:
    return Asker(lake, tmp_path_factory.mktemp("asker"))


@pytest.mark.parametrize(
    ("question", "query", "more"),
    [
        (
            "average and maximum power of node 5 on 1 June 2022",
            f"SELECT (AVG(?v) AS ?a) (MAX(?v) AS ?b) WHERE {{ {BODY} }}",
            {},
        ),
        (
            "average power of node 5 on 1 June 2022 for each hour",
            f"SELECT ?h (AVG(?v) AS ?a) WHERE {{ {BODY} {WHEN}"
            ' BIND(odaf:floorTime(?t, "PT1H", "UTC") AS ?h) } GROUP BY ?h ORDER BY ?h',
            {},
        ),
        (
            "energy of node 5 on 1 June 2022",
            f"SELECT (odaf:integral(odaf:at(?v, ?t)) / 3600000 AS ?e) WHERE {{ {BODY} }}",
            {},
        ),
        ("average power of each rack on 1 June 2022", RACKS, {"entities": ()}),
        (
            "how many jobs ran on 1 June 2022 by state?",
            JOBS,
            {"entities": (), "quantities": (), "jobs": True},
        ),
    ],
)
def test_a_written_query_gives_the_rows_of_our_own(
    lake: Path, tmp_path: Path, asker: Asker, question: str, query: str, more: dict[str, object]
) -> None:
    [own] = asker.ran(question, JUNE_2).results
    request = WrittenRequest(query, question, ((POWER,),), (DAY,), (FIVE,), confidence=0.95)
    request = replace(request, **more)  # type: ignore[arg-type]

    found = run_written(run_of(lake, request, tmp_path), request)

    assert isinstance(found, Retrieved)
    width = len(found.tables[0].columns)
    ours = [row[:width] for row in own.tables[0].rows]
    told = sorted(found.tables[0].rows, key=str)
    assert len(told) == len(ours)
    for row, other in zip(told, sorted(ours, key=str), strict=True):
        for cell, same in zip(row, other, strict=True):
            assert cell == (pytest.approx(same) if isinstance(same, float) else same)
    assert [c.unit for c in found.tables[0].columns] == [
        c.unit for c in own.tables[0].columns[: len(found.tables[0].columns)]
    ]


MEAN = f"SELECT (AVG(?v) AS ?x) WHERE {{ {BODY} }}"


def asking(query: str, **more: Any) -> WrittenRequest:
    plain = WrittenRequest(query, "average power", ((POWER,),), (DAY,), (FIVE,), confidence=0.95)
    return replace(plain, **more)


def test_its_answer_says_who_wrote_it_and_no_number_is_out_of_the_air(
    lake: Path, tmp_path: Path
) -> None:
    request = asking(MEAN)
    found = run_written(run_of(lake, request, tmp_path), request)
    assert isinstance(found, Retrieved)

    text = present([found], found.notes, UTC_ZONE)
    evidence = evidence_of([found], found.notes, UTC_ZONE, None)

    assert text.startswith("total_power on 2022-06-01 UTC: average ")
    assert "written by the language model" in text
    assert "confidence 0.95" in text
    assert not unsupported_numbers(text, [found], "", list(found.notes), UTC_ZONE)
    assert unsupported_numbers(text.replace("0.95", "0.99"), [found], "", [], UTC_ZONE)
    assert evidence.entities == ("node 5",)
    assert evidence.certified is None
    assert evidence.samples_got
    [table] = answer_tables([found])
    assert table.columns == ("average (W)",)


def test_things_are_called_by_their_names(lake: Path, tmp_path: Path) -> None:
    query = f"SELECT ?n (MAX(?v) AS ?x) WHERE {{ {BODY} }} GROUP BY ?n"
    request = asking(query)

    found = run_written(run_of(lake, request, tmp_path), request)

    assert isinstance(found, Retrieved)
    assert found.tables[0].columns[0].heading == "node"
    assert found.tables[0].rows[0][0] == "5"
    assert "node 5: maximum" in present([found], (), UTC_ZONE)


def test_many_rows_are_told_by_their_number(lake: Path, tmp_path: Path) -> None:
    request = asking(f"SELECT ?t ?v WHERE {{ {BODY} }} ORDER BY ?t")

    found = run_written(run_of(lake, request, tmp_path), request)

    assert isinstance(found, Retrieved)
    text = present([found], (), UTC_ZONE)
    assert text.startswith(f"{found.tables[0].row_count:,} rows of total_power")
    assert pl.read_csv(found.tables[0].csv).height == found.tables[0].row_count
    assert not unsupported_numbers(text, [found], "", [], UTC_ZONE)


@pytest.mark.parametrize(
    "query",
    [
        MEAN.replace("?t .", "?t . FILTER(?v > 90000)"),
        f"SELECT ?t WHERE {{ {BODY} FILTER(?v > 90000) }}",
    ],
)
def test_where_no_row_says_anything_there_are_no_data(
    lake: Path, tmp_path: Path, query: str
) -> None:
    request = asking(query, asked="average power of node 5 while above 90 kW")

    found = run_written(run_of(lake, request, tmp_path), request)

    assert isinstance(found, NoData)
    assert found.queries


def test_how_many_there_are_may_be_none(lake: Path, tmp_path: Path) -> None:
    query = f"SELECT (COUNT(?v) AS ?many) WHERE {{ {BODY} FILTER(?v > 90000) }}"
    asked = "number of samples of node 5 above 90 kW"
    never = TimeWindow(JUNE_2 + timedelta(days=300), JUNE_2 + timedelta(days=301))

    request = asking(query, asked=asked)
    found = run_written(run_of(lake, request, tmp_path), request)
    without = asking(query, asked=asked, windows=(never,))

    assert isinstance(found, Retrieved)
    assert found.tables[0].rows == ((0,),)
    assert isinstance(run_written(run_of(lake, without, tmp_path), without), NoData)


def test_what_the_door_does_not_let_in_never_runs(lake: Path, tmp_path: Path) -> None:
    request = asking(MEAN.replace('"5"', '"6"'))
    run = run_of(lake, request, tmp_path)

    with pytest.raises(WrittenQueryRejected, match="node 6"):
        run_written(run, request)

    assert run.queries == []
