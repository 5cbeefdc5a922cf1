"""The last word to the person: a summary by the model, let out only where the findings bear it."""

import re
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, Field

from agent.answer import AnswerTable
from agent.asking_model import AskingModel
from agent.deep.sub_agent import Report
from agent.errors import ModelError
from agent.prompt_files import prompt
from agent.tracing import Kind

_LONGEST_FINDING = 1500
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?")
_CLAUSE = re.compile(r"[;\n]|\.(?:\s|$)")
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_WHEN = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS})\w*(?:\s+\d{{4}})?"
    rf"|\b(?:{_MONTHS})\w*\s+\d{{1,2}}(?:,?\s+\d{{4}})?|\b\d{{4}}-\d\d-\d\d\b"
    r"|\b\d{1,2}:\d\d(?::\d\d)?",
    re.IGNORECASE,
)


class _Summary(BaseModel):
    model_config = ConfigDict(extra="forbid")

    summary: str = Field(min_length=1, max_length=800)


def summary_of(question: str, reports: Sequence[Report], model: AskingModel, guarded: bool) -> str:
    """What the reports come to, in words; their own words where the model's say more.

    ``guarded``: whether each number must stand in a finding. Raises BudgetSpent or Stopped.
    """
    findings = "\n".join(report.text for report in reports if report.text)
    pictures = "; ".join(a.title for report in reports for a in report.artifacts) or "none"
    asked = prompt(
        "summarise",
        longest=250,
        question=question,
        findings=findings[:_LONGEST_FINDING],
        pictures=pictures,
    )
    try:
        told = model.write(asked).strip()
    except ModelError:
        return findings
    if not guarded:
        return told
    with model.tracer.span(Kind.CHECK, "number guard", told) as span:
        strange = strange_numbers(told, question, findings, _tables(reports))
        if not strange:
            return told
        span.tell(problem=f"numbers that stand in no finding: {', '.join(strange)}")
    return findings


def strange_numbers(
    text: str, question: str, findings: str, tables: Iterable[AnswerTable]
) -> tuple[str, ...]:
    """The numbers of ``text`` that do not stand together in one finding.

    All numbers of a clause must come from one clause of the findings or one row that is shown;
    only times may come from the question: else one node could be given another's value.
    """
    times = {_value(n) for when in _WHEN.findall(question) for n in _NUMBER.findall(when)}
    together = [_numbers(clause) for clause in _CLAUSE.split(findings)]
    for table in tables:
        together.append({float(table.row_count)})
        together += [_numbers(" ".join(map(str, row))) for row in table.preview]
    strange: list[str] = []
    for clause in _CLAUSE.split(text):
        said = _numbers(clause) - times
        if said and not any(said <= numbers for numbers in together):
            strange += [n for n in _NUMBER.findall(clause) if _value(n) in said]
    return tuple(strange)


def _numbers(text: str) -> set[float]:
    return {_value(number) for number in _NUMBER.findall(text)}


def _value(number: str) -> float:
    return float(number.replace(",", ""))


def _tables(reports: Iterable[Report]) -> Iterable[AnswerTable]:
    return (table for r in reports if r.found is not None for table in r.found.tables)
