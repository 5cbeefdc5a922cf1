"""The MCP server of the tools that run code."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from fastmcp import Context, FastMCP
from fastmcp.server.auth import AuthProvider
from fastmcp.tools import ToolResult
from pydantic import Field

from bot.mcp.protocol import new_server, told, traceparent_of, unless_left
from bot.mcp.sandbox_desk import Caller, Json, SandboxDesk, Upload

_INSTRUCTIONS = (
    "Runs Python where it reaches neither this host nor the network. codeagent_init, then"
    " codeagent_start; codeagent_upload puts files into /in; codeagent_execute runs a program that"
    " leaves files in /out; codeagent_get_artifacts gives them; codeagent_stop deletes everything."
)
User = Annotated[str, Field(max_length=200, description="On whose behalf; only they may go on.")]
Owner = Annotated[str, Field(max_length=200, description="Whose session it is, if it has a user.")]
Session = Annotated[str, Field(max_length=100, description="The session of codeagent_init.")]
Name = Annotated[str, Field(max_length=200, description="The file's name in /in, with no folder.")]
Content = Annotated[
    str,
    Field(
        max_length=3_000_000,
        description="The file's bytes in base64, 2 MiB of them at most; append what is more.",
    ),
]
Append = Annotated[bool, Field(description="True to add to the end of a file that is there.")]
Code = Annotated[str, Field(min_length=1, max_length=200_000, description="A Python program.")]
Names = Annotated[
    list[str] | None,
    Field(max_length=200, description="Which files are wanted; all of them if none is named."),
]


def sandbox_server(desk: SandboxDesk, auth: AuthProvider | None = None) -> FastMCP[Any]:
    """A server whose six tools are what ``desk`` does."""
    server = new_server("odabot-sandbox", _INSTRUCTIONS, auth)

    @server.tool()
    def codeagent_init(ctx: Context, user: User = "") -> ToolResult:
        """Make a session, which has its own files; its name goes with every further call."""
        return told(desk.init(Caller(user, traceparent_of(ctx))))

    @server.tool()
    def codeagent_start(session: Session, ctx: Context, user: Owner = "") -> ToolResult:
        """Get the session's sandbox ready."""
        return told(desk.start(session, Caller(user, traceparent_of(ctx))))

    @server.tool()
    def codeagent_upload(
        session: Session,
        name: Name,
        content_base64: Content,
        ctx: Context,
        append: Append = False,
        user: Owner = "",
    ) -> ToolResult:
        """Put a file where the session's programs can read it; a large one in parts."""
        upload = Upload(name, content_base64, append)
        return told(desk.upload(session, upload, Caller(user, traceparent_of(ctx))))

    @server.tool()
    async def codeagent_execute(
        session: Session, code: Code, ctx: Context, user: Owner = ""
    ) -> ToolResult:
        """Run a Python program: what it printed, which files it left, what looked suspicious."""
        caller = Caller(user, traceparent_of(ctx))
        return told(await unless_left(partial(_executed, desk, session, code, caller)))

    @server.tool()
    def codeagent_get_artifacts(
        session: Session, ctx: Context, names: Names = None, user: Owner = ""
    ) -> ToolResult:
        """The files that the session's programs left, and what the last program printed."""
        reply = desk.artifacts(session, names or (), Caller(user, traceparent_of(ctx)))
        return told(reply, str(reply["text"]))

    @server.tool()
    def codeagent_stop(session: Session, ctx: Context, user: Owner = "") -> ToolResult:
        """Delete the session with all its files."""
        return told(desk.stop(session, Caller(user, traceparent_of(ctx))))

    return server


def _executed(
    desk: SandboxDesk, session: str, code: str, caller: Caller, left: Callable[[], bool]
) -> Json:
    return desk.execute(session, code, replace(caller, has_left=left))
