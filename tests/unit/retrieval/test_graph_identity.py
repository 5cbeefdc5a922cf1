"""When two scopes have one graph, and when a graph may be kept."""

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from retrieval.graph_identity import fingerprint_of, is_settled
from retrieval.lake import Lake
from retrieval.lake_profile import LakeProfile
from retrieval.metric_catalog import MetricCatalog
from retrieval.request import TimeWindow
from retrieval.scope import GraphScope
from tests.odd_lake import odd_lake

CATALOG = MetricCatalog.load()
POWER, AMBIENT = CATALOG.by_name("total_power"), CATALOG.by_name("ambient")
assert POWER is not None
assert AMBIENT is not None
TEN = datetime(2022, 6, 1, 10, tzinfo=UTC)
HOUR = TimeWindow(TEN, TEN + timedelta(hours=1))
NEXT = TimeWindow(HOUR.end, HOUR.end + timedelta(hours=1))
SCOPE = GraphScope((POWER, AMBIENT), (HOUR, NEXT))


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(odd_lake(tmp_path / "data"), LakeProfile())


def fingerprint(lake: Lake, scope: GraphScope = SCOPE, topology: str = "t") -> str:
    return fingerprint_of(lake, scope, topology)


@pytest.mark.parametrize(
    "other",
    [
        SCOPE,
        replace(SCOPE, metrics=(AMBIENT, POWER)),
        replace(SCOPE, windows=(NEXT, HOUR)),
        replace(
            SCOPE,
            windows=(replace(HOUR, start=TEN.astimezone(timezone(timedelta(hours=2)))), NEXT),
        ),
    ],
)
def test_is_the_same_for_what_holds_the_same(lake: Lake, other: GraphScope) -> None:
    assert fingerprint(lake, other) == fingerprint(Lake(lake.root, LakeProfile()))


@pytest.mark.parametrize(
    "other",
    [
        replace(SCOPE, metrics=(POWER,)),
        replace(SCOPE, metrics=(POWER, replace(AMBIENT, scale=0.1))),
        replace(SCOPE, windows=(HOUR,)),
        replace(SCOPE, windows=()),
        replace(SCOPE, windows=(HOUR, replace(NEXT, includes_end=True))),
        replace(SCOPE, windows=(HOUR, replace(NEXT, end=NEXT.end + timedelta(seconds=1)))),
        replace(SCOPE, jobs=True),
        replace(SCOPE, access="operator"),
    ],
)
def test_is_another_for_what_holds_or_allows_another(lake: Lake, other: GraphScope) -> None:
    assert fingerprint(lake, other) != fingerprint(lake)


def test_is_another_over_another_topology(lake: Lake) -> None:
    assert fingerprint(lake, topology="other") != fingerprint(lake)


def test_is_another_over_another_lake(lake: Lake, tmp_path: Path) -> None:
    other = Lake(odd_lake(tmp_path / "other"), LakeProfile())

    assert fingerprint(other) != fingerprint(lake)


@pytest.mark.parametrize(
    ("metric", "changes"), [("total_power", True), ("Gpu0_gpu_utilization", False)]
)
def test_changes_with_the_files_that_it_is_made_of(lake: Lake, metric: str, changes: bool) -> None:
    before = fingerprint(lake)
    [file] = lake.root.glob(f"*/plugin=*/metric={metric}/*.parquet")

    os.utime(file, ns=(1, 1))

    assert (fingerprint(lake) != before) is changes


def test_keeps_what_lies_an_hour_back(lake: Lake) -> None:
    settled = NEXT.end + timedelta(hours=1)

    assert is_settled(lake, SCOPE, settled)
    assert not is_settled(lake, SCOPE, settled - timedelta(seconds=1))


@pytest.mark.parametrize(
    "scope", [replace(SCOPE, windows=()), replace(SCOPE, jobs=True), GraphScope(jobs=True)]
)
def test_all_of_a_month_is_settled_when_the_month_is_over(lake: Lake, scope: GraphScope) -> None:
    over = max(file.last for group in lake.files.values() for file in group)

    assert is_settled(lake, scope, over + timedelta(hours=1))
    assert not is_settled(lake, scope, over)


def test_the_topology_alone_is_always_settled(lake: Lake) -> None:
    assert is_settled(lake, GraphScope(), TEN - timedelta(days=9999))
