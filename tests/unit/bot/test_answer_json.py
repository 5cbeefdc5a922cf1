import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from agent import (
    Answer,
    Answered,
    AnswerTable,
    Artifact,
    Certified,
    Choice,
    Cost,
    Declined,
    DeclineReason,
    Evidence,
    MetricUse,
    NeedsClarification,
    Usage,
)
from bot.answer_json import answer_json
from bot.messages import Reply, Status
from bot.outcome import Failed, Outcome
from tests.fakes.canned_analyst import WINDOW
from tests.fakes.recording_platform import a_thread

KEYS = {
    "status",
    "summary",
    "time_ranges",
    "metrics",
    "sparql",
    "tables",
    "artifacts",
    "clarification",
    "evidence",
    "usage",
    "seconds",
    "trace_id",
}


def as_json(answer: Answer | Failed) -> dict[str, Any]:
    reply = Reply(a_thread(), Status.COMPLETED, "")
    written: dict[str, Any] = json.loads(
        json.dumps(answer_json(Outcome(answer, reply, "abc", 1.23456)))
    )
    return written


@pytest.mark.parametrize(
    "answer",
    [
        Answered("x"),
        NeedsClarification("x", ()),
        Declined(DeclineReason.NO_DATA, "x"),
        Failed("x"),
    ],
)
def test_every_outcome_has_the_same_keys(answer: Answer | Failed) -> None:
    written = as_json(answer)

    assert set(written) == KEYS
    assert (written["summary"], written["seconds"], written["trace_id"]) == ("x", 1.235, "abc")


def test_an_answer_lists_tables_pictures_windows_and_cost() -> None:
    answer = Answered(
        "812 W",
        (AnswerTable("power", ("node", "w"), 7, Path("/a/p.csv"), (("900", 1.0),)),),
        (Artifact(Path("/a/p.png"), "image/png", "Power"),),
        Evidence(
            time_ranges=(WINDOW,),
            metrics=(MetricUse("ipmi_pub", "total_power", "W"),),
            queries=("SELECT *",),
            graph_age=61.25,
            certified=Certified("power", "operations", date(2026, 12, 1), "Mean."),
        ),
        Cost(retrieval=Usage(2, 900, 40)),
    )

    written = as_json(answer)

    assert written["status"] == "completed"
    assert written["tables"] == [
        {"name": "power", "columns": ["node", "w"], "row_count": 7, "csv": "/a/p.csv"}
    ]
    assert written["artifacts"] == [{"path": "/a/p.png", "media_type": "image/png"}]
    assert written["time_ranges"] == [
        {"start": "2022-06-01T00:00:00Z", "end": "2022-06-02T00:00:00Z"}
    ]
    assert written["metrics"] == [{"plugin": "ipmi_pub", "metric": "total_power"}]
    assert written["evidence"]["metrics"][0]["unit"] == "W"
    assert written["evidence"]["graph_age_seconds"] == 61.2
    assert written["evidence"]["certified"] == {
        "id": "power",
        "reviewed": "2026-12-01",
        "owner": "operations",
        "answers": "Mean.",
    }
    assert written["sparql"] == ["SELECT *"]
    assert written["usage"] == {"llm_calls": 2, "prompt_tokens": 900, "completion_tokens": 40}


def test_a_question_back_carries_ids_and_labels() -> None:
    written = as_json(NeedsClarification("Which?", (Choice("a", "the inlet"),)))

    assert written["status"] == "clarification"
    assert written["clarification"] == {
        "question": "Which?",
        "options": [{"id": "a", "label": "the inlet"}],
    }


def test_a_refusal_says_its_reason_and_a_failure_its_cause_and_cost() -> None:
    refused = as_json(Declined(DeclineReason.UNKNOWN_ENTITY, "No such node."))
    spent = Cost(retrieval=Usage(2, 300, 20))
    failed = as_json(Failed("Sorry.", "KeyError: 1", spent))

    assert (refused["status"], refused["evidence"]["reason"]) == ("rejected", "unknown entity")
    assert (failed["status"], failed["evidence"]["error"]) == ("failed", "KeyError: 1")
    used = {"llm_calls": 2, "prompt_tokens": 300, "completion_tokens": 20}
    assert failed["usage"] == used
