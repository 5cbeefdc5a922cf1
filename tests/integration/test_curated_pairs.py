"""Each curated pair: its question still gives its queries, and their numbers are right."""

import json
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from retrieval.certificates import certificate_of
from tests.curated_asking import Asker, Ran, curated_lake, curated_pairs
from tests.integration.pair_results import RESULTS, Rows
from tests.stored import NOW, Stored

IDS = [
    row["pair"]
    for row in json.loads(
        files("retrieval").joinpath("examples", "certificates.json").read_text("utf-8")
    )
]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return curated_lake(tmp_path_factory.mktemp("lake") / "curated")


@pytest.fixture(scope="module")
def asker(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Asker:
    return Asker(lake, tmp_path_factory.mktemp("curated"))


@pytest.fixture(scope="module")
def stored(lake: Path) -> Stored:
    return Stored(lake)


def certified_as(ran: Ran) -> str | None:
    certificate = certificate_of(ran.results)
    return certificate.pair if certificate is not None else None


@pytest.mark.parametrize("name", IDS)
def test_its_question_still_gives_its_queries_and_is_certified(name: str, asker: Asker) -> None:
    pair = curated_pairs()[name]

    ran = asker.ran(pair.question, pair.asked_at)

    # Where the queries changed with good reason, review the pair: python -m tests.curated_asking ID
    assert ran.queries == tuple(query.text for query in pair.queries)
    assert ran.treatment == pair.treatment
    assert certified_as(ran) == pair.id


@pytest.mark.parametrize("name", RESULTS)
def test_its_numbers_are_those_of_the_files(name: str, asker: Asker, stored: Stored) -> None:
    pair = curated_pairs()[name]
    expected = RESULTS[name](stored)

    ran = asker.ran(pair.question, pair.asked_at)

    tables = [table for result in ran.results for table in result.tables]

    _assert_alike(list(tables[0].rows), expected)
    assert expected


def test_a_third_of_the_pairs_are_held_to_the_files() -> None:
    assert 3 * len(RESULTS) >= len(IDS)


def _assert_alike(found: Rows, expected: Rows) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert [_number(cell) for cell in one] == [_number(cell) for cell in other]


def _number(cell: Any) -> Any:
    """A number that equals one that was added up in another order."""
    if isinstance(cell, datetime):
        return cell.timestamp()
    return pytest.approx(cell, rel=1e-6) if isinstance(cell, int | float) else cell


@pytest.mark.parametrize(
    ("question", "pair"),
    [
        ("Average power of node 7 on 31 May 2022 between 22:00 and 23:00", "node-power-mean"),
        ("Average power of node 7 on 1 June 2022 in kW", "node-power-mean"),
        ("Which 7 nodes had the highest average power yesterday?", "nodes-power-highest"),
        ("Which nodes had a power above 800 W this week?", "nodes-power-above"),
        ("Average inlet temperature of node 3 for each day of this week", "node-inlet-hourly"),
        ("Maximum power of nodes 3 and 9 on 1 June 2022, node by node", "nodes-power-each"),
        ("How many jobs ran yesterday?", "jobs-count"),
        ("Energy used by job 1000882", "job-energy"),
        ("How many nodes had a power above 900 W on 1 June 2022?", "nodes-power-above"),
        ("Which nodes are in racks 3 and 4?", "rack-nodes"),
        # Another measure, metric, bound, group, state or way to read it.
        ("Minimum power of node 7 on 1 June 2022", None),
        ("Average ps0_input_power of node 7 on 1 June 2022", None),
        ("Average power of nodes 5 and 6 on 1 June 2022", None),
        ("Which nodes had a power of at least 1000 W on 1 June 2022?", None),
        ("Which nodes had a power below 1000 W on 1 June 2022?", None),
        ("Which racks had a power above 1000 W on 1 June 2022?", None),
        ("Which jobs were cancelled on 1 June 2022?", None),
        ("What was the longest time that node 12 was drained on 1 June 2022?", None),
        ("What share of the jobs that ended on 1 June 2022 was cancelled?", None),
        ("For how many hours was the power of node 5 below 800 W on 1 June 2022?", None),
        ("Average inlet temperature of node 26 in the 3 hours after it went down", None),
    ],
)  # fmt: skip
def test_kin_of_a_pair_are_certified_and_nothing_else(
    question: str, pair: str | None, asker: Asker
) -> None:
    assert certified_as(asker.ran(question, NOW)) == pair
