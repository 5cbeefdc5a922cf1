"""Requests by way of tools: replies become answers, and their tables files of the question."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.answer import Answered, AnswerTable, Cost, Usage
from agent.answer_codec import encode, encode_failure
from agent.budget import Budget
from agent.deep.retrieval_agent import retrieval_agent
from agent.deep.tool_agent import ToolAgent
from agent.errors import ToolsUnavailable
from agent.run_context import RunContext
from agent.session import Question
from agent.tools import Tool, ToolResult
from tests.fakes.canned_tools import CannedTools
from tests.fakes.scripted_model import COST, ScriptedModel

CSV = "node,W\n12,812\n13,799\n"
TABLE = AnswerTable("power", ("node", "W"), 2, Path("power.csv"), (("12", 812), ("13", 799)))
FOUND = Answered("Two.", (TABLE,), cost=Cost(retrieval=Usage(2, 300, 20)))


def _tool(name: str, *arguments: str) -> Tool:
    return Tool(name, "", _schema(arguments))


def _schema(names: Sequence[str]) -> dict[str, object]:
    return {"properties": {name: {} for name in names}, "required": [*names]}


def _server(reply: ToolResult, part_bytes: int = 9, end: int = len(CSV)) -> CannedTools:
    """A server that gives its table in parts of so many bytes, up to ``end``."""

    def download(given: Mapping[str, object], parent: str) -> ToolResult:
        offset = given["offset"]
        assert isinstance(offset, int)
        following = offset + part_bytes if offset + part_bytes < len(CSV) else None
        if offset >= end:
            return ToolResult({}, "The request is gone.")
        return ToolResult({"csv": CSV[offset : offset + part_bytes], "next_offset": following})

    asks = _tool("exasage_query", "request", "asked_at", "conversation", "user")
    return CannedTools(
        (asks, lambda given, parent: reply),
        (_tool("exasage_clarify", "request_id", "choice", "user"), lambda given, parent: reply),
        (_tool("exasage_download_csv", "request_id", "table", "offset"), download),
    )


def _context(folder: Path) -> RunContext:
    moment = datetime(2022, 6, 15, 10, tzinfo=UTC)
    return RunContext(Question("?", moment, "trace", "ann", "t"), folder, Budget(1000, 10, 60))


def _agent(tools: CannedTools, request: str = "power") -> ToolAgent:
    """A model that asks for ``request`` whatever its task, and gives up where that fails."""
    call = json.dumps({"tool": "exasage_query", "arguments": {"request": request}})
    finish = json.dumps({"tool": "finish", "arguments": {"report": "given up"}})
    first = iter([call])
    return retrieval_agent(ScriptedModel(lambda prompt: next(first, finish)), tools)


def test_a_reply_becomes_an_answer_with_all_rows_in_a_file(tmp_path: Path) -> None:
    tools, context = _server(ToolResult(encode(FOUND, "abc"))), _context(tmp_path)

    report = _agent(tools, "power of two nodes").work("power of two nodes", (), context)

    assert report.found is not None
    (table,) = report.found.tables
    assert table.csv.read_text() == CSV
    assert table.csv == tmp_path / "power.csv"
    assert table.preview == TABLE.preview
    assert context.budget.cost.retrieval == Usage(2, 300, 20) + COST
    assert tools.calls[0] == (
        "exasage_query",
        {
            "request": "power of two nodes",
            "asked_at": "2022-06-15T10:00:00+00:00",
            "conversation": "",
            "user": "ann",
        },
    )


def test_a_choice_is_handed_on_with_who_made_it(tmp_path: Path) -> None:
    tools = _server(ToolResult(encode(FOUND, "abc")))

    report = _agent(tools).resume("abc", "gpu", _context(tmp_path))

    assert report.text == "Two."
    given = {"request_id": "abc", "choice": "gpu", "user": "ann"}
    assert tools.calls[0] == ("exasage_clarify", given)


@pytest.mark.parametrize("name", ["../power.csv", "/etc/power.csv", ".power.csv", "power.exe", ""])
def test_a_reply_cannot_choose_where_a_file_goes(tmp_path: Path, name: str) -> None:
    reply = encode(FOUND, "abc")
    reply["tables"] = [{**table, "csv": name} for table in reply["tables"]]  # type: ignore[attr-defined]

    with pytest.raises(ToolsUnavailable, match="no name of a file"):
        _agent(_server(ToolResult(reply))).work("power", (), _context(tmp_path))

    assert list(tmp_path.iterdir()) == []


def test_a_table_that_does_not_come_whole_is_no_answer(tmp_path: Path) -> None:
    tools = _server(ToolResult(encode(FOUND, "abc")), end=12)

    with pytest.raises(ToolsUnavailable, match="does not come whole"):
        _agent(tools).work("power", (), _context(tmp_path))


def test_a_call_that_was_wrong_is_no_finding(tmp_path: Path) -> None:
    tools = _server(ToolResult({}, "the lake is broken"))

    report = _agent(tools).work("power", (), _context(tmp_path))

    assert report.found is None
    assert report.problem == "the lake is broken"


def test_a_call_that_failed_is_paid_for(tmp_path: Path) -> None:
    cost = Cost(retrieval=Usage(2, 300, 20))
    failed = ToolResult(encode_failure("the lake is broken", "abc", cost), "the lake is broken")
    context = _context(tmp_path)

    _agent(_server(failed)).work("power", (), context)

    assert context.budget.cost.retrieval == Usage(2, 300, 20) + COST + COST


def test_a_reply_that_says_that_something_broke_is_no_answer(tmp_path: Path) -> None:
    tools = _server(ToolResult(encode_failure("the lake is broken", "abc")))

    with pytest.raises(ToolsUnavailable, match="the lake is broken"):
        _agent(tools).work("power", (), _context(tmp_path))


def test_a_second_table_of_the_same_name_does_not_take_the_firsts_place(tmp_path: Path) -> None:
    tools, context = _server(ToolResult(encode(FOUND, "abc"))), _context(tmp_path)

    first, second = (_agent(tools).work("power", (), context).found for _ in "12")

    assert first is not None
    assert second is not None
    assert first.tables[0].csv != second.tables[0].csv
    assert second.tables[0].csv.read_text() == CSV
