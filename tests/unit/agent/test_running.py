"""What is known of the questions that are worked on."""

from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from agent.answer import Cost, Usage
from agent.budget import Budget
from agent.run_context import RunContext
from agent.running import RunningQuestions
from agent.session import Question

QUESTION = Question("power?", datetime(2022, 6, 2, tzinfo=UTC), "0123")


def test_a_question_is_stopped_with_the_turn_that_it_is_a_part_of(tmp_path: Path) -> None:
    running = RunningQuestions()
    make = running.noting(lambda question, note: RunContext(question, tmp_path, Budget(9, 9, 60)))
    context = make(replace(QUESTION, part_of="4567"), lambda note: None)

    assert not running.stop("0123")
    assert running.stop("4567")
    assert context.budget.is_stopped


def test_a_question_that_another_thread_took_over_meanwhile_is_followed_to_its_end(
    tmp_path: Path,
) -> None:
    running = RunningQuestions()
    make = running.noting(lambda question, note: RunContext(question, tmp_path, Budget(9, 9, 60)))
    first, second = ExitStack(), ExitStack()
    first.enter_context(running.following("0123"))
    cost = second.enter_context(running.following("0123"))
    first.close()
    context = make(QUESTION, lambda note: None)
    context.budget.charge("coordinator", Usage(1, 2, 3))
    second.close()

    assert cost() == Cost(Usage(1, 2, 3))
