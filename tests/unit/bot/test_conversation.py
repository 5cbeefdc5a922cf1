import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from agent import Analyst, Answer, Answered, Cost, NeedsClarification, Question, Session, Usage
from agent.budget import Budget
from agent.run_context import RunContext
from agent.running import RunningQuestions
from bot.conversation import Conversation
from bot.errors import SessionStoreError
from bot.memory_sessions import MemorySessions
from bot.messages import Status, Thread
from bot.outcome import Failed
from bot.step_tracer import StepTracer
from bot.trace_files import TraceFiles
from retrieval.errors import LakeError
from tests.fakes.canned_analyst import CannedCoordinator
from tests.fakes.recording_counters import RecordingCounters
from tests.fakes.recording_platform import NOW, a_message, a_thread


def a_conversation(
    folder: Path, sessions: MemorySessions | None = None
) -> tuple[Conversation, CannedCoordinator]:
    coordinator = CannedCoordinator(folder)
    conversation = Conversation(Analyst(coordinator), sessions or MemorySessions(), "UTC")
    return conversation, coordinator


def a_traced_conversation(folder: Path) -> tuple[TraceFiles, Conversation]:
    kept = TraceFiles(folder / "traces", 30, 1 << 20)
    analyst = Analyst(CannedCoordinator(folder), tracer=StepTracer([kept]))
    return kept, Conversation(analyst, MemorySessions(), "UTC")


def ignore(note: str) -> None:
    assert note


def test_the_question_carries_the_moment_of_the_message(tmp_path: Path) -> None:
    conversation, coordinator = a_conversation(tmp_path)

    outcome = conversation.outcome_of(a_message("power"), ignore)

    assert coordinator.asked[0].asked_at == NOW
    assert coordinator.asked[0].trace_id == outcome.trace_id


def test_each_turn_is_counted_by_how_it_ended(tmp_path: Path) -> None:
    counters = RecordingCounters()
    conversation, _ = a_conversation(tmp_path)
    counted = replace(conversation, counters=counters)

    counted.outcome_of(a_message("power"), ignore)
    counted.outcome_of(a_message("which temperature"), ignore)

    assert counters.counted == [
        ("ended", Status.COMPLETED),
        ("ended", Status.CLARIFICATION),
    ]


def test_a_choice_settles_the_question_of_the_same_thread(tmp_path: Path) -> None:
    conversation, _ = a_conversation(tmp_path)

    asked = conversation.outcome_of(a_message("which temperature"), ignore)
    settled = conversation.outcome_of(a_message("gpu"), ignore)

    assert isinstance(asked.answer, NeedsClarification)
    assert isinstance(settled.answer, Answered)
    assert settled.reply.markdown == "You chose gpu."


def test_threads_do_not_know_of_each_other(tmp_path: Path) -> None:
    sessions = MemorySessions()
    conversation, _ = a_conversation(tmp_path, sessions)

    conversation.outcome_of(a_message("which temperature", a_thread("1")), ignore)

    assert sessions.load(a_thread("2")) == Session()


def test_notes_reach_whoever_waits(tmp_path: Path) -> None:
    conversation, _ = a_conversation(tmp_path)
    notes: list[str] = []

    conversation.outcome_of(a_message("power"), notes.append)

    assert notes == ["reading the question"]


def test_a_failure_becomes_an_apology_with_the_trace_id(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    conversation, _ = a_conversation(tmp_path)

    with caplog.at_level(logging.ERROR):
        outcome = conversation.outcome_of(a_message("broken"), ignore)

    assert outcome.reply.status is Status.FAILED
    assert outcome.trace_id in outcome.reply.markdown
    assert "wire" not in outcome.reply.markdown
    assert isinstance(outcome.answer, Failed)
    assert "hunter2" not in outcome.answer.cause
    assert any(record.exc_info for record in caplog.records)


def test_a_turn_is_traced_with_who_asked_where_and_how_it_ended(tmp_path: Path) -> None:
    kept, conversation = a_traced_conversation(tmp_path)

    outcome = conversation.outcome_of(a_message("power"), ignore)

    (root,) = kept.read(outcome.trace_id)
    assert (root.owner.user, root.owner.conversation) == ("ada", a_thread().name)
    assert isinstance(root.given, dict)
    assert root.given["question"] == "power"
    assert isinstance(root.output, dict)
    assert root.output["status"] == "completed"
    assert root.seconds > 0


def test_a_failed_turn_is_traced_with_its_cause(tmp_path: Path) -> None:
    kept, conversation = a_traced_conversation(tmp_path)

    outcome = conversation.outcome_of(a_message("broken"), ignore)

    (root,) = kept.read(outcome.trace_id)
    assert root.problem == "RuntimeError: a wire is loose at redis://***@db"
    assert isinstance(root.output, dict)
    assert root.output["status"] == "failed"


class _Spends:
    """Spends, and then breaks off or answers."""

    def __init__(self, running: RunningQuestions, folder: Path) -> None:
        self._context = running.noting(
            lambda question, note: RunContext(question, folder, Budget(1000, 10, 60))
        )

    def work_on(
        self, question: Question, session: Session, note: Callable[[str], None]
    ) -> tuple[Answer, Session]:
        context = self._context(question, note)
        context.budget.charge("coordinator", Usage(1, 100, 10))
        context.budget.charge("retrieval", Usage(2, 300, 20))
        if question.text == "broken":
            raise LakeError("part 7 is damaged")
        return Answered("812 W", cost=context.budget.cost), session


class _FullStore(MemorySessions):
    """Takes no session."""

    def save(self, thread: Thread, session: Session) -> None:
        raise SessionStoreError("the store is full")


@pytest.mark.parametrize(
    ("text", "sessions"), [("broken", MemorySessions()), ("power", _FullStore())]
)
def test_what_was_spent_before_something_broke_is_counted(
    text: str, sessions: MemorySessions, tmp_path: Path
) -> None:
    kept, running = TraceFiles(tmp_path / "traces", 30, 1 << 20), RunningQuestions()
    tracer = StepTracer([kept])
    analyst = Analyst(_Spends(running, tmp_path), tracer=tracer, follow=running.following)

    outcome = Conversation(analyst, sessions, "UTC").outcome_of(a_message(text), ignore)

    assert isinstance(outcome.answer, Failed)
    assert outcome.answer.cost == Cost(Usage(1, 100, 10), Usage(2, 300, 20))
    (root,) = kept.read(outcome.trace_id)
    assert root.usage == Usage(3, 400, 30)
    assert isinstance(root.output, dict)
    assert isinstance(told := root.output["cost"], dict)
    assert told["retrieval"] == {"llm_calls": 2, "prompt_tokens": 300, "completion_tokens": 20}


def test_a_failed_turn_leaves_the_session_as_it_was(tmp_path: Path) -> None:
    sessions = MemorySessions()
    conversation, _ = a_conversation(tmp_path, sessions)
    conversation.outcome_of(a_message("power"), ignore)
    before = sessions.load(a_thread())

    conversation.outcome_of(a_message("broken"), ignore)

    assert sessions.load(a_thread()) == before


def test_a_thread_that_stays_busy_becomes_an_apology(tmp_path: Path) -> None:
    sessions = MemorySessions(wait_seconds=0.01)
    conversation, _ = a_conversation(tmp_path, sessions)

    with sessions.hold(a_thread()):
        outcome = conversation.outcome_of(a_message("power"), ignore)

    assert outcome.reply.status is Status.FAILED
