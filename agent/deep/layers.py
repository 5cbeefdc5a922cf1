"""The coordinator's prompt in layers: base, configuration, sub-agents, and each turn's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Literal

from agent.deep.sub_agent import SubAgent
from agent.language_model import Prompt
from agent.prompt_files import prompt
from agent.session import Question, Turn

Configuration = Literal["nsa", "exasage", "datalake"]
"""Which backend answers tasks of retrieval: ours, or one of those it is compared with."""

_WINDOW = 4
"""How many earlier turns are told."""
_LONGEST_ANSWER = 200
"""Characters of an earlier answer."""


@dataclass(frozen=True, slots=True)
class Layers:
    """What is the same for every question comes first, so that an endpoint reads it once."""

    configuration: Configuration
    agents: Mapping[str, SubAgent]

    def planning(self, question: Question, earlier: Sequence[Turn], skill: str) -> Prompt:
        """The prompt that asks for the tasks of ``question``."""
        runtime = "\n".join((skill, runtime_layer(question, earlier))).strip()
        asked = prompt("coordinate", longest=400, runtime=runtime, question=question.text)
        return replace(asked, instructions=self._stable(asked.instructions))

    def _stable(self, base: str) -> str:
        folder = files("agent") / "prompts" / "layers"
        configured = (folder / f"{self.configuration}.md").read_text("utf-8").strip()
        told = (f"- {name}: {agent.description}" for name, agent in self.agents.items())
        return "\n".join((base, configured, "Sub-agents:", *told))


def runtime_layer(question: Question, earlier: Sequence[Turn]) -> str:
    """Who asks, where, when, and a window over what was asked before."""
    lines = [
        f"User: {question.user or 'unknown'}. Conversation: {question.conversation or 'none'}.",
        f"Now: {question.asked_at.isoformat(timespec='minutes')}.",
    ]
    for turn in earlier[-_WINDOW:]:
        answer = " ".join(turn.answer.split())[:_LONGEST_ANSWER]
        lines.append(f"Earlier question: {turn.question}\nEarlier answer: {answer}")
    return "\n".join(lines)
