"""What a trace is told of requests, results and answers: of tables, names and sizes alone."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass

from agent.answer import Answer, Answered, Declined, NeedsClarification
from agent.plan import Plan, Retrieve
from retrieval.outcome import Retrieved
from retrieval.request import Metric
from retrieval.understanding import NotUnderstood, Unclear


def told_of_answer(answer: Answer) -> dict[str, object]:
    """How a question, or a task of it, ended."""
    match answer:
        case Answered():
            tables = [{"name": t.name, "rows": t.row_count} for t in answer.tables]
            return {"ended": "answered", "text": answer.text, "tables": tables}
        case NeedsClarification():
            choices = {choice.id: choice.label for choice in answer.choices}
            return {"ended": "asked back", "text": answer.text, "choices": choices}
        case Declined():
            return {"ended": "declined", "reason": answer.reason, "text": answer.text}


def told_of_outcome(outcome: object) -> dict[str, object]:
    """What reading or running a request gave."""
    match outcome:
        case Retrieved():
            tables = [
                {"name": t.name, "rows": t.row_count, "columns": [c.variable for c in t.columns]}
                for t in outcome.tables
            ]
            return {"gave": "tables", "tables": tables, "notes": outcome.notes}
        case Unclear():
            return {"gave": "a question back", "question": outcome.question}
        case NotUnderstood():
            return {"gave": "a refusal", "why": outcome.why, "text": outcome.text}
        case _:
            return {"gave": type(outcome).__name__, "text": getattr(outcome, "text", "")}


def told_of_reading(read: Plan | Unclear | NotUnderstood) -> dict[str, object]:
    """What the words of a question came to."""
    if not isinstance(read, Plan):
        return told_of_outcome(read)
    requests = [told_of_request(step.asked) for step in read.steps if isinstance(step, Retrieve)]
    told: dict[str, object] = {"gave": "a plan", "requests": requests}
    if read.chart is not None:
        told["chart"] = read.chart.kind or "any"
    return told


def told_of_request(asked: object) -> dict[str, object]:
    """The fields of a request, or of a chain of two, that are not as they are by default."""
    told: dict[str, object] = {"kind": type(asked).__name__}
    return told | _fields(asked)


def _fields(value: object) -> dict[str, object]:
    assert is_dataclass(value)
    told = {}
    for field in fields(value):
        here = getattr(value, field.name)
        default = field.default if field.default_factory is MISSING else field.default_factory()
        if here != default:
            told[field.name] = _value(here)
    return told


def _value(value: object) -> object:
    if isinstance(value, Metric):
        return f"{value.plugin}.{value.name}"
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, Mapping):
        return {str(name): _value(each) for name, each in value.items()}
    if isinstance(value, Sequence | frozenset) and not isinstance(value, str):
        return [_value(each) for each in value]
    return value
