"""A reply of the retrieval tools back to the answer it carries, its tables fetched whole."""

import re
from collections.abc import Mapping
from pathlib import Path

from agent.answer import Answer
from agent.answer_codec import decode
from agent.code_agent import free_name
from agent.errors import ToolsUnavailable
from agent.tools import ToolSet

_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,100}\.csv")


def answer_of(reply: Mapping[str, object], tools: ToolSet, folder: Path) -> Answer:
    """The answer in ``reply``, its tables as files in ``folder``.

    Raises ToolsUnavailable for what is no answer, and where a table does not come whole.
    """
    request_id = str(reply.get("request_id", ""))
    return decode(reply, lambda table: _downloaded(tools, request_id, table, folder))


def _downloaded(tools: ToolSet, request_id: str, table: str, folder: Path) -> Path:
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
