"""A question that is stopped waits for nothing that it has begun."""

import threading
from collections.abc import Iterator

import pytest

from agent.answer import Usage
from agent.asking_model import AskingModel
from agent.budget import Budget
from agent.errors import Stopped
from agent.language_model import Prompt, Written

PROMPT = Prompt("words", "Write.", (), "A word.", longest=8)


class SlowModel:
    """Replies once it is told to."""

    name = "slow"

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.may_reply = threading.Event()

    def write(self, prompt: Prompt) -> Written:
        self.asked.set()
        self.may_reply.wait(30)
        return Written("late", Usage(1, 10, 1))


@pytest.fixture
def model() -> Iterator[SlowModel]:
    made = SlowModel()
    yield made
    made.may_reply.set()


def test_the_reply_of_a_model_is_not_waited_for(model: SlowModel) -> None:
    budget = Budget(1000, 10, 60)
    asking = AskingModel(model, budget, "coordinator")  # type: ignore[arg-type]

    def stop() -> None:
        model.asked.wait(10)
        budget.stop()

    threading.Thread(target=stop).start()

    with pytest.raises(Stopped):
        asking.write(PROMPT)

    assert not model.may_reply.is_set()
    assert budget.cost.total.llm_calls == 0


def test_a_reply_that_comes_is_paid_for(model: SlowModel) -> None:
    budget = Budget(1000, 10, 60)
    model.may_reply.set()

    text = AskingModel(model, budget, "coordinator").write(PROMPT)  # type: ignore[arg-type]

    assert text == "late"
    assert budget.cost.total == Usage(1, 10, 1)
