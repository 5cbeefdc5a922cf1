"""An MCP server with three small tools, and the same tools without a protocol."""

import logging
import time
from collections.abc import Mapping
from typing import Annotated, Any

from fastmcp import Context, FastMCP
from fastmcp.server.auth import AuthProvider
from fastmcp.tools import ToolResult as McpResult
from pydantic import Field

from agent.tools import Tool, ToolResult
from bot.mcp.protocol import new_server, told, traceparent_of
from tests.fakes.canned_tools import CannedTools

Number = Annotated[int, Field(description="A whole number.")]


def small_server(auth: AuthProvider | None = None) -> FastMCP[Any]:
    server = new_server("small", "Adds.", auth)

    @server.tool()
    def add(one: Number, other: Number) -> McpResult:
        """The sum."""
        return told({"status": "completed", "sum": one + other})

    @server.tool()
    def refuse() -> McpResult:
        """Never works."""
        return told({"status": "failed", "text": "Try add."})

    @server.tool()
    def break_down() -> McpResult:
        """Has a bug."""
        raise KeyError("secret")

    @server.tool()
    def caller(ctx: Context) -> McpResult:
        """Whose step this is."""
        return told({"traceparent": traceparent_of(ctx)})

    @server.tool()
    def rest(seconds: float) -> McpResult:
        """Takes a while."""
        time.sleep(seconds)
        return told({"status": "completed"})

    return server


def small_tools() -> CannedTools:
    def add(given: Mapping[str, object], parent: str) -> ToolResult:
        one, other = given["one"], given["other"]
        if not isinstance(one, int) or not isinstance(other, int):
            return ToolResult({}, "add: one and other are whole numbers")
        return ToolResult({"status": "completed", "sum": one + other})

    def refuse(given: Mapping[str, object], parent: str) -> ToolResult:
        return ToolResult({"status": "failed", "text": "Try add."}, "Try add.")

    def break_down(given: Mapping[str, object], parent: str) -> ToolResult:
        logging.getLogger(__name__).error("a tool broke")
        return ToolResult({"status": "failed"}, "the tool failed")

    def caller(given: Mapping[str, object], parent: str) -> ToolResult:
        return ToolResult({"traceparent": parent})

    return CannedTools(
        (Tool("add", "The sum.", _schema("one", "other")), add),
        (Tool("refuse", "Never works.", _schema()), refuse),
        (Tool("break_down", "Has a bug.", _schema()), break_down),
        (Tool("caller", "Whose step this is.", _schema()), caller),
        (Tool("rest", "Takes a while.", _schema("seconds")), refuse),
    )


def _schema(*numbers: str) -> dict[str, object]:
    each = {"type": "integer", "description": "A whole number."}
    return {"type": "object", "properties": dict.fromkeys(numbers, each), "required": [*numbers]}
