import json
from pathlib import Path

import pytest

from bot.errors import EvaluationError
from bot.evaluation.verdicts import WORDS, Verdict, read_verdicts


def test_reads_json_lines_of_a_grader_with_more_in_them(tmp_path: Path) -> None:
    path = tmp_path / "details.txt"
    rows = [
        {"id": "Q01", "set": "dev", "kind": "end_to_end", "verdict": "correct", "why": "found"},
        {"id": "Q02", "verdict": "wrong"},
        {"id": "Q02", "verdict": "clarified-correctly", "repeat": 1},
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n")

    assert read_verdicts(path, 3) == {
        ("Q01", 3): Verdict.CORRECT,
        ("Q02", 3): Verdict.HALLUCINATED,
        ("Q02", 1): Verdict.CORRECT,
    }


def test_reads_csv(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_text("id,verdict,repeat\nQ01,incomplete,2\nQ02,failed,\n")

    assert read_verdicts(path, 1) == {("Q01", 2): Verdict.INCOMPLETE, ("Q02", 1): Verdict.FAILED}


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("v.jsonl", '{"id": "Q01", "verdict": "correct"}\n{"id": "Q02"}', "line 2: an id and a"),
        ("v.jsonl", '{"id": "Q01", "verdict": "splendid"}', "line 1: an id and a verdict"),
        ("v.jsonl", '{"id": "Q01", "verdict": "correct", "repeat": "x"}', "'x' is no repeat"),
        ("v.jsonl", "Q01 correct", "line 1 is no JSON"),
        ("v.jsonl", '["Q01"]', "line 1 is no JSON object"),
        ("v.csv", "question,verdict\nQ01,correct", "line 2: an id and a verdict"),
        ("v.csv", "id,verdict\nQ01,correct\nQ01,failed", "several verdicts on Q01, repeat 1"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, name: str, content: str, told: str) -> None:
    path = tmp_path / name
    path.write_text(content)

    with pytest.raises(EvaluationError, match=told):
        read_verdicts(path, 1)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"nowhere\.csv cannot be read"):
        read_verdicts(tmp_path / "nowhere.csv", 1)


def test_every_verdict_has_a_letter_of_its_own() -> None:
    assert "".join(sorted(v.letter for v in Verdict)) == "CFHI"
    assert set(WORDS.values()) == set(Verdict)
