"""A model, the allowance it is paid from, and the component that asks."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from agent.answer import Usage
from agent.budget import Budget, Component
from agent.errors import ModelReplyUnusable
from agent.language_model import Called, LanguageModel, Prompt, Shape
from agent.tools import Tool
from agent.tracing import Kind, Span, Tracer, Untraced
from agent.waiting import unless_stopped

Reply = TypeVar("Reply")


@dataclass(frozen=True, slots=True)
class AskingModel:
    """Asks for one component; each call is charged, also where its reply is of no use."""

    model: LanguageModel
    budget: Budget
    component: Component
    tracer: Tracer = field(default_factory=Untraced)

    def fill(self, prompt: Prompt, shape: type[Shape]) -> Shape:
        """A reply in ``shape``; raises ModelError, BudgetSpent or Stopped."""
        with self._asking(prompt) as span:
            filled = self._said(lambda: self.model.fill(prompt, shape))
            self._pay(span, filled.value.model_dump(), filled.usage)
        return filled.value

    def call(self, prompt: Prompt, tools: Sequence[Tool]) -> Called:
        """The tool to be called next; raises ModelError, BudgetSpent or Stopped."""
        with self._asking(prompt) as span:
            called = self._said(lambda: self.model.call(prompt, tools))
            wanted = {"tool": called.tool, "arguments": called.arguments}
            self._pay(span, wanted, called.usage)
        return called

    def write(self, prompt: Prompt) -> str:
        """A reply in free text; raises ModelError, BudgetSpent or Stopped."""
        with self._asking(prompt) as span:
            written = self._said(lambda: self.model.write(prompt))
            self._pay(span, written.text, written.usage)
        return written.text

    def _said(self, ask: Callable[[], Reply]) -> Reply:
        """What ``ask`` gives; raises Stopped at once where the question is stopped meanwhile."""
        return unless_stopped(ask, self.budget)

    @contextmanager
    def _asking(self, prompt: Prompt) -> Iterator[Span]:
        self.budget.require()
        with self.tracer.span(Kind.GENERATION, prompt.name, prompt.request) as span:
            try:
                yield span
            except ModelReplyUnusable as error:
                self._pay(span, None, error.usage)
                raise

    def _pay(self, span: Span, reply: object, usage: Usage) -> None:
        self.budget.charge(self.component, usage)
        span.tell(reply, usage=usage, model=self.model.name)
