"""A graph store that is down, slow, full or not a store: named, and never half an answer."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bot.check_wiring import health_probes
from bot.commands.ask import Asked, ask
from bot.commands.check import check
from bot.settings import Settings
from bot.wiring import build_analyst, build_graph_store
from ontology.conformance import CheckedQuery
from retrieval.errors import GraphStoreError
from retrieval.execution import Execution
from retrieval.graph_cache import GraphCache
from retrieval.lake import Lake
from retrieval.lake_profile import LakeProfile
from retrieval.metric_catalog import MetricCatalog
from retrieval.request import TimeWindow
from retrieval.scope import GraphScope
from retrieval.settings import GraphStoreSettings, RetrievalSettings
from retrieval.site import Site
from retrieval.topology_store import TopologyStore
from tests.fakes.graphdb_server import Fault, graphdb
from tests.lakes import tiny_lake
from tests.stores import checked

WINDOW = TimeWindow(datetime(2022, 6, 1, 10, tzinfo=UTC), datetime(2022, 6, 1, 10, 5, tzinfo=UTC))
VALUES = checked(
    'SELECT ?v { ?s oda:metricName "total_power" ; oda:hasReading ?r . ?r oda:value ?v }'
)
FAULTS = [
    (Fault.UNAVAILABLE, "down or too busy"),
    (Fault.SILENT, "in time"),
    (Fault.FULL, "full: free space on its disk"),
    (Fault.NO_STORAGE, "full: free space on its disk"),
    (Fault.WEB_PAGE, "a web page: the address must lead to the store"),
    (Fault.REDIRECT, "name that address"),
    (Fault.FORBIDDEN, "look at the user, the password"),
]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_lake(tmp_path_factory.mktemp("lake") / "tiny")


def _settings(lake: Path, data: Path, url: str, seconds: float = 60) -> Settings:
    store = GraphStoreSettings(
        kind="graphdb", url=url, transfer_seconds=seconds, query_seconds=seconds, retries=0
    )
    return Settings(data=data, retrieval=RetrievalSettings(lake=lake, graph_store=store))


def _checked_store(settings: Settings) -> tuple[int, dict[str, Any]]:
    out = io.StringIO()
    probes = [probe for probe in health_probes(settings) if probe.name == "graph store"]
    code = check(settings, probes, out, as_json=True)
    (part,) = json.loads(out.getvalue())["parts"]
    return code, part


@pytest.mark.parametrize(("fault", "words"), FAULTS)
def test_the_check_names_the_store_and_what_to_do(
    lake: Path, tmp_path: Path, fault: Fault, words: str
) -> None:
    with graphdb() as server:
        server.misbehave(fault)

        code, part = _checked_store(_settings(lake, tmp_path, server.url, _waiting(fault)))

        assert (code, part["ok"]) == (1, False)
        assert server.url in part["found"]
        assert words in part["found"]
        assert part["remedy"]


def test_the_check_names_a_store_that_is_not_there(lake: Path, tmp_path: Path) -> None:
    with graphdb() as server:
        url = server.url

    code, part = _checked_store(_settings(lake, tmp_path, url))

    assert (code, part["ok"]) == (1, False)
    assert f"{url}/" in part["found"]
    assert "is it running" in part["found"]


def test_a_question_that_needs_no_store_is_answered_without_it(lake: Path, tmp_path: Path) -> None:
    with graphdb() as server:
        url = server.url
    asked = Asked(
        "average power of node 5 on 1 June 2022", datetime(2022, 6, 2, tzinfo=UTC), as_json=True
    )
    out = io.StringIO()

    code = ask(asked, _settings(lake, tmp_path, url), build_analyst, out, io.StringIO())

    assert (code, json.loads(out.getvalue())["status"]) == (0, "completed")


def _waiting(fault: Fault) -> float:
    return 1 if fault is Fault.SILENT else 60


def _materialised(lake: Path, settings: Settings, query: CheckedQuery, seconds: float = 60) -> int:
    catalog = MetricCatalog.load()
    power = catalog.by_name("total_power")
    store = build_graph_store(settings.retrieval.graph_store)
    assert power is not None
    assert store is not None
    graphs = GraphCache(store)
    execution = Execution(
        Lake(lake, LakeProfile()), catalog, TopologyStore(Site.load(), catalog), graphs, graphs,
        seconds=seconds,
    )  # fmt: skip
    return execution.materialised(query, GraphScope((power,), (WINDOW,))).frame.height


@pytest.mark.parametrize(
    ("fault", "method"),
    [
        *((fault, method) for fault, _ in FAULTS for method in ("PUT", "POST")),
        # A reply to a load has no body that could be cut.
        *((fault, "POST") for fault in (Fault.TRUNCATED, Fault.CUT_CHUNKS, Fault.CUT_RESULT)),
    ],
)
def test_no_part_of_a_graph_or_result_is_taken_for_the_whole(
    lake: Path, tmp_path: Path, fault: Fault, method: str
) -> None:
    with graphdb() as server:
        hasty = _settings(lake, tmp_path, server.url, _waiting(fault))
        server.misbehave(fault, method)
        with pytest.raises(GraphStoreError):
            _materialised(lake, hasty, VALUES, _waiting(fault))
        server.behave()

        whole = _materialised(lake, _settings(lake, tmp_path, server.url), VALUES)

    power = lake.joinpath("year_month=22-06", "plugin=ipmi_pub", "metric=total_power")
    inside = pl.col("timestamp").is_between(WINDOW.start, WINDOW.end, closed="left")
    readings = pl.scan_parquet(power / "*.parquet", hive_partitioning=False).filter(inside)
    assert whole == readings.select(pl.len()).collect().item() > 0
