"""The last word to the person: what was found, introduced by the model in a sentence of its own."""

import re
from collections.abc import Sequence

from agent.asking_model import AskingModel
from agent.deep.sub_agent import Report
from agent.errors import ModelError
from agent.prompt_files import prompt
from agent.tracing import Kind

_LONGEST_FINDING = 1500
_LONGEST_LEAD = 240
_FIGURES = re.compile(
    r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|million"
    r"|half|twice|double|triple|percent|highest|lowest|maximum|minimum|average|above|below|normal)\b",
    re.IGNORECASE,
)
"""What only the findings may tell: a sentence of the model's own can give one thing another's."""

_MARKUP = re.compile(r"://|www\.|[<>`@|\[\]{}]|\b(?:rm|sudo|curl|ssh|password)\b", re.IGNORECASE)
"""Addresses, code and markup, which a text in the data may have the model say."""


def summary_of(question: str, reports: Sequence[Report], model: AskingModel, guarded: bool) -> str:
    """What the reports come to, in words.

    ``guarded``: the findings stand as they are, and the model only introduces them; else it retells
    them. Where it has nothing fit to say, the findings stand alone. Raises BudgetSpent or Stopped.
    """
    findings = "\n".join(report.text for report in reports if report.text)
    pictures = "; ".join(a.title for report in reports for a in report.artifacts) or "none"
    asked = prompt(
        "introduce" if guarded else "summarise",
        longest=100 if guarded else 250,
        question=question,
        findings=findings[:_LONGEST_FINDING],
        pictures=pictures,
    )
    try:
        told = " ".join(model.write(asked).split())
    except ModelError:
        return findings
    if not guarded:
        return told
    with model.tracer.span(Kind.CHECK, "summary", told) as span:
        if problem := _unfit(told):
            span.tell(problem=problem)
            return findings
    return f"{told}\n{findings}".strip()


def _unfit(lead: str) -> str:
    if len(lead) > _LONGEST_LEAD:
        return f"longer than {_LONGEST_LEAD} characters"
    if markup := _MARKUP.search(lead):
        return f"is no plain sentence: {markup.group()!r}"
    figure = _FIGURES.search(lead)
    return f"tells a figure of its own: {figure.group()!r}" if figure else ""
