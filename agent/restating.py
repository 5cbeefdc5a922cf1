"""A question that the rules do not understand, put into words that they do, by the model."""

from collections.abc import Sequence
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from agent.asking_model import AskingModel
from agent.language_model import Prompt
from agent.prompt_files import prompt

_LONGEST = 300
"""Characters; a longer restatement says more than the question."""
_TOKENS = 120


class _Restated(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = Field(max_length=_LONGEST)


def restatements(
    model: AskingModel, question: str, words: Sequence[str], quantities: Sequence[str]
) -> tuple[str, str]:
    """The question in standard words, as the model says it when asked in two ways.

    The second time the examples come in another order: what changes with it is a guess. Each is
    empty where no standard words say the same. Raises ModelError or BudgetSpent.
    """
    asked = prompt(
        "restate",
        longest=_TOKENS,
        question=question,
        words=", ".join(words),
        quantities=", ".join(quantities),
    )
    turned = replace(asked, examples=asked.examples[::-1])
    return _said(model, asked), _said(model, turned)


def _said(model: AskingModel, asked: Prompt) -> str:
    return model.fill(asked, _Restated).question.strip()
