"""What every set of tools promises: plain functions, an MCP server here, and one over HTTP."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import SecretStr

from agent.errors import ToolsUnavailable
from agent.tools import ToolSet
from bot.mcp.serving import OneToken
from bot.mcp.tools_client import McpTools
from tests.mcp_http import served
from tests.tool_server import small_server, small_tools

TOKEN = SecretStr("a token of some length")
PARENT = f"00-{'a' * 32}-{'b' * 16}-01"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(small_server(OneToken(TOKEN))) as url:
        yield url


@pytest.fixture(params=["functions", "memory", "http"])
def tools(request: pytest.FixtureRequest) -> Iterator[ToolSet]:
    if request.param == "functions":
        yield small_tools()
        return
    made = (
        McpTools(small_server(), "small", 20)
        if request.param == "memory"
        else McpTools.at(request.getfixturevalue("address"), TOKEN, 20)
    )
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
        ("add", {"one": "\ud800", "other": 2}, "add"),
        ("add", {"one": object(), "other": 2}, "add"),
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
    assert result.content["status"] == "failed"


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


@pytest.mark.parametrize("token", [None, SecretStr("another token of some length"), SecretStr("é")])
def test_who_does_not_show_the_token_is_not_let_in(address: str, token: SecretStr | None) -> None:
    tools = McpTools.at(address, token, 20)

    for work in (tools.tools, lambda: tools.call("add", {"one": 1, "other": 2})):
        with pytest.raises(ToolsUnavailable) as error:
            work()
        assert TOKEN.get_secret_value() not in str(error.value)

    tools.close()


def test_too_long_a_call_is_told_so(address: str) -> None:
    tools = McpTools.at(address, TOKEN, 20)

    result = tools.call("add", {"one": "1" * (5 << 20), "other": 2})

    assert "too many for one call" in result.problem
    tools.close()


def test_a_server_that_is_not_there_is_told_of_and_found_once_it_is() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    tools = McpTools.at(f"http://127.0.0.1:{port}/mcp", None, 20)

    with pytest.raises(ToolsUnavailable, match=str(port)):
        tools.tools()
    with served(small_server(), port=port):
        first = tools.call("add", {"one": 1, "other": 1}).content["sum"]
    with pytest.raises(ToolsUnavailable):
        tools.call("add", {"one": 1, "other": 1})
    with served(small_server(), port=port):
        second = tools.call("add", {"one": 1, "other": 2}).content["sum"]

    assert (first, second) == (2, 3)
    tools.close()


def test_what_is_no_server_of_tools_is_told_of() -> None:
    with served(small_server()) as url:
        tools = McpTools.at(url.replace("/mcp", "/healthz"), None, 20)

        with pytest.raises(ToolsUnavailable):
            tools.tools()

    tools.close()
