"""How checked queries run over a real lake and store: which way, and what is refused."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from ontology.conformance import CheckedQuery, check_query
from ontology.schema_loader import load_schema
from retrieval.compiler import Compiler
from retrieval.embedded_store import EmbeddedStore
from retrieval.errors import (
    CompiledQueryRejected,
    GraphBuildError,
    LakeError,
    QueryTimedOut,
    ScopeTooLarge,
)
from retrieval.execution import Execution
from retrieval.graph_cache import GraphCache
from retrieval.lake import Lake
from retrieval.lake_profile import LakeProfile
from retrieval.metric_catalog import MetricCatalog
from retrieval.query_text import HEADER, Column, Compiled, Role
from retrieval.query_watch import Done
from retrieval.request import TimeWindow
from retrieval.request_run import RequestRun, Source
from retrieval.scope import GraphScope
from retrieval.site import Site
from retrieval.site_discovery import discovered
from retrieval.site_request import SiteRequest, Subject
from retrieval.tables import Shaped
from retrieval.topology_store import TopologyStore
from tests.odd_lake import odd_lake

CATALOG = MetricCatalog.load()
POWER = '?s oda:metricName "total_power" ; oda:hasReading ?r . ?r oda:value ?v ; oda:timestamp ?t .'
AVERAGE = f"SELECT (AVG(?v) AS ?mean) {{ ?n oda:hasSensor ?s . {POWER} }}"
USERS = "SELECT (COUNT(?u) AS ?users) { ?u a oda:User }"
GRAPH = "https://odabot.example/data/graph/test"


def _checked(query: str) -> CheckedQuery:
    checked = check_query(f"{HEADER}\n{query}", load_schema())
    assert isinstance(checked, CheckedQuery), checked
    return checked


def _scope(*metrics: str, jobs: bool = False) -> GraphScope:
    found = tuple(metric for name in metrics if (metric := CATALOG.by_name(name)))
    return GraphScope(found, (), jobs)


def _execution(root: Path, store: EmbeddedStore, most_readings: int = 100_000) -> Execution:
    lake, site = Lake(root, LakeProfile()), Site.load()
    small = discovered(replace(site, racks=site.racks[:1]), lake, CATALOG)
    graphs = GraphCache(store)
    return Execution(lake, CATALOG, TopologyStore(small, CATALOG), graphs, graphs, most_readings)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return odd_lake(tmp_path_factory.mktemp("lake") / "data")


def test_runs_over_readings_without_a_graph(root: Path) -> None:
    store = EmbeddedStore()

    result = _execution(root, store).run(_checked(AVERAGE), _scope("total_power"))

    assert (result.how, result.kinds, store.names()) == ("virtual", {"mean": "double"}, ())


def test_asks_the_topology_alone_where_that_is_enough(root: Path) -> None:
    query = _checked("SELECT (COUNT(?n) AS ?nodes) { ?n a oda:ComputeNode }")

    result = _execution(root, EmbeddedStore()).run(query, _scope("total_power"))

    assert (result.how, result.frame.rows()) == ("graph", [(20,)])


def test_builds_a_graph_for_what_cannot_be_translated_and_drops_it(root: Path) -> None:
    store = EmbeddedStore()

    result = _execution(root, store).run(_checked(USERS), _scope(jobs=True))

    assert (result.how, result.frame.rows(), store.names()) == ("materialised", [(3,)], ())
    assert result.reason == "users are known by their jobs only"


def _keeping(
    root: Path, store: EmbeddedStore, now: datetime, most_readings: int, access: str = ""
) -> Execution:
    lake, site = Lake(root, LakeProfile()), Site.load()
    small = discovered(replace(site, racks=site.racks[:1]), lake, CATALOG)
    graphs = GraphCache(store, 10_000_000, lambda: now)
    topology = TopologyStore(small, CATALOG)
    return Execution(
        lake, CATALOG, topology, graphs, graphs, most_readings, clock=lambda: now, access=access
    )


def test_keeps_a_graph_of_the_past_for_the_next_query(root: Path) -> None:
    store, now = EmbeddedStore(), datetime(2026, 1, 1, tzinfo=UTC)
    scope = _scope(jobs=True)
    first = _keeping(root, store, now, 100_000).run(_checked(USERS), scope)

    # The limit holds for what is built; and another worker, a minute later, builds nothing.
    execution = _keeping(root, store, now + timedelta(minutes=1), 0)
    second = execution.run(_checked(USERS), scope)

    assert (first.graph_age, second.graph_age) == (None, 60)
    assert first.frame.equals(second.frame)
    others = _keeping(root, store, now + timedelta(minutes=1), 0, access="operator")
    with pytest.raises(ScopeTooLarge):
        others.run(_checked(USERS), scope)


def test_a_request_tells_the_age_of_its_oldest_graph(root: Path, tmp_path: Path) -> None:
    store, now = EmbeddedStore(), datetime(2026, 1, 1, tzinfo=UTC)
    scope = _scope(jobs=True)
    column = Column("users", "users", Role.COUNT)
    compiled = Compiled("users", f"{HEADER}\n{USERS}", scope, (column,))
    _keeping(root, store, now, 100_000).run(_checked(USERS), scope)
    execution = _keeping(root, store, now + timedelta(minutes=1), 100_000)
    zone = ZoneInfo("UTC")
    lake, compiler = Lake(root, LakeProfile()), Compiler(CATALOG, "UTC")
    request = SiteRequest(Subject.NODES)
    run = RequestRun(Source(load_schema(), lake, compiler, execution, zone), request, tmp_path)

    part = run.part(compiled)
    retrieved = run.retrieved([Shaped("users", (column,), part.frame)], (), ())

    assert retrieved.graph_age == 60


def test_whoever_watches_is_told_of_each_query_and_of_what_the_gate_rejects(
    root: Path, tmp_path: Path
) -> None:
    execution, column = _execution(root, EmbeddedStore()), Column("users", "users", Role.COUNT)
    source = Source(
        load_schema(),
        Lake(root, LakeProfile()),
        Compiler(CATALOG, "UTC"),
        execution,
        ZoneInfo("UTC"),
    )
    seen = _Seen()
    run = RequestRun(source, SiteRequest(Subject.NODES), tmp_path, seen)

    run.part(Compiled("users", f"{HEADER}\n{USERS}", _scope(jobs=True), (column,)))
    with pytest.raises(CompiledQueryRejected):
        run.part(Compiled("x", f"{HEADER}\nSELECT ?c {{ ?c a oda:Cabinet }}", _scope(), (column,)))

    assert seen.ran == [(f"{HEADER}\n{USERS}", 1)]
    ((query, violations),) = seen.rejections
    assert "oda:Cabinet" in query
    assert "Cabinet" in violations


class _Seen:
    def __init__(self) -> None:
        self.ran: list[tuple[str, int]] = []
        self.rejections: list[tuple[str, str]] = []

    @contextmanager
    def running(self, query: str) -> Iterator[Done]:
        yield lambda result: self.ran.append((query, result.frame.height))

    def rejected(self, query: str, violations: str) -> None:
        self.rejections.append((query, violations))


def test_keeps_no_graph_that_reaches_into_the_present(root: Path) -> None:
    store, now = EmbeddedStore(), datetime(2022, 6, 15, 10, tzinfo=UTC)
    execution = _keeping(root, store, now, 100_000)

    found = [execution.run(_checked(USERS), _scope(jobs=True)).graph_age for _ in range(2)]

    assert (found, store.names()) == ([None, None], ())


def test_refuses_a_graph_that_is_too_large_and_says_why(root: Path) -> None:
    execution = _execution(root, EmbeddedStore(), most_readings=100)

    with pytest.raises(ScopeTooLarge, match="users are known by their jobs only"):
        execution.run(_checked(USERS), _scope("total_power", jobs=True))


def test_names_a_file_that_is_damaged(root: Path, tmp_path: Path) -> None:
    odd_lake(tmp_path / "data")
    [file] = (tmp_path / "data").glob("*/plugin=ipmi_pub/metric=total_power/*.parquet")
    execution = _execution(tmp_path / "data", EmbeddedStore())
    data = bytearray(file.read_bytes())
    data[40:400] = bytes(360)
    file.write_bytes(data)

    with pytest.raises(LakeError, match="metric=total_power"):
        execution.run(_checked(AVERAGE), _scope("total_power"))


def test_keeps_a_file_of_another_shape_apart_from_an_empty_one(tmp_path: Path) -> None:
    odd_lake(tmp_path / "data")
    [file] = (tmp_path / "data").glob("*/plugin=ipmi_pub/metric=total_power/*.parquet")
    execution = _execution(tmp_path / "data", EmbeddedStore())
    pl.read_parquet(file).drop("node").write_parquet(file)

    with pytest.raises(LakeError, match="no column node"):
        execution.run(_checked(AVERAGE), _scope("total_power"))


def test_sees_only_what_the_windows_of_the_scope_hold(root: Path) -> None:
    window = TimeWindow(
        datetime(2022, 6, 1, 10, tzinfo=UTC), datetime(2022, 6, 1, 10, 5, tzinfo=UTC), True
    )
    scope = replace(_scope("total_power"), windows=(window,))
    query = _checked(
        f'SELECT (MAX(?t) AS ?last) {{ ?n oda:nodeId "0" ; oda:hasSensor ?s . {POWER} }}'
    )

    result = _execution(root, EmbeddedStore()).run(query, scope)

    assert result.frame.rows() == [(window.end,)]


def test_a_remembered_plan_sees_the_windows_and_metrics_of_each_run(root: Path) -> None:
    query = _checked("SELECT (COUNT(?r) AS ?count) { ?n oda:hasSensor ?s . ?s oda:hasReading ?r }")
    first_minute = TimeWindow(
        datetime(2022, 6, 1, 10, tzinfo=UTC), datetime(2022, 6, 1, 10, 1, tzinfo=UTC)
    )
    execution = _execution(root, EmbeddedStore())
    scopes = [_scope("total_power"), replace(_scope("total_power"), windows=(first_minute,))]
    scopes += [_scope("total_power", "ambient"), _scope("total_power")]

    counts = [execution.run(query, scope).frame.item() for scope in scopes]

    assert counts == [415, 12, 498, 415]


def test_gives_one_answer_to_many_threads(root: Path) -> None:
    execution = _execution(root, EmbeddedStore())
    queries = [_checked(AVERAGE), _checked(USERS)] * 8

    with ThreadPoolExecutor(8) as pool:
        results = list(
            pool.map(lambda q: execution.run(q, _scope("total_power", jobs=True)), queries)
        )

    assert len({result.frame.rows()[0] for result in results}) == 2


def test_a_store_gives_up_on_a_query_that_takes_too_long() -> None:
    store = EmbeddedStore()
    node = '<https://odabot.example/data/node/{}> <https://odabot.example/oda#slot> "1"^^<{}> .\n'
    integer = "http://www.w3.org/2001/XMLSchema#integer"
    store.load(GRAPH, ["".join(node.format(n, integer) for n in range(200)).encode()])
    query = _checked(
        "SELECT (COUNT(*) AS ?count) { ?a oda:slot ?x . ?b oda:slot ?x . ?c oda:slot ?x }"
    )

    with pytest.raises(QueryTimedOut):
        store.select(GRAPH, query, 0.05)


def test_a_store_keeps_nothing_of_a_graph_that_failed_to_load() -> None:
    store = EmbeddedStore()

    def chunks() -> Iterator[bytes]:
        yield b'<https://odabot.example/data/node/1> <https://odabot.example/oda#slot> "x" .\n'
        yield b"no triple at all"

    with pytest.raises(GraphBuildError):
        store.load(GRAPH, chunks())

    assert (store.names(), store.size(GRAPH)) == ((), 0)
