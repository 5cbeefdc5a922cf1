"""A step that is asked again, with the doubt stated, until its reply is sure; a bounded number."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, ConfigDict

from agent.asking_model import AskingModel
from agent.errors import ModelReplyUnusable
from agent.language_model import Prompt, Shape
from agent.prompt_files import further_turn
from agent.tracing import Kind

_log = logging.getLogger(__name__)

Percent = Literal[0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]
"""In steps, so that no endpoint has to hold a model to a range of fractions."""


class WithConfidence(BaseModel):
    """A reply that says how sure the model is of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    confidence: Percent


@dataclass(frozen=True, slots=True)
class Reflection:
    """When a reply counts as sure, and how often the model is asked again."""

    threshold: float = 0.7
    retries: int = 2

    def unsure(self, reply: WithConfidence) -> str:
        """The doubt in a reply below the threshold; empty where it is sure enough."""
        if reply.confidence >= 100 * self.threshold:
            return ""
        return f"you are only {reply.confidence} % sure of it."

    def ask(
        self, model: AskingModel, prompt: Prompt, shape: type[Shape], doubt: Callable[[Shape], str]
    ) -> Shape | None:
        """The first reply that ``doubt`` has nothing against; None where there was none.

        Each reply is held against ``doubt`` in a span of its own. Raises ModelError where no
        reply comes at all, BudgetSpent or Stopped.
        """
        asked = prompt
        for _ in range(self.retries + 1):
            try:
                reply = model.fill(asked, shape)
            except ModelReplyUnusable as error:
                _log.info("A reply is of no use: %s", error, extra={"action": "reply-unusable"})
                asked = _again(prompt, None, "it is not in the form that was asked for.")
                continue
            with model.tracer.span(Kind.CHECK, prompt.name, reply.model_dump()) as span:
                wrong = doubt(reply)
                span.tell("rejected" if wrong else "accepted", problem=wrong)
            if not wrong:
                return reply
            asked = _again(prompt, reply, wrong)
        return None


def _again(prompt: Prompt, reply: BaseModel | None, doubt: str) -> Prompt:
    """``prompt`` with the reply as one more turn, and the doubt as the request behind it."""
    further = further_turn("doubt", doubt=doubt, request=prompt.request)
    if reply is None:
        return replace(prompt, request=further)
    shown = (*prompt.examples, (prompt.request, reply.model_dump_json()))
    return replace(prompt, examples=shown, request=further)
