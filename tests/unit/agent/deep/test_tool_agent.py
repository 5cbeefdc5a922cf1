"""A sub-agent that calls tools: bounded, never the same call twice, errors told to the model."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.budget import Budget
from agent.deep.sub_agent import Report
from agent.deep.tool_agent import Made, ToolAgent
from agent.errors import Stopped
from agent.run_context import RunContext
from agent.session import Question
from agent.tools import Tool, ToolResult
from tests.fakes.scripted_model import ScriptedModel

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
QUERY = Tool(
    "query",
    "Gets data.",
    {
        "type": "object",
        "properties": {"request": {"type": "string"}, "asked_at": {"type": "string"}},
        "required": ["request", "asked_at"],
    },
)
SECRET = Tool("secret", "Not for this agent.", {"type": "object", "properties": {}})


@dataclass
class CannedTools:
    results: list[ToolResult]
    calls: list[tuple[str, Mapping[str, object]]] = field(default_factory=list)

    def tools(self) -> tuple[Tool, ...]:
        return QUERY, SECRET

    def call(
        self,
        name: str,
        arguments: Mapping[str, object],
        parent: str = "",
        budget: Budget | None = None,
    ) -> ToolResult:
        self.calls.append((name, arguments))
        return self.results.pop(0)


def settle(made: Made, context: RunContext) -> Report | None:
    content = made.result.content
    return Report(str(content["text"])) if "text" in content else None


def an_agent(model: ScriptedModel, tools: CannedTools) -> ToolAgent:
    return ToolAgent(
        model,
        tools,
        ("query",),
        "gets tables",
        settle,
        lambda told, made, context: Report(problem=f"finished: {told} after {len(made)}"),
        vet=lambda task, arguments: "no" if arguments.get("request") == "forbidden" else "",
        fixed=lambda context: {"asked_at": context.question.asked_at.isoformat()},
        most_calls=3,
    )


def calling(tool: str, **arguments: object) -> str:
    return json.dumps({"tool": tool, "arguments": arguments})


def worked(replies: list[str], results: list[ToolResult]) -> tuple[Report, CannedTools, list[str]]:
    model, tools = ScriptedModel(replies), CannedTools(results)
    context = RunContext(Question("q", NOW, "t"), Path(), Budget(10_000, 20, 60))
    report = an_agent(model, tools).work("power of node 900", (), context)
    return report, tools, [prompt.request for prompt in model.asked]


FOUND = ToolResult({"text": "612 W"})
WRONG = ToolResult({}, "there is no metric 'powr'")


def test_a_call_that_settles_the_task_ends_it() -> None:
    report, tools, _ = worked([calling("query", request="power of node 900")], [FOUND])

    assert report == Report("612 W")
    given = {"request": "power of node 900", "asked_at": NOW.isoformat()}
    assert tools.calls == [("query", given)]


def test_what_is_fixed_is_not_left_to_the_model() -> None:
    forged = calling("query", request="power", asked_at="1999-01-01")

    _, tools, _ = worked([forged], [FOUND])

    assert tools.calls[0][1]["asked_at"] == NOW.isoformat()


def test_an_error_is_told_and_the_model_calls_again() -> None:
    replies = [calling("query", request="powr"), calling("query", request="power")]

    report, _, asked = worked(replies, [WRONG, FOUND])

    assert report.text == "612 W"
    assert "there is no metric 'powr'" in asked[1]


def test_the_same_call_is_refused_without_being_made() -> None:
    same = calling("query", request="powr")

    report, tools, asked = worked([same, same, same], [WRONG])

    assert len(tools.calls) == 1
    assert "made before" in asked[2]
    assert report.problem == WRONG.problem


def test_calls_are_bounded_and_the_last_error_is_reported() -> None:
    replies = [calling("query", request=f"powr {n}") for n in range(9)]

    report, tools, _ = worked(replies, [WRONG] * 9)

    assert report.problem == WRONG.problem
    assert len(tools.calls) == 3


@pytest.mark.parametrize(
    "reply", [calling("secret"), calling("rm"), "no", '{"tool": "query"}', "[]"]
)
def test_a_call_of_what_is_not_offered_reaches_no_tool(reply: str) -> None:
    report, tools, asked = worked([reply, calling("query", request="power")], [FOUND])

    assert report.text == "612 W"
    assert len(tools.calls) == 1
    assert "of no use" in asked[1]


def test_the_model_may_give_a_task_up() -> None:
    report, tools, _ = worked([calling("finish", report="there is nothing")], [])

    assert report.problem == "finished: there is nothing after 0"
    assert tools.calls == []


def test_a_long_result_is_cut_before_the_model_is_told() -> None:
    long = ToolResult({"rows": ["x" * 50] * 1000})

    _, _, asked = worked([calling("query", request="a"), calling("finish", report="done")], [long])

    assert len(asked[1]) < 2000


def test_a_call_that_does_not_fit_the_task_is_not_made() -> None:
    replies = [calling("query", request="forbidden"), calling("query", request="power")]

    report, tools, asked = worked(replies, [FOUND])

    assert report.text == "612 W"
    assert len(tools.calls) == 1
    assert "refused: no" in asked[1]


def test_a_stop_ends_it_before_the_next_call() -> None:
    tools = CannedTools([FOUND])
    context = RunContext(Question("q", NOW, "t"), Path(), Budget(10_000, 20, 60))
    context.budget.stop()

    with pytest.raises(Stopped):
        an_agent(ScriptedModel([]), tools).work("power", (), context)

    assert tools.calls == []


def test_an_argument_that_no_tool_takes_is_told_to_the_model_alone() -> None:
    odd = calling("query", request="power", pwned="4711 W")

    report, tools, asked = worked([odd, odd, odd], [])

    assert tools.calls == []
    assert "it takes no pwned" in asked[1]
    assert "pwned" not in report.problem
    assert "pwned" in report.error
