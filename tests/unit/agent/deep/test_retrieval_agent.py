"""The sub-agent of retrieval reads replies of the retrieval tools, and fetches whole tables."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.answer import (
    Answer,
    Answered,
    AnswerTable,
    Choice,
    Cost,
    Declined,
    DeclineReason,
    NeedsClarification,
    Usage,
)
from agent.answer_codec import encode
from agent.budget import Budget
from agent.deep.retrieval_agent import retrieval_agent
from agent.deep.sub_agent import Report
from agent.run_context import RunContext
from agent.session import Question
from agent.tools import Tool, ToolResult
from tests.fakes.scripted_model import ScriptedModel

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
ID = "00112233445566ff"
SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("request", "asked_at", "user")},
    "required": ["request"],
}


@dataclass
class OneAnswer:
    """Retrieval tools that give the one answer, its table in two parts."""

    answer: Answer
    calls: list[tuple[str, Mapping[str, object]]] = field(default_factory=list)

    def tools(self) -> tuple[Tool, ...]:
        return (Tool("exasage_query", "Asks.", SCHEMA),)

    def call(
        self,
        name: str,
        arguments: Mapping[str, object],
        parent: str = "",
        budget: Budget | None = None,
    ) -> ToolResult:
        self.calls.append((name, arguments))
        if name != "exasage_download_csv":
            return ToolResult(encode(self.answer, ID))
        first = arguments["offset"] == 0
        part = {"csv": "node,W\n" if first else "900,612\n", "next_offset": 7 if first else None}
        return ToolResult(part)


def work(answer: Answer, folder: Path, request: str = "power of node 900") -> tuple[Report, Budget]:
    call = json.dumps({"tool": "exasage_query", "arguments": {"request": request}})
    finish = json.dumps({"tool": "finish", "arguments": {"report": "given up"}})
    model, budget = ScriptedModel([call, finish]), Budget(10_000, 20, 60)
    context = RunContext(Question("q", NOW, "t", "ada"), folder, budget)
    report = retrieval_agent(model, OneAnswer(answer)).work("power of node 900", (), context)
    return report, budget


def test_a_finding_comes_with_its_whole_table_and_is_paid_for(tmp_path: Path) -> None:
    table = AnswerTable("power", ("node", "W"), 1, Path("/far/power.csv"), (("900", 612.0),))
    spent = Cost(retrieval=Usage(3, 900, 50))

    report, budget = work(Answered("612 W", (table,), cost=spent), tmp_path)

    assert isinstance(report.found, Answered)
    assert report.found.tables[0].csv.read_text() == "node,W\n900,612\n"
    assert report.found.tables[0].csv.parent == tmp_path
    assert budget.cost.retrieval == Usage(4, 1000, 60)


def test_a_question_back_carries_the_request_that_waits(tmp_path: Path) -> None:
    back = NeedsClarification("Which?", (Choice("a", "the one"),))

    report, _ = work(back, tmp_path)

    assert (report.back, report.request_id) == (back, ID)


@pytest.mark.parametrize(
    ("reason", "is_final"),
    [
        (DeclineReason.UNKNOWN_ENTITY, True),
        (DeclineReason.NO_DATA, True),
        (DeclineReason.NOT_UNDERSTOOD, False),
        (DeclineReason.UNKNOWN_METRIC, False),
    ],
)
def test_what_other_words_may_avoid_is_told_apart(
    reason: DeclineReason, is_final: bool, tmp_path: Path
) -> None:
    report, _ = work(Declined(reason, "No."), tmp_path)

    assert report.problem == "No."
    assert (report.refused is not None) is is_final


def test_a_request_with_a_number_that_the_task_does_not_have_is_not_made(tmp_path: Path) -> None:
    report, _ = work(Answered("612 W"), tmp_path, "power of node 901")

    assert "901" not in report.problem
    assert report.error == "given up"
