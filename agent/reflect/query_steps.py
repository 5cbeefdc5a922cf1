"""The port to stages 2 and 3: a grounded request to a query, and a query to an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.answer import Answer, Declined
from agent.reflect.grounded import Grounded
from agent.run_context import RunContext


@dataclass(frozen=True, slots=True)
class Written:
    """A query that passed the gate and the review, as text."""

    query: str
    confidence: float = 1.0
    """How sure the review was of it, from 0 to 1."""


class QuerySteps(Protocol):
    """Writes queries and runs them; what fails for good is a Declined."""

    def write(self, grounded: Grounded, context: RunContext) -> Written | Declined:
        """The query for ``grounded``; raises ModelError, BudgetSpent or Stopped."""
        ...

    def run(
        self, grounded: Grounded, written: Written, notes: Sequence[str], context: RunContext
    ) -> Answer:
        """The finding of ``written``, with ``notes`` on how the request was read.

        Raises RetrievalError where lake or store cannot be read.
        """
        ...
