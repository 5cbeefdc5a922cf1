"""What a question may still cost: one allowance for all its steps, which only goes down."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from agent.answer import Usage
from agent.errors import BudgetSpent


@dataclass(slots=True)
class Budget:
    """Counts what each component spends; the one mutable thing of a run."""

    tokens: int
    calls: int
    seconds: float
    clock: Callable[[], float] = time.monotonic
    spent: dict[str, Usage] = field(default_factory=dict)
    """By component: coordinator, retrieval, code."""
    _begun: float = field(init=False)

    def __post_init__(self) -> None:
        self._begun = self.clock()

    @property
    def usage(self) -> Usage:
        """All that was spent."""
        return sum(self.spent.values(), Usage())

    @property
    def seconds_left(self) -> float:
        """How long the question may still take; never below zero."""
        return max(0.0, self.seconds - (self.clock() - self._begun))

    def require(self) -> None:
        """Raises BudgetSpent where there is nothing left for another call."""
        used = self.usage
        if used.prompt_tokens + used.completion_tokens >= self.tokens:
            raise BudgetSpent(f"the question used up its {self.tokens} tokens")
        if used.llm_calls >= self.calls:
            raise BudgetSpent(f"the question used up its {self.calls} calls of the model")
        if not self.seconds_left:
            raise BudgetSpent(f"the question used up its {self.seconds:g} seconds")

    def charge(self, component: str, usage: Usage) -> None:
        """Take ``usage`` off; what was spent is known even where it was too much."""
        self.spent[component] = self.spent.get(component, Usage()) + usage
