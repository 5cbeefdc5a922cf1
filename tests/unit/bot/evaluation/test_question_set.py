from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.errors import EvaluationError
from bot.evaluation.question_set import read_question_set
from bot.evaluation.replies import reply_to

GOOD = """
set: dev
now: '2022-06-15T10:00:00Z'
questions:
- {id: Q01, kind: end_to_end, turns: ['How many nodes?'], truth: 'SELECT 1', sources: [topology]}
- id: Q02
  kind: retrieval
  turns: ['power of node 3', 'and of node 4']
  now: 2022-06-01T10:00:00+02:00
  artefact: line
  choose: ['total', 'gpu']
  reply: the total
- {id: Q03, kind: refuse, turns: ['drop it'], choose: ['total'], reply: yes please}
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "set.yaml"
    path.write_text(text)
    return path


def test_reads_what_is_put_and_when(tmp_path: Path) -> None:
    read = read_question_set(written(tmp_path, GOOD))

    first, second, _ = read.questions
    assert (first.id, first.turns, first.sources) == ("Q01", ("How many nodes?",), ("topology",))
    assert read.moment_of(first) == datetime(2022, 6, 15, 10, tzinfo=UTC)
    assert read.moment_of(second) == datetime(2022, 6, 1, 8, tzinfo=UTC)
    assert second.artefact == "line"


def test_another_truth_is_the_same_set_and_another_question_is_not(tmp_path: Path) -> None:
    digest = read_question_set(written(tmp_path, GOOD)).digest

    other_truth = read_question_set(written(tmp_path, GOOD.replace("SELECT 1", "SELECT 2")))
    other_words = read_question_set(written(tmp_path, GOOD.replace("node 4", "node 5")))

    assert other_truth.digest == digest
    assert other_words.digest != digest


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("kind: refuse", "kind: guess"), "question Q03, kind: Input should be"),
        (("id: Q03, ", ""), "question number 3, id: Field required"),
        (("id: Q03", "id: Q01"), "has twice: Q01"),
        (("turns: ['drop it']", "turns: []"), "question Q03, turns: "),
        (("turns: ['drop it']", "turns: [5]"), "question Q03, turns.0: "),
        (("choose: ['total', 'gpu']", "choose: ['(total']"), "'(total' is no pattern"),
        (("'2022-06-15T10:00:00Z'", "noon"), "now: "),
        (("questions:", "queries:"), "has no list 'questions'"),
        (("questions:", "questions: ["), "is no YAML: "),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, change: tuple[str, str], told: str) -> None:
    path = written(tmp_path, GOOD.replace(*change, 1))

    with pytest.raises(EvaluationError) as raised:
        read_question_set(path)

    assert told in str(raised.value)


def test_yaml_makes_no_objects(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="is no YAML"):
        read_question_set(written(tmp_path, "questions: !!python/object/apply:os.getcwd []"))


def test_only_some_of_it_and_an_unknown_id(tmp_path: Path) -> None:
    read = read_question_set(written(tmp_path, GOOD))

    assert [q.id for q in read.only(("Q03", "Q01")).questions] == ["Q01", "Q03"]
    assert read.only(()) == read
    with pytest.raises(EvaluationError, match="Q99"):
        read.only(("Q01", "Q99"))


def test_the_first_pattern_that_fits_an_option_settles_it(tmp_path: Path) -> None:
    _, asks, refused = read_question_set(written(tmp_path, GOOD)).questions

    assert reply_to(asks, ["GPU power", "Total power"]) == "Total power"
    assert reply_to(asks, ["GPU power", "PSU power"]) == "GPU power"
    assert reply_to(asks, ["PSU power"]) == "the total"
    assert reply_to(refused, ["Total power"]) is None
