from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from agent.evidence import evidence_of
from tests.unit.agent.results import NODE, a_table, readings, retrieved


@pytest.mark.parametrize(
    ("ages", "told"),
    [((), None), ((None, None), None), ((None, 60.0), 60.0), ((90.0, 60.0), 90.0)],
)
def test_tells_the_age_of_the_oldest_graph_that_was_asked(
    ages: tuple[float | None, ...], told: float | None
) -> None:
    one = retrieved(readings(), a_table((NODE,)))

    evidence = evidence_of([replace(one, graph_age=age) for age in ages], (), ZoneInfo("UTC"), None)

    assert evidence.graph_age == told
