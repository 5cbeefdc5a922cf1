"""A model's endpoint for the way in which every step is the model's: a reply for each step."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from agent import Analyst
from agent.settings import AgentSettings
from bot.deep_wiring import build_deep_analyst
from bot.settings import Settings
from retrieval.settings import RetrievalSettings
from tests.fakes.model_server import Said
from tests.unit.agent.reflect.test_model_queries import GOOD

QUESTION = "average and maximum power of node 5 on 1 June 2022"
DRAWN = f"{QUESTION}, as a bar chart"
PROGRAM = """```python
import pandas as pd
import matplotlib.pyplot as plt

table = pd.read_csv("/in/{name}")
figure, axes = plt.subplots(layout="constrained")
axes.bar([name for name in table.columns], table.iloc[0].to_numpy())
axes.set_title("Power of node 5")
axes.set_xlabel("measure")
axes.set_ylabel("power [W]")
figure.savefig("/out/plot.png")
```"""
_REVIEWED = {
    "missing_projections": [],
    "projection_quality": "good",
    "grouping_violations": [],
    "confidence": 100,
}
GOOD_REPLIES: Mapping[str, str] = {
    "coordinate": json.dumps({"tasks": [{"agent": "retrieval", "task": QUESTION}]}),
    "retrieve": json.dumps({"tool": "exasage_query", "arguments": {"request": QUESTION}}),
    "restate": json.dumps({"question": ""}),
    "refine": json.dumps({"task": ""}),
    "introduce": "This is the power of the node.",
    "intent": json.dumps({"about": "metric", "cardinality": "single", "confidence": 90}),
    "decompose": json.dumps({"parts": [QUESTION]}),
    "plugin": json.dumps({"plugin": "ipmi_pub", "confidence": 90}),
    "time-words": json.dumps({"times": ["on 1 June 2022"]}),
    "write-query": GOOD,
    "review-query": json.dumps(_REVIEWED),
    "repair-query": GOOD,
    "analyse": PROGRAM,
}


@dataclass
class Replies:
    """Replies by step; ``asked`` tells which steps were taken, in order."""

    instead: Mapping[str, str | Said] = field(default_factory=dict)
    """What is replied to a step, in place of what is good."""
    asked: list[str] = field(default_factory=list)
    before: Callable[[str], None] = lambda step: None
    """Called with the step before its reply is given."""

    def respond(self, body: Mapping[str, Any]) -> Said:
        """The reply to a request, by the instructions that it begins with."""
        step = _step_of(body["messages"][0]["content"])
        self.asked.append(step)
        self.before(step)
        reply = self.instead.get(step, GOOD_REPLIES[step])
        if isinstance(reply, Said):
            return reply
        if step == "analyse":
            told = body["messages"][-1]["content"]
            names = [word.strip('",') for word in told.split() if ".csv" in word]
            reply = reply.replace("{name}", names[0].removeprefix("/in/") if names else "none")
        return Said(reply)


def _step_of(instructions: str) -> str:
    for step in GOOD_REPLIES:
        written = (files("agent") / "prompts" / f"{step}.md").read_text("utf-8")
        if instructions.startswith(written.removeprefix("# system\n")[:60]):
            return step
    raise AssertionError(f"no step begins with {instructions[:60]!r}")


@contextmanager
def every_step_over(
    lake: Path, folder: Path, model_url: str, patience: float = 20, redis_url: str | None = None
) -> Iterator[Analyst]:
    """The agent whose every step is the model's, as it is wired for people.

    ``patience``: seconds for one reply.
    """
    agent = AgentSettings(
        model_url=model_url,
        model_attempts=1,
        model_seconds=patience,
        steps="every",
        question_seconds=30 * patience,
    )
    settings = Settings(
        agent=agent,
        retrieval=RetrievalSettings(lake=lake),
        data=folder / "data",
        redis_url=None if redis_url is None else SecretStr(redis_url),
    )
    analyst = build_deep_analyst(settings, folder / "answers")
    try:
        yield analyst
    finally:
        analyst.close()
