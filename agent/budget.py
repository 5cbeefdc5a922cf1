"""What a question may still cost: one allowance for all its steps, which only goes down."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, assert_never

from agent.answer import Cost, Usage
from agent.errors import BudgetSpent, Stopped

Component = Literal["coordinator", "retrieval", "code"]


@dataclass(frozen=True, slots=True)
class Allowance:
    """What may still be spent."""

    tokens: int
    calls: int
    seconds: float


@dataclass(slots=True, weakref_slot=True, eq=False)
class Budget:
    """Counts what each component spends, and can be stopped; the one mutable thing of a run."""

    tokens: int
    calls: int
    seconds: float
    clock: Callable[[], float] = time.monotonic
    cost: Cost = field(default_factory=Cost)
    """What was spent so far."""
    stopped_elsewhere: Callable[[], bool] = lambda: False
    """Whether whoever the question is worked on for does not wait any more."""
    _begun: float = field(init=False)
    _stopped: threading.Event = field(init=False, default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._begun = self.clock()

    @property
    def seconds_left(self) -> float:
        """How long the question may still take; never below zero."""
        return max(0.0, self.seconds - (self.clock() - self._begun))

    @property
    def left(self) -> Allowance:
        """What whoever works on a part of the question may spend."""
        used = self.cost.total
        tokens = self.tokens - used.prompt_tokens - used.completion_tokens
        return Allowance(max(0, tokens), max(0, self.calls - used.llm_calls), self.seconds_left)

    def within(self, allowance: Allowance, stopped: Callable[[], bool]) -> "Budget":
        """An unspent one that is no larger than ``allowance``, and is stopped by ``stopped``."""
        return Budget(
            min(self.tokens, allowance.tokens),
            min(self.calls, allowance.calls),
            min(self.seconds, allowance.seconds),
            self.clock,
            stopped_elsewhere=stopped,
        )

    def require(self) -> None:
        """Raises BudgetSpent where there is nothing left for another call, Stopped after a stop."""
        self.require_going_on()
        used = self.cost.total
        if used.prompt_tokens + used.completion_tokens >= self.tokens:
            raise BudgetSpent(f"the question used up its {self.tokens} tokens")
        if used.llm_calls >= self.calls:
            raise BudgetSpent(f"the question used up its {self.calls} calls of the model")
        if not self.seconds_left:
            raise BudgetSpent(f"the question used up its {self.seconds:g} seconds")

    def charge(self, component: Component, usage: Usage) -> None:
        """Take ``usage`` off; what was spent is known even where it was too much."""
        match component:
            case "coordinator":
                spent = Cost(coordinator=usage)
            case "retrieval":
                spent = Cost(retrieval=usage)
            case "code":
                spent = Cost(code=usage)
            case _:
                assert_never(component)
        self.cost += spent

    def charge_all(self, cost: Cost) -> None:
        """Take off what a sub-agent says that it spent on its own."""
        self.cost += cost

    def count_retry(self) -> None:
        """Count a task that was handed to a sub-agent and failed."""
        self.cost += Cost(retries=1)

    def stop(self) -> None:
        """No further step may begin; may be called from another thread."""
        self._stopped.set()

    @property
    def is_stopped(self) -> bool:
        """Whether the question was stopped."""
        return self._stopped.is_set() or self.stopped_elsewhere()

    def require_going_on(self) -> None:
        """Raises Stopped where the question was stopped."""
        if self.is_stopped:
            raise Stopped("the question was stopped")
