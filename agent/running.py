"""The questions that are being worked on, so that each can be stopped from elsewhere."""

from collections.abc import Callable
from weakref import WeakValueDictionary

from agent.budget import Budget
from agent.run_context import ContextOf, RunContext
from agent.session import Question


class RunningQuestions:
    """Knows the allowance of each question for as long as anybody works on it."""

    def __init__(self) -> None:
        self._budgets: WeakValueDictionary[str, Budget] = WeakValueDictionary()

    def noting(self, context_of: ContextOf) -> ContextOf:
        """``context_of``, with each question noted under its trace id."""

        def make(question: Question, note: Callable[[str], None]) -> RunContext:
            context = context_of(question, note)
            self._budgets[question.trace_id] = context.budget
            return context

        return make

    def stop(self, trace_id: str) -> bool:
        """Let the question take no further step; whether anybody worked on it."""
        budget = self._budgets.get(trace_id)
        if budget is not None:
            budget.stop()
        return budget is not None
