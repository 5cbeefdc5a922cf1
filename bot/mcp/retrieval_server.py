"""The MCP server of the retrieval tools."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from fastmcp import Context, FastMCP
from fastmcp.server.auth import AuthProvider
from fastmcp.tools import ToolResult
from pydantic import Field

from agent.answer_codec import reply_schema
from agent.metrics_expert import metrics_skill
from bot.mcp.protocol import allowance_of, new_server, told, traceparent_of, unless_left
from bot.mcp.retrieval_desk import Asker, RetrievalDesk
from retrieval.metric_catalog import MetricCatalog

_INSTRUCTIONS = (
    "Asks the telemetry of a data centre in plain words: sensor readings, jobs, alarms, topology."
    " Call exasage_query first. Where its status is 'clarification', call exasage_clarify with one"
    " of the options. A reply has a table's first rows; exasage_download_csv gives all of them."
)
SKILL = "skill://metrics-expert"
"""The resource that tells another agent what can be asked for by its exact name."""
_PART_BYTES = 200_000

Words = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4000,
        description="What is wanted, in plain words: which metric, of what, over which time.",
    ),
]
Moment = Annotated[
    datetime | None,
    Field(description="The moment of 'now' (ISO 8601) that the request's words refer to."),
]
Conversation = Annotated[
    str,
    Field(max_length=200, description="Requests of the same name are read as follow-ups."),
]
User = Annotated[str, Field(max_length=200, description="On whose behalf this is asked.")]
RequestId = Annotated[
    str, Field(max_length=40, description="The request_id of a reply of exasage_query.")
]
Option = Annotated[
    str,
    Field(
        min_length=1,
        max_length=500,
        description="The id or label of one of the reply's options, or a time in words.",
    ),
]
TableName = Annotated[
    str,
    Field(max_length=200, description="The csv of one of the reply's tables; the only one if ''."),
]
Offset = Annotated[int, Field(ge=0, description="Where to begin, in bytes; 0, then next_offset.")]
Limit = Annotated[int, Field(ge=1000, le=1_000_000, description="The most bytes to give.")]


def retrieval_server(desk: RetrievalDesk, auth: AuthProvider | None = None) -> FastMCP[Any]:
    """A server whose three tools are what ``desk`` does."""
    server = new_server("odabot-retrieval", _INSTRUCTIONS, auth)

    @server.resource(SKILL, name="MetricsExpert", mime_type="text/markdown")
    def metrics_expert() -> str:
        """What can be measured: plugins, metrics, units, sampling, meaning."""
        return metrics_skill(MetricCatalog.load())

    @server.tool(output_schema=reply_schema(), annotations={"readOnlyHint": True})
    async def exasage_query(
        request: Words,
        ctx: Context,
        asked_at: Moment = None,
        conversation: Conversation = "",
        user: User = "",
    ) -> ToolResult:
        """Find data in the telemetry: the rows, what they rest on, or a question back."""
        asker = Asker(user, conversation, traceparent_of(ctx), allowance_of(ctx))
        return told(
            await unless_left(
                lambda left: desk.query(request, asked_at, replace(asker, has_left=left))
            )
        )

    @server.tool(output_schema=reply_schema(), annotations={"readOnlyHint": True})
    async def exasage_clarify(
        request_id: RequestId, choice: Option, ctx: Context, user: User = ""
    ) -> ToolResult:
        """Answer what exasage_query asked back; the request goes on where it stopped."""
        asker = Asker(user, "", traceparent_of(ctx), allowance_of(ctx))
        return told(
            await unless_left(
                lambda left: desk.clarify(request_id, choice, replace(asker, has_left=left))
            )
        )

    @server.tool(annotations={"readOnlyHint": True})
    def exasage_download_csv(
        request_id: RequestId,
        table: TableName = "",
        offset: Offset = 0,
        limit: Limit = _PART_BYTES,
    ) -> ToolResult:
        """All rows of a table as CSV, in parts: call again with next_offset until it is null."""
        return told(desk.download(request_id, table, offset, limit))

    return server
