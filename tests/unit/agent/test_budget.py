"""A question's allowance: tokens, calls and time, counted by component."""

import pytest

from agent.answer import Cost, Usage
from agent.budget import Budget
from agent.errors import BudgetSpent


def test_what_is_spent_is_known_by_component_and_as_a_whole() -> None:
    budget = Budget(1000, 10, 60)

    budget.charge("retrieval", Usage(1, 100, 10))
    budget.charge("retrieval", Usage(1, 50, 5))
    budget.charge("code", Usage(1, 200, 20))

    assert budget.cost == Cost(retrieval=Usage(2, 150, 15), code=Usage(1, 200, 20))
    assert budget.cost.total == Usage(3, 350, 35)


@pytest.mark.parametrize(("tokens", "calls", "says"), [(110, 10, "tokens"), (1000, 1, "calls")])
def test_nothing_more_may_be_asked_once_it_is_used_up(tokens: int, calls: int, says: str) -> None:
    budget = Budget(tokens, calls, 60)
    budget.require()
    budget.charge("retrieval", Usage(1, 100, 10))

    with pytest.raises(BudgetSpent, match=says):
        budget.require()


def test_time_runs_out_too() -> None:
    now = [0.0]
    budget = Budget(1000, 10, 60, clock=lambda: now[0])

    now[0] = 59.0
    budget.require()
    assert budget.seconds_left == 1.0
    now[0] = 61.0

    assert budget.seconds_left == 0.0
    with pytest.raises(BudgetSpent, match="60 seconds"):
        budget.require()
