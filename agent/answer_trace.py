"""What a trace is told of an answer: its words, and of tables no more than names and sizes."""

from agent.answer import Answer, Answered, Declined, NeedsClarification
from retrieval.outcome import Retrieved
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
