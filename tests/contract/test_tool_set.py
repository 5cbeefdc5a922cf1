"""What every set of tools promises: plain functions, and an MCP server in this process."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from agent.errors import ToolsUnavailable
from agent.tools import ToolSet
from bot.mcp.tools_client import McpTools
from tests.tool_server import small_server, small_tools

PARENT = f"00-{'a' * 32}-{'b' * 16}-01"


@pytest.fixture(params=["functions", "memory"])
def tools(request: pytest.FixtureRequest) -> Iterator[ToolSet]:
    if request.param == "functions":
        yield small_tools()
        return
    made = McpTools(small_server(), "small", 20)
    yield made
    made.close()


def test_tells_what_can_be_called(tools: ToolSet) -> None:
    found = {tool.name: tool for tool in tools.tools()}

    assert list(found) == ["add", "refuse", "break_down", "caller", "rest"]
    assert found["add"].description == "The sum."
    schema = found["add"].parameters
    assert schema["required"] == ["one", "other"]
    assert isinstance(schema["properties"], dict)
    assert schema["properties"]["one"]["description"] == "A whole number."


def test_a_call_gives_an_object(tools: ToolSet) -> None:
    result = tools.call("add", {"one": 2, "other": 3})

    assert (result.content, result.problem) == ({"status": "completed", "sum": 5}, "")


def test_a_tool_that_refuses_says_what_to_do(tools: ToolSet) -> None:
    result = tools.call("refuse", {})

    assert result.problem == "Try add."
    assert result.content == {"status": "failed", "text": "Try add."}


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("substract", {"one": 1, "other": 2}, "substract"),
        ("add", {"one": 1}, "other"),
        ("add", {"one": 1, "other": 2, "third": 3}, "third"),
        ("add", {"one": "a word", "other": 2}, "one"),
    ],
)
def test_a_wrong_call_is_a_result_with_a_problem(
    tools: ToolSet, name: str, arguments: dict[str, object], told: str
) -> None:
    result = tools.call(name, arguments)

    assert told in result.problem
    assert "http" not in result.problem


def test_a_tool_that_breaks_does_not_show_how(tools: ToolSet) -> None:
    result = tools.call("break_down", {})

    assert result.problem
    assert "secret" not in result.problem


def test_the_step_that_calls_goes_with_the_call(tools: ToolSet) -> None:
    assert tools.call("caller", {}, PARENT).content == {"traceparent": PARENT}
    assert tools.call("caller", {}).content == {"traceparent": ""}


def test_may_be_called_from_several_threads(tools: ToolSet) -> None:
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(tools.call, "add", {"one": n, "other": n}) for n in range(24)]
        sums = [call.result().content["sum"] for call in calls]

    assert sums == [2 * n for n in range(24)]


def test_a_call_that_takes_too_long_is_given_up() -> None:
    tools = McpTools(small_server(), "small", 0.2)

    with pytest.raises(ToolsUnavailable, match="small"):
        tools.call("rest", {"seconds": 1.0})

    tools.close()
