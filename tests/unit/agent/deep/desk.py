"""A deep coordinator at a desk of its own: sub-agents that report what they are told to."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from agent.answer import Answer, Answered, AnswerTable, Evidence
from agent.budget import Budget
from agent.deep.coordinator import DeepCoordinator
from agent.deep.layers import Configuration, Layers
from agent.deep.sub_agent import Report
from agent.language_model import Prompt
from agent.run_context import RunContext
from agent.session import Question, Session
from retrieval.data_scope import WHOLE, DataScope
from tests.fakes.scripted_model import ScriptedModel

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)


def a_table(*rows: tuple[str, float]) -> AnswerTable:
    return AnswerTable("power", ("node", "W"), len(rows), Path("/a/power.csv"), rows)


def found(text: str, *rows: tuple[str, float], evidence: Evidence | None = None) -> Report:
    answer = Answered(text, (a_table(*rows),) if rows else (), evidence=evidence or Evidence())
    return Report(text, answer)


@dataclass
class CannedAgent:
    """Gives its reports in turn, and remembers what it was asked."""

    reports: list[Report] = field(default_factory=list)
    description: str = "does what it is told"
    asked: list[str] = field(default_factory=list)
    given: list[Sequence[AnswerTable]] = field(default_factory=list)
    resumed: list[tuple[str, str]] = field(default_factory=list)

    def work(self, words: str, tables: Sequence[AnswerTable], context: RunContext) -> Report:
        self.asked.append(words)
        self.given.append(tables)
        return self.reports.pop(0)

    def resume(self, request_id: str, choice: str, context: RunContext) -> Report:
        self.resumed.append((request_id, choice))
        return self.reports.pop(0)


def planned(*tasks: tuple[str, str]) -> str:
    return json.dumps({"tasks": [{"agent": agent, "task": words} for agent, words in tasks]})


def again(words: str) -> str:
    return json.dumps({"task": words})


class Desk:
    def __init__(
        self,
        *replies: str | Callable[[Prompt], str],
        retrieval: Sequence[Report] = (),
        code: Sequence[Report] = (),
        budget: Budget | None = None,
        configuration: Configuration = "nsa",
        guarded: bool = True,
    ) -> None:
        self.retrieval = CannedAgent(list(retrieval), "gets tables")
        self.code = CannedAgent(list(code), "draws")
        waiting = list(replies)

        def reply(prompt: Prompt) -> str:
            said = waiting.pop(0)
            return said(prompt) if callable(said) else said

        self.model = ScriptedModel(reply)
        self.budget = budget or Budget(10_000, 20, 60)
        self.session = Session()
        agents = {"retrieval": self.retrieval, "code": self.code}
        self.coordinator = DeepCoordinator(
            self.model,
            Layers(configuration, agents),
            lambda question: "- ipmi_pub/total_power [W]",
            lambda question, note: RunContext(question, Path(), self.budget, note),
            is_time=lambda text: text == "yesterday",
            guarded=guarded,
        )

    def ask(self, text: str, scope: DataScope = WHOLE) -> Answer:
        question = Question(text, NOW, "trace1", "ada", "console:1", scope=scope)
        answer, self.session = self.coordinator.work_on(question, self.session, lambda told: None)
        return answer
