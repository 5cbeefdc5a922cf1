"""The port to sub-agents: a task in words and the tables so far, to a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from agent.answer import Answered, AnswerTable, Artifact, Declined, NeedsClarification
from agent.run_context import RunContext

AgentName = Literal["retrieval", "code"]


@dataclass(frozen=True, slots=True)
class Task:
    """What one sub-agent is to do."""

    agent: AgentName
    words: str


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a task; where ``problem`` is set, it says why nothing did."""

    text: str = ""
    found: Answered | None = None
    """Tables and evidence of a task of retrieval."""
    artifacts: tuple[Artifact, ...] = ()
    code: tuple[str, ...] = ()
    """Programs that ran."""
    notes: tuple[str, ...] = ()
    back: NeedsClarification | None = None
    """A question back, which only the person can settle."""
    request_id: str = ""
    """The request that waits for its answer."""
    refused: Declined | None = None
    """Set where asking again in other words is no use: there is no such node, there are no data."""
    problem: str = ""
    """In our words, for the person."""
    error: str = ""
    """The same for the model, which may be told what a model wrote; empty: ``problem`` says it."""


class SubAgent(Protocol):
    """Works on tasks with its own tools, and is aware of no others."""

    @property
    def description(self) -> str:
        """What it can do, for whoever decides where a task goes."""
        ...

    def work(self, words: str, tables: Sequence[AnswerTable], context: RunContext) -> Report:
        """Do what ``words`` say; raises ModelError, BudgetSpent, Stopped or ToolsUnavailable."""
        ...

    def resume(self, request_id: str, choice: str, context: RunContext) -> Report:
        """Go on with a request that waits for ``choice``; raises like ``work``."""
        ...
