"""The line of an answers file counts what every turn cost, those that failed too."""

from pathlib import Path

from agent import Answered, Cost, Usage
from bot.evaluation.putting import Said, line_of
from bot.evaluation.question_set import PutQuestion
from bot.messages import Reply, Status
from bot.outcome import Failed, Outcome
from tests.fakes.recording_platform import a_thread


def _said(answer: Answered | Failed) -> Said:
    return Said("power", Outcome(answer, Reply(a_thread(), Status.COMPLETED, ""), "abc", 1.0))


def test_a_turn_that_failed_is_counted_with_what_it_spent(tmp_path: Path) -> None:
    question = PutQuestion.model_validate({"id": "R01", "kind": "retrieval", "turns": ["power"]})
    found = Answered("812 W", cost=Cost(coordinator=Usage(1, 100, 10)))
    failed = Failed("Sorry.", cost=Cost(retrieval=Usage(2, 300, 20), retries=1))

    line = line_of(question, 1, [_said(found), _said(failed)], tmp_path)

    assert line["status"] == "failed"
    assert line["usage"] == {"llm_calls": 3, "prompt_tokens": 400, "completion_tokens": 30}
    assert isinstance(line["cost"], dict)
    assert line["cost"]["retries"] == 1
