"""RetrievalTools behind a ToolSet: calls by name, replies back to answers with their files."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agent.answer import Answer
from agent.answer_codec import decode
from agent.code_agent import free_name
from agent.errors import ToolsUnavailable
from agent.run_context import RunContext
from agent.tools import ToolSet
from agent.tracing import Kind

_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,100}\.csv")


@dataclass(frozen=True, slots=True)
class RemoteRetrieval:
    """What the tools spend is charged to the question; their tables come into its folder."""

    tools: ToolSet

    def query(self, request: str, context: RunContext) -> Answer:
        """The tables that answer ``request``, a question back, or why there are none.

        Raises ToolsUnavailable.
        """
        question = context.question
        given = {
            "request": request,
            "asked_at": question.asked_at.isoformat(),
            "conversation": question.conversation,
            "user": question.user,
        }
        return self._called("exasage_query", given, context)

    def clarify(self, request_id: str, choice: str, context: RunContext) -> Answer:
        """Go on with a request that waits; raises ToolsUnavailable."""
        given = {"request_id": request_id, "choice": choice, "user": context.question.user}
        return self._called("exasage_clarify", given, context)

    def _called(self, tool: str, given: Mapping[str, object], context: RunContext) -> Answer:
        with context.tracer.span(Kind.TOOL, tool, given) as span:
            result = self.tools.call(tool, given, span.id)
            if result.problem:
                raise ToolsUnavailable(f"{tool}: {result.problem}")
            request_id = str(result.content.get("request_id", ""))
            answer = decode(
                result.content,
                lambda table: downloaded(self.tools, request_id, table, context.folder),
            )
            context.budget.charge_all(answer.cost)
            span.tell(result.content)
        return answer


def downloaded(tools: ToolSet, request_id: str, table: str, folder: Path) -> Path:
    """All rows of a table of a reply, as a file below ``folder``; raises ToolsUnavailable.

    Its name has nothing of the request's: a prompt that lists it is the same for the same question.
    """
    if not _FILE_NAME.fullmatch(table):
        raise ToolsUnavailable(f"a reply names a table {table!r}, which is no name of a file")
    path = free_name(folder, table)
    offset: object = 0
    with path.open("wb") as file:
        while offset is not None:
            given = {"request_id": request_id, "table": table, "offset": offset}
            part = tools.call("exasage_download_csv", given)
            text, following = part.content.get("csv"), part.content.get("next_offset")
            if part.problem or not isinstance(text, str) or following == offset:
                raise ToolsUnavailable(f"the table {table} does not come whole: {part.problem}")
            file.write(text.encode())
            offset = following
    return path
