"""Queries that hypothesis makes up give the same rows either way, where they run virtually."""

import pytest
from hypothesis import HealthCheck, event, given, settings

from tests.both_ways import BothWays, assert_same, checked
from tests.odd_lake import odd_lake
from tests.query_writing import queries

MINUTES = 12
"""Few enough readings for a graph to answer any join of two of them."""


@pytest.fixture(scope="module", params=[MINUTES, None], ids=["window", "everything"])
def odd(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> BothWays:
    root = odd_lake(tmp_path_factory.mktemp("lake") / "data", minutes=MINUTES)
    return BothWays(root, request.param)


@settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
@given(queries())
def test_gives_the_same_rows_either_way(odd: BothWays, body: str) -> None:
    query = checked(body)

    result = odd.chosen(query)

    event(result.how)
    if result.how != "materialised":
        assert_same(result, odd.materialised(query))
