"""RetrievalTools by rules: the coordinator's own steps, without the chart."""

import hashlib
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from agent.answer import Answer, Answered, Choice, Declined, DeclineReason, NeedsClarification
from agent.code_agent import Drawn
from agent.question_steps import QuestionSteps, Run, session_after
from agent.run_context import RunContext
from agent.run_store import RunState, RunStatus, RunStore, Stage
from agent.session import Pending, Question, Session, Turn

INLINE_ROWS = 50
"""Rows of a table that a reply carries; all of them are in the table's file."""

_NO_CHART = "No chart is drawn here; the table has what it would show."
_STATUS = {
    Answered: RunStatus.COMPLETED,
    NeedsClarification: RunStatus.WAITING,
    Declined: RunStatus.REJECTED,
}


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A request that stopped to ask something back."""

    pending: Pending
    text: str
    """What was asked back, in words."""
    earlier: tuple[Turn, ...]


_WAITING = TypeAdapter(_Waiting)
_TURN = TypeAdapter(Turn)
_TURNS = TypeAdapter(tuple[Turn, ...])


class SymbolicRetrieval:
    """Keeps in the run store what waits, and the answered requests of each conversation."""

    def __init__(self, steps: QuestionSteps, runs: RunStore) -> None:
        self._steps = steps
        self._runs = runs

    def query(self, request: str, context: RunContext) -> Answer:
        """The tables that answer ``request``, a question back, or why there are none.

        In a named conversation, what its user asked earlier is known, as in a thread.
        """
        turn = Turn(request, context.question.asked_at)
        return self._answer(Run(context, turn, self._turns(context.question)))

    def clarify(self, request_id: str, choice: str, context: RunContext) -> Answer:
        """Go on with a request that waits; what is no choice of it is asked again."""
        state = self._runs.load(request_id)
        if state is None or state.status is not RunStatus.WAITING:
            text = f"No request {request_id!r} waits for a choice."
            return Declined(DeclineReason.NOT_UNDERSTOOD, text)
        waiting = _WAITING.validate_python(state.artefacts["waiting"])
        turn = self._steps.chosen(waiting.pending, choice)
        if turn is None:
            choices = tuple(Choice(key, label) for key, label in waiting.pending.choices)
            text = f"{choice!r} is none of the options. {waiting.text}"
            return NeedsClarification(text, choices)
        return self._answer(Run(context, turn, waiting.earlier))

    def _answer(self, run: Run) -> Answer:
        stage = Stage.INPUT_VALIDATION
        self._enter(stage, run)
        done = self._steps.plan(run)
        if done.answer is None:
            stage = Stage.EXECUTION
            self._enter(stage, done)
            done = self._steps.retrieve(done)
        if done.answer is None:
            done = self._steps.present(_without_chart(done), INLINE_ROWS)
        assert done.answer is not None
        answer = replace(done.answer, cost=run.context.budget.cost)
        self._save(done, answer, stage)
        return answer

    def _enter(self, stage: Stage, run: Run) -> None:
        """Save where the request stands, with the turn as far as it is settled."""
        turn = _TURN.dump_python(run.turn, mode="json")
        self._runs.save(RunState(run.context.question.trace_id).at(stage, turn=turn))

    def _save(self, done: Run, answer: Answer, stage: Stage) -> None:
        question = done.context.question
        state = RunState(question.trace_id, stage, _STATUS[type(answer)])
        session = session_after(Session(done.earlier), done)
        if session.pending is not None:
            waiting = _Waiting(session.pending, answer.text, done.earlier)
            state = state.at(
                stage, state.status, waiting=_WAITING.dump_python(waiting, mode="json")
            )
        elif question.conversation and isinstance(answer, Answered):
            turns = _TURNS.dump_python(session.turns, mode="json")
            self._runs.save(RunState(_thread_of(question), artefacts={"turns": turns}))
        self._runs.save(state)

    def _turns(self, question: Question) -> tuple[Turn, ...]:
        if not question.conversation:
            return ()
        thread = self._runs.load(_thread_of(question))
        return () if thread is None else _TURNS.validate_python(thread.artefacts["turns"])


def _without_chart(run: Run) -> Run:
    """``run`` with a word on the chart where one was asked for."""
    is_wanted = run.plan is not None and run.plan.chart is not None
    return replace(run, drawn=Drawn("", notes=(_NO_CHART,))) if is_wanted else run


def _thread_of(question: Question) -> str:
    """The name under which a user's conversation is kept; no user comes by another's."""
    whole = f"{question.user}\n{question.conversation}"
    return f"conversation-{hashlib.sha256(whole.encode()).hexdigest()}"
