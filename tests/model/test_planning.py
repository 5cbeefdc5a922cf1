"""The coordinator's plans by a real model: replayed, or asked anew with ``--model-url``."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from agent.budget import Budget
from agent.deep.layers import Layers
from agent.deep.planning import tasks_of
from agent.deep.sub_agent import Task
from agent.openai_model import OpenAiModel
from agent.run_context import RunContext
from agent.session import Question
from agent.settings import AgentSettings
from tests.fakes.model_server import fingerprint, serving
from tests.fakes.recorded_model import Recordings
from tests.unit.agent.deep.desk import CannedAgent

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
LEAST_RIGHT = 9
"""Of the questions here, how many plans go to the right agents in the right order."""
AGENTS = {
    "retrieval": CannedAgent(description="retrieves tables for a task in words"),
    "code": CannedAgent(description="writes and runs Python over the retrieved tables"),
}


@dataclass(frozen=True)
class Asked:
    asks: str
    agents: tuple[str, ...]


ASKED = [
    Asked(row["asks"], tuple(row["agents"]))
    for row in yaml.safe_load(Path(__file__).with_name("planned_questions.yaml").read_text("utf-8"))
]


@pytest.fixture(scope="module")
def plans(request: pytest.FixtureRequest) -> dict[str, tuple[Task, ...]]:
    recordings = Recordings("planning", request.config.getoption("--model-url"))
    with serving(recordings.respond) as server:
        model = OpenAiModel(
            AgentSettings(model_url=server.url, model_seconds=600, model_attempts=1)
        )
        found = {}
        for each in ASKED:
            context = RunContext(Question(each.asks, NOW, "t"), Path(), Budget(9000, 9, 9000))
            asking = context.asking(model, "coordinator")
            found[each.asks] = tasks_of(context.question, (), Layers("nsa", AGENTS), "", asking)
        assert server.missing == [], "a prompt changed: record the replies anew"
    if recordings.upstream:
        recordings.save({fingerprint(body) for body in server.asked})
    return found


def test_tasks_go_to_the_agents_that_can_do_them(plans: dict[str, tuple[Task, ...]]) -> None:
    told = {
        each.asks: tuple(dict.fromkeys(task.agent for task in plans[each.asks])) for each in ASKED
    }
    right = [each.asks for each in ASKED if told[each.asks] == each.agents]

    assert len(right) >= LEAST_RIGHT, told


@pytest.mark.parametrize("asked", ASKED, ids=lambda each: each.asks[:40])
def test_no_task_has_a_number_that_nobody_wrote(
    asked: Asked, plans: dict[str, tuple[Task, ...]]
) -> None:
    for task in plans[asked.asks]:
        numbers = [word for word in task.words.replace("-", " ").split() if word.isdigit()]
        assert all(number in asked.asks for number in numbers)
