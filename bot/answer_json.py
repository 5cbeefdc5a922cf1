"""Outcome of a turn as the JSON object that ``odabot ask --json`` prints."""

from datetime import UTC, datetime
from typing import assert_never

from agent import (
    Answered,
    AnswerTable,
    Certified,
    Cost,
    Declined,
    Evidence,
    NeedsClarification,
    TimeRange,
    Usage,
)
from bot.messages import Status
from bot.outcome import Failed, Outcome

Json = dict[str, object]


def answer_json(outcome: Outcome) -> Json:
    """``outcome`` with the keys of the contract, each always present."""
    tail: Json = {"seconds": round(outcome.seconds, 3), "trace_id": outcome.trace_id}
    match outcome.answer:
        case Answered(text, tables, artifacts, evidence, cost):
            files = [{"path": str(a.path), "media_type": a.media_type} for a in artifacts]
            return _object(Status.COMPLETED, text, evidence, cost, tables, files) | tail
        case NeedsClarification(text, choices, evidence, cost):
            options = [{"id": choice.id, "label": choice.label} for choice in choices]
            asked: Json = {"clarification": {"question": text, "options": options}}
            return _object(Status.CLARIFICATION, text, evidence, cost) | asked | tail
        case Declined(reason, text, evidence, cost):
            told = _evidence(evidence) | {"reason": reason.value}
            return _object(Status.REJECTED, text, evidence, cost) | {"evidence": told} | tail
        case Failed(text, cause, cost):
            told = _evidence(Evidence()) | {"error": cause}
            return _object(Status.FAILED, text, Evidence(), cost) | {"evidence": told} | tail
        case _:
            assert_never(outcome.answer)


def _object(
    status: Status,
    summary: str,
    evidence: Evidence,
    cost: Cost,
    tables: tuple[AnswerTable, ...] = (),
    artifacts: list[dict[str, str]] | None = None,
) -> Json:
    return {
        "status": status.value,
        "summary": summary,
        "time_ranges": [_range(window) for window in evidence.time_ranges],
        "metrics": [{"plugin": m.plugin, "metric": m.metric} for m in evidence.metrics],
        "sparql": list(evidence.queries),
        "tables": [_table(table) for table in tables],
        "artifacts": artifacts or [],
        "clarification": None,
        "evidence": _evidence(evidence),
        "usage": _usage(cost.total),
    }


def _usage(usage: Usage) -> Json:
    return {
        "llm_calls": usage.llm_calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
    }


def _table(table: AnswerTable) -> Json:
    return {
        "name": table.name,
        "columns": list(table.columns),
        "row_count": table.row_count,
        "csv": str(table.csv),
    }


def _evidence(evidence: Evidence) -> Json:
    return {
        "time_ranges": [_range(window) for window in evidence.time_ranges],
        "zone": evidence.zone,
        "metrics": [
            {"plugin": m.plugin, "metric": m.metric, "unit": m.unit} for m in evidence.metrics
        ],
        "entities": list(evidence.entities),
        "execution": evidence.execution,
        "graph_age_seconds": None if evidence.graph_age is None else round(evidence.graph_age, 1),
        "samples_got": evidence.samples_got,
        "samples_expected": evidence.samples_expected,
        "certified": _certified(evidence.certified),
        "notes": list(evidence.notes),
        "code": list(evidence.code),
    }


def _certified(certified: Certified | None) -> dict[str, str] | None:
    if certified is None:
        return None
    return {
        "id": certified.pair,
        "reviewed": certified.reviewed.isoformat(),
        "owner": certified.owner,
        "answers": certified.answers,
    }


def _range(window: TimeRange) -> dict[str, str]:
    return {"start": _instant(window.start), "end": _instant(window.end)}


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
