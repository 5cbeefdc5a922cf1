"""What every step of one question may use: its allowance, its trace, its folder."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from agent.asking_model import AskingModel
from agent.budget import Budget, Component
from agent.language_model import LanguageModel
from agent.session import Question
from agent.tracing import Tracer, Untraced


@dataclass(frozen=True, slots=True)
class RunContext:
    """Handed down from the coordinator to each sub-agent; the same for the whole question."""

    question: Question
    folder: Path
    """Where tables and pictures of the answer are written."""
    budget: Budget
    note: Callable[[str], None] = lambda text: None
    """Told what is being done, for whoever waits."""
    tracer: Tracer = field(default_factory=Untraced)

    def asking(self, model: LanguageModel, component: Component) -> AskingModel:
        """``model``, paid from this question's allowance and traced."""
        return AskingModel(model, self.budget, component, self.tracer)


ContextOf = Callable[[Question, Callable[[str], None]], RunContext]
"""Makes the context of a question; the second argument is told what is being done."""
