"""The Reflect Agent over the built-in site; its model and its index say what they are told."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from agent.budget import Budget
from agent.errors import ModelReplyUnusable
from agent.language_model import Prompt
from agent.reflect.input_validation import InputValidation
from agent.reflect.reflect_agent import ReflectAgent
from agent.reflect.reflection import Reflection
from agent.run_context import RunContext
from agent.run_store import RunState, RunStore
from agent.session import Question
from bot.memory_runs import MemoryRuns
from retrieval.check_names import check_names
from retrieval.grounding import Grounding
from retrieval.metric_catalog import MetricCatalog
from retrieval.metric_matcher import MetricMatcher
from retrieval.metric_mentions import MetricReader
from retrieval.quantity_catalog import QuantityCatalog
from retrieval.question_reader import QuestionReader
from retrieval.site import Site
from tests.fakes.canned_likeness import CannedLikeness
from tests.fakes.canned_queries import CannedQueries
from tests.fakes.scripted_model import ScriptedModel

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
ZONE = ZoneInfo("UTC")
QUANTITIES = QuantityCatalog(MetricCatalog.load())
METRICS = MetricReader(QUANTITIES)
SITE = Site.load().found({}, ("0", "1", "2", "3"), {})
READER = QuestionReader(
    SITE, check_names(), METRICS, MetricMatcher(METRICS, QUANTITIES, CannedLikeness()), ZONE
)

Replies = Mapping[str, Iterable[str]]
"""What the model says at each step, in turn; the last is said again."""


def intent(about: str = "metric", cardinality: str = "single", confidence: int = 90) -> str:
    return json.dumps({"about": about, "cardinality": cardinality, "confidence": confidence})


def parts(*texts: str) -> str:
    return json.dumps({"parts": texts})


def plugin(name: str, confidence: int = 90) -> str:
    return json.dumps({"plugin": name, "confidence": confidence})


def times(*words: str) -> str:
    return json.dumps({"times": words})


PLAIN: Replies = {
    "intent": [intent()],
    "plugin": [plugin("ipmi_pub")],
    "time-words": [times("on 1 June 2022")],
}
"""The replies to a question about one metric of a node on 1 June 2022."""


def saying(replies: Replies) -> ScriptedModel:
    """A model that says ``replies``; what a step is not told it says in no usable form."""
    waiting = {step: list(said) for step, said in replies.items()}

    def reply(prompt: Prompt) -> str:
        left = waiting.get(prompt.name, [])
        if not left:
            raise ModelReplyUnusable(f"nothing to say to {prompt.name}")
        return left.pop(0) if len(left) > 1 else left[0]

    return ScriptedModel(reply)


def a_grounding(index: CannedLikeness) -> Grounding:
    matcher = MetricMatcher(METRICS, QUANTITIES, index)
    plugins = QUANTITIES.catalog.plugins
    return Grounding(READER.restatements.filler, matcher, QUANTITIES, SITE, ZONE, plugins)


@dataclass
class Reflecting:
    """One agent with everything that a test looks at."""

    model: ScriptedModel
    index: CannedLikeness = field(default_factory=CannedLikeness)
    queries: CannedQueries = field(default_factory=CannedQueries)
    runs: RunStore = field(default_factory=MemoryRuns)

    def agent(self) -> ReflectAgent:
        """A new instance, as another worker has it; model, queries and store are the same."""
        validation = InputValidation(a_grounding(self.index), Reflection())
        return ReflectAgent(self.model, validation, self.queries, READER, self.runs)

    @property
    def steps(self) -> list[str]:
        """The steps that the model was asked for, in order."""
        return [prompt.name for prompt in self.model.asked]

    @property
    def state(self) -> RunState:
        state = self.runs.load("trace")
        assert state is not None
        return state


def a_context(trace: str = "trace") -> RunContext:
    return RunContext(Question("", NOW, trace), Path(), Budget(100_000, 100, 60))
