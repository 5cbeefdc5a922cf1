"""What our MCP servers share: how they are made, how they reply, whose step a call is."""

import asyncio
import logging
import re
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

import fastmcp
from fastmcp import Context, FastMCP
from fastmcp.exceptions import NotFoundError, ToolError, ValidationError
from fastmcp.server.auth import AuthProvider
from fastmcp.server.dependencies import get_http_headers
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp_types import CallToolRequestParams
from pydantic import TypeAdapter
from pydantic import ValidationError as PydanticError

from agent.budget import Allowance

Reply = TypeVar("Reply")
_ALLOWANCE = TypeAdapter(Allowance)
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")


def new_server(name: str, instructions: str, auth: AuthProvider | None) -> FastMCP[Any]:
    """A server without tools, which logs as we do and traces nothing on its own."""
    use_our_log()
    return FastMCP(
        name, instructions, auth=auth, middleware=[_PlainComplaints()], mask_error_details=True
    )


def use_our_log() -> None:
    """Have FastMCP log where we do, and leave tracing to us."""
    fastmcp.settings.telemetry_mode = "off"
    theirs = logging.getLogger("fastmcp")
    theirs.handlers.clear()
    theirs.propagate = True
    for name in ("fastmcp", "mcp"):
        logging.getLogger(name).setLevel(logging.WARNING)


def told(reply: Mapping[str, object], text: str | None = None) -> ToolResult:
    """``reply`` as object and as text, or with another ``text``; a failed one is an error."""
    is_error = reply.get("status") == "failed"
    return ToolResult(text, structured_content=dict(reply), is_error=is_error)


def traceparent_of(context: Context) -> str:
    """The caller's step, from the call's own _meta or the HTTP header; empty where neither is."""
    named = _meta_of(context).get("traceparent") or get_http_headers().get("traceparent", "")
    return named if isinstance(named, str) and _TRACEPARENT.fullmatch(named) else ""


def allowance_of(context: Context) -> Allowance | None:
    """What the caller has left for the call, from the call's own _meta; None: it does not say."""
    try:
        return _ALLOWANCE.validate_python(_meta_of(context).get("allowance"))
    except PydanticError:
        return None


async def unless_left(work: Callable[[Callable[[], bool]], Reply]) -> Reply:
    """What ``work`` gives, done in a thread; it can ask whether nobody waits for it any more."""
    left = threading.Event()
    pool = ThreadPoolExecutor(1, thread_name_prefix="tool")
    run = asyncio.get_running_loop().run_in_executor
    try:
        return await run(pool, copy_context().run, work, left.is_set)
    finally:
        left.set()
        pool.shutdown(wait=False)


def _meta_of(context: Context) -> Mapping[str, object]:
    request = context.request_context
    meta = request.meta if request is not None else None
    return meta or {}


class _PlainComplaints(Middleware):
    """Says what was wrong with a call in a line that a model can act on."""

    async def on_call_tool(
        self,
        context: MiddlewareContext[CallToolRequestParams],
        call_next: CallNext[CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        try:
            return await call_next(context)
        except ValidationError as error:
            cause = error.__cause__
            if not isinstance(cause, PydanticError):
                raise
            wrong = "; ".join(f"{_place(each['loc'])}: {each['msg']}" for each in cause.errors())
            return _failed(f"{context.message.name} was not called. {wrong}.")
        except NotFoundError:
            return _failed(f"There is no tool {context.message.name!r}.")
        except ToolError:
            # What was raised is in the log, and none of the caller's business.
            text = "whoever runs this server finds the cause in its log."
            return _failed(f"Something broke in {context.message.name}; {text}")


def _failed(text: str) -> ToolResult:
    return told({"status": "failed", "text": text})


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) or "arguments"
