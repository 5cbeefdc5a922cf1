from dataclasses import replace
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agent.answer import AnswerTable, Certified
from agent.code_agent import Drawn
from agent.evidence import evidence_of
from retrieval.outcome import NoData
from tests.curated_asking import curated_pairs
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


def test_names_the_curated_pair_whose_queries_the_answer_has() -> None:
    pair = curated_pairs()["node-power-mean"]
    one = replace(
        retrieved(readings(), a_table((NODE,))),
        data_queries=pair.queries,
        treatment=pair.treatment,
    )

    evidence = evidence_of([one], (), ZoneInfo("UTC"), None)
    partly = evidence_of([one, NoData(readings(), "none")], (), ZoneInfo("UTC"), None)

    assert evidence.certified == Certified(pair.id, pair.owner, date(2026, 12, 1), pair.answers)
    assert partly.certified is None


def test_certifies_no_answer_with_numbers_that_a_program_computed() -> None:
    pair = curated_pairs()["node-power-mean"]
    one = replace(
        retrieved(readings(), a_table((NODE,))),
        data_queries=pair.queries,
        treatment=pair.treatment,
    )
    table = AnswerTable("computed", ("slope",), 1, Path("result.csv"), ((0.5,),))

    drawn, computed = (
        evidence_of([one], (), ZoneInfo("UTC"), Drawn("code", tables=tables))
        for tables in ((), (table,))
    )

    assert drawn.certified is not None
    assert computed.certified is None
