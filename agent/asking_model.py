"""A model, the allowance it is paid from, and the component that asks."""

from dataclasses import dataclass

from agent.budget import Budget
from agent.errors import ModelReplyUnusable
from agent.language_model import LanguageModel, Prompt, Shape


@dataclass(frozen=True, slots=True)
class AskingModel:
    """Asks for one component; each call is charged, also where its reply is of no use."""

    model: LanguageModel
    budget: Budget
    component: str

    def fill(self, prompt: Prompt, shape: type[Shape]) -> Shape:
        """A reply in ``shape``; raises ModelError or BudgetSpent."""
        self.budget.require()
        try:
            filled = self.model.fill(prompt, shape)
        except ModelReplyUnusable as error:
            self.budget.charge(self.component, error.usage)
            raise
        self.budget.charge(self.component, filled.usage)
        return filled.value

    def write(self, prompt: Prompt) -> str:
        """A reply in free text; raises ModelError or BudgetSpent."""
        self.budget.require()
        try:
            written = self.model.write(prompt)
        except ModelReplyUnusable as error:
            self.budget.charge(self.component, error.usage)
            raise
        self.budget.charge(self.component, written.usage)
        return written.text
