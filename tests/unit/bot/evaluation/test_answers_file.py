import json
from pathlib import Path

import pytest

from bot.errors import EvaluationError
from bot.evaluation.answers_file import opened, read_answers
from tests.unit.bot.evaluation.records import RUN, a_line


def test_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "new" / "answers.jsonl"
    with opened(path, RUN) as answers:
        answers.append(a_line("Q01"))

    with opened(path, RUN) as answers:
        assert answers.has("Q01", 1)
        assert not answers.has("Q01", 2)
        answers.append(a_line("Q01", 2))

    assert [(r.id, r.repeat) for r in read_answers(path)] == [("Q01", 1), ("Q01", 2)]


def test_a_line_that_was_cut_off_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    whole = json.dumps(a_line("Q01")) + "\n"
    path.write_text(whole + json.dumps(a_line("Q02"))[:200])

    assert [r.id for r in read_answers(path)] == ["Q01"]
    with opened(path, RUN) as answers:
        assert not answers.has("Q02", 1)
        answers.append(a_line("Q02"))

    assert [r.id for r in read_answers(path)] == ["Q01", "Q02"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("config", "exasage"),
        ("steps", "every"),
        ("model", "qwen"),
        ("questions", "other"),
        ("lake", "other"),
        ("zone", "Europe/Rome"),
        ("version", "0.2.0"),
    ],
)
def test_answers_of_another_run_are_refused(tmp_path: Path, name: str, value: str) -> None:
    path = tmp_path / "answers.jsonl"
    with opened(path, RUN) as answers:
        answers.append(a_line())
    before = path.read_bytes()

    other = RUN.model_copy(update={name: value})
    told = rf"another run \({name} {getattr(RUN, name)} and not {value}\): name another --out"
    with pytest.raises(EvaluationError, match=told), opened(path, other):
        pass

    assert path.read_bytes() == before


@pytest.mark.parametrize("content", ["a shopping list\n", "a shopping list", '{"id": "Q01"}\n'])
def test_a_file_of_something_else_stays_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(content)

    with pytest.raises(EvaluationError), opened(path, RUN):
        pass

    assert path.read_text() == content


def test_two_runs_do_not_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"

    with (
        opened(path, RUN),
        pytest.raises(EvaluationError, match="another run is writing"),
        opened(path, RUN),
    ):
        pass


def test_a_file_without_answers_makes_no_table(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.touch()

    with pytest.raises(EvaluationError, match="holds no answer"):
        read_answers(path)
