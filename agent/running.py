"""The questions that are worked on: each can be stopped from elsewhere, and its cost be told."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from agent.answer import Cost
from agent.budget import Budget
from agent.run_context import ContextOf, RunContext
from agent.session import Question


class RunningQuestions:
    """Knows the allowance of each question for as long as anybody works on it."""

    def __init__(self) -> None:
        self._budgets: WeakValueDictionary[str, Budget] = WeakValueDictionary()
        self._followed: dict[str, list[Budget]] = {}

    def noting(self, context_of: ContextOf) -> ContextOf:
        """``context_of``, with each question noted under its turn's trace id, and its own."""

        def make(question: Question, note: Callable[[str], None]) -> RunContext:
            context = context_of(question, note)
            self._budgets[question.turn] = context.budget
            self._followed.get(question.trace_id, []).append(context.budget)
            return context

        return make

    @contextmanager
    def following(self, trace_id: str) -> Iterator[Callable[[], Cost]]:
        """What the question spends from here on, as a function that tells it.

        In the block that is known even where the work broke off and nobody holds the allowance.
        """
        budgets: list[Budget] = []
        self._followed[trace_id] = budgets
        try:
            yield lambda: sum((budget.cost for budget in budgets), Cost())
        finally:
            # Whoever took the question over in this process meanwhile is followed, not we.
            if self._followed.get(trace_id) is budgets:
                del self._followed[trace_id]

    def stop(self, trace_id: str) -> bool:
        """Let the turn's question take no further step; whether anybody worked on one."""
        budget = self._budgets.get(trace_id)
        if budget is not None:
            budget.stop()
        return budget is not None
