"""Whether a checked query gives all that was asked: by the model's report and by rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.asking_model import AskingModel
from agent.errors import ModelReplyUnusable
from agent.prompt_files import prompt
from agent.reflect.grounded import Grounded
from agent.reflect.query_diagnostics import missing_parts
from agent.reflect.query_prompts import shown
from agent.reflect.reflection import Percent
from agent.tracing import Kind
from ontology.conformance import CheckedQuery

_TOKENS = 160
_UNMENDED = 0.5
"""The confidence in a query of which a rule knows that something is missing."""


class _Report(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    missing_projections: list[str] = Field(max_length=8)
    projection_quality: Literal["good", "incomplete", "wrong"]
    grouping_violations: list[str] = Field(max_length=8)
    confidence: Percent


@dataclass(frozen=True, slots=True)
class Review:
    """How sure it is that a query answers its request, and what is wrong with it."""

    confidence: float
    problems: tuple[str, ...] = ()
    """What rules and the model find wrong, for whoever mends it."""
    known: tuple[str, ...] = ()
    """What rules alone find: the model's words are for no person."""


def reviewed(model: AskingModel, query: CheckedQuery, grounded: Grounded) -> Review:
    """The review of ``query``: no surer than the model is, nor than the rules allow.

    A report that is of no use is no confidence at all. Raises ModelError, BudgetSpent or Stopped.
    """
    by_rules = missing_parts(query, grounded)
    with model.tracer.span(Kind.CHECK, "query review", {"query": shown(query)}) as span:
        by_model = _asked(model, query, grounded)
        ceiling = _UNMENDED if by_rules else 1.0
        confidence = min(by_model.confidence, ceiling)
        problems = tuple(dict.fromkeys((*by_rules, *by_model.problems)))
        span.tell({"confidence": confidence, "model": by_model.confidence, "problems": problems})
    return Review(confidence, problems, by_rules)


def _asked(model: AskingModel, query: CheckedQuery, grounded: Grounded) -> Review:
    asked = prompt("review-query", _TOKENS, request=grounded.request, query=shown(query))
    try:
        report = model.fill(asked, _Report)
    except ModelReplyUnusable as error:
        return Review(0.0, (f"the review came to nothing: {error}",))
    return Review(report.confidence / 100, tuple(_problems(report)))


def _problems(report: _Report) -> Sequence[str]:
    found = [f"missing: {words}" for words in report.missing_projections]
    found += report.grouping_violations
    if report.projection_quality != "good" and not found:
        found.append(f"the columns of SELECT are {report.projection_quality}")
    return found
