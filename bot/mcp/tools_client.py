"""ToolSet over an MCP server, in this process or at an address."""

import asyncio
import json
import threading
from collections.abc import Coroutine, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

import httpx2
from fastmcp import Client, FastMCP
from fastmcp.client.transports import ClientTransport, StreamableHttpTransport
from mcp import MCPError
from mcp_types import INVALID_PARAMS, METHOD_NOT_FOUND, CallToolResult, TextContent
from pydantic import SecretStr

from agent.budget import Budget
from agent.errors import Stopped, ToolsUnavailable
from agent.tools import Tool, ToolResult
from agent.waiting import result_of
from bot.mcp.protocol import use_our_log

T = TypeVar("T")
_CALLER_ERRED = (INVALID_PARAMS, METHOD_NOT_FOUND)
_MOST_SENT = (4 << 20) - 10_000
"""Bytes of arguments that servers take over HTTP, where they keep to the protocol's own library."""


class McpTools:
    """Calls from any thread; the protocol runs in a thread of its own."""

    def __init__(self, server: FastMCP[Any] | ClientTransport, name: str, seconds: float) -> None:
        """``name`` is for people; a call that takes longer than ``seconds`` is given up."""
        use_our_log()
        self._server = server
        self._name = name
        self._seconds = seconds
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="mcp", daemon=True)
        self._thread.start()

    @classmethod
    def at(cls, url: str, token: SecretStr | None, seconds: float) -> "McpTools":
        """The tools of the server at ``url``, which is first asked when one is called."""
        shown = token.get_secret_value() if token is not None else None
        transport = StreamableHttpTransport(url, auth=shown, max_sse_event_size=None)
        return cls(transport, url, seconds)

    def tools(self) -> tuple[Tool, ...]:
        """What can be called; raises ToolsUnavailable."""
        return self._wait_for(self._listed())

    def call(
        self,
        name: str,
        arguments: Mapping[str, object],
        parent: str = "",
        budget: Budget | None = None,
    ) -> ToolResult:
        """Call a tool; ``parent`` is the traceparent of the step that calls.

        The server is told what is left of ``budget``, and that nobody waits once it is stopped.
        Raises Stopped then, and ToolsUnavailable where the server cannot be reached or takes too
        long.
        """
        problem = self._problem_with(arguments)
        if problem:
            return ToolResult({}, f"{name} was not called: {problem}")
        meta: dict[str, object] = {"traceparent": parent} if parent else {}
        if budget is not None:
            meta["allowance"] = asdict(budget.left)
        return self._wait_for(self._called(name, dict(arguments), meta or None), budget)

    def close(self) -> None:
        """End the thread; nothing may be called afterwards."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _problem_with(self, arguments: Mapping[str, object]) -> str:
        """Why the arguments cannot be sent; empty where they can."""
        try:
            size = len(json.dumps(dict(arguments), ensure_ascii=False).encode())
        except (TypeError, ValueError) as error:
            return f"its arguments are no JSON ({error})"
        if isinstance(self._server, StreamableHttpTransport) and size > _MOST_SENT:
            return f"{size} bytes are too many for one call"
        return ""

    def _wait_for(self, work: Coroutine[Any, Any, T], budget: Budget | None = None) -> T:
        begun = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return begun.result() if budget is None else result_of(begun, budget)
        except Stopped:
            # A server of this process is told, and ends what it does for the call. One over HTTP
            # keeps no state by which to know the call again: what it may spend is what was left.
            begun.cancel()
            raise
        except (MCPError, httpx2.HTTPError, RuntimeError, OSError, ValueError) as error:
            # A connection that cannot be made, or breaks, is told in any of these ways.
            said = str(error) or type(error).__name__
            raise ToolsUnavailable(f"the tools at {self._name} do not answer: {said}") from error

    async def _listed(self) -> tuple[Tool, ...]:
        async with self._client() as client:
            listed = await client.list_tools()
        return tuple(Tool(t.name, t.description or "", t.input_schema) for t in listed)

    async def _called(
        self, name: str, arguments: dict[str, Any], meta: dict[str, Any] | None
    ) -> ToolResult:
        try:
            async with self._client() as client:
                return _result(await client.call_tool_mcp(name, arguments, meta=meta))
        except MCPError as error:
            if error.error.code in _CALLER_ERRED:
                return ToolResult({}, error.error.message)
            raise

    def _client(self) -> Client[Any]:
        # A connection for each call: none can have broken in between, or be of a server gone.
        return Client(self._server, timeout=self._seconds, init_timeout=self._seconds)


def _result(result: CallToolResult) -> ToolResult:
    said = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
    content = result.structured_content or ({} if result.is_error else {"text": said})
    if not result.is_error:
        return ToolResult(content)
    return ToolResult(content, str(content.get("text") or said or "the tool failed"))
