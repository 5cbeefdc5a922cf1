"""An answer as the JSON object that a retrieval tool replies with, and back."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import assert_never

from pydantic import TypeAdapter, ValidationError

from agent.answer import (
    Answer,
    Answered,
    AnswerTable,
    Cell,
    Choice,
    Cost,
    Declined,
    DeclineReason,
    Evidence,
    NeedsClarification,
)
from agent.errors import ToolsUnavailable

Json = dict[str, object]


class ReplyStatus(StrEnum):
    """How a call of a retrieval tool ended."""

    COMPLETED = "completed"
    CLARIFICATION = "clarification"
    REJECTED = "rejected"
    FAILED = "failed"
    """The call was wrong, or something broke: ``text`` says what to do."""


@dataclass(frozen=True, slots=True)
class ReplyTable:
    """The first rows of a table, and the name under which all of them can be had."""

    name: str
    columns: tuple[str, ...]
    times: tuple[str, ...]
    """The columns whose cells are times: ISO 8601 in UTC."""
    row_count: int
    rows: tuple[tuple[str | int | float | bool | None, ...], ...]
    csv: str
    """The table's name for exasage_download_csv."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a retrieval tool replies; the same keys whatever came of the request."""

    request_id: str
    status: ReplyStatus
    text: str
    reason: DeclineReason | None = None
    """Why there is no finding, where the request was rejected."""
    tables: tuple[ReplyTable, ...] = ()
    options: tuple[Choice, ...] = ()
    """What would settle a question back."""
    evidence: Evidence = field(default_factory=Evidence)
    cost: Cost = field(default_factory=Cost)


_REPLIES = TypeAdapter(Reply)
_COSTS = TypeAdapter(Cost)


def reply_schema() -> Json:
    """The JSON schema of a reply."""
    return _REPLIES.json_schema(mode="serialization")


def encode(answer: Answer, request_id: str) -> Json:
    """``answer`` as a reply; pictures have no place in it."""
    match answer:
        case Answered():
            tables = tuple(_reply_table(table) for table in answer.tables)
            reply = Reply(request_id, ReplyStatus.COMPLETED, answer.text, tables=tables)
        case NeedsClarification():
            status = ReplyStatus.CLARIFICATION
            reply = Reply(request_id, status, answer.text, options=answer.choices)
        case Declined():
            reply = Reply(request_id, ReplyStatus.REJECTED, answer.text, answer.reason)
        case _:
            assert_never(answer)
    return _json(replace(reply, evidence=answer.evidence, cost=answer.cost))


def encode_failure(text: str, request_id: str = "", cost: Cost | None = None) -> Json:
    """A reply to a call that gave no answer, at ``cost``; ``text`` says what to do."""
    return _json(Reply(request_id, ReplyStatus.FAILED, text, cost=cost or Cost()))


def cost_of(reply: Mapping[str, object]) -> Cost:
    """What a tool's reply says that the call cost; nothing where it does not say."""
    try:
        return _COSTS.validate_python(reply.get("cost"))
    except ValidationError:
        return Cost()


def decode(reply: Mapping[str, object], csv_of: Callable[[str], Path]) -> Answer:
    """The answer that ``reply`` carries; ``csv_of`` gives a file with all rows of a table.

    Raises ToolsUnavailable for what is no answer: a failure, or no reply of this form.
    """
    try:
        read = _REPLIES.validate_python(dict(reply))
    except ValidationError as error:
        raise ToolsUnavailable(f"a reply of the retrieval tools cannot be read: {error}") from error
    match read.status:
        case ReplyStatus.COMPLETED:
            tables = tuple(_answer_table(table, csv_of(table.csv)) for table in read.tables)
            return Answered(read.text, tables, (), read.evidence, read.cost)
        case ReplyStatus.CLARIFICATION:
            return NeedsClarification(read.text, read.options, read.evidence, read.cost)
        case ReplyStatus.REJECTED:
            reason = read.reason or DeclineReason.NOT_UNDERSTOOD
            return Declined(reason, read.text, read.evidence, read.cost)
        case ReplyStatus.FAILED:
            raise ToolsUnavailable(f"the retrieval tools failed: {read.text}")
        case _:
            assert_never(read.status)


def _json(reply: Reply) -> Json:
    whole: Json = _REPLIES.dump_python(reply, mode="json")
    return whole


def _reply_table(table: AnswerTable) -> ReplyTable:
    times = tuple(
        heading
        for number, heading in enumerate(table.columns)
        if any(isinstance(row[number], datetime) for row in table.preview)
    )
    rows = tuple(tuple(_plain(cell) for cell in row) for row in table.preview)
    return ReplyTable(table.name, table.columns, times, table.row_count, rows, table.csv.name)


def _plain(cell: Cell) -> str | int | float | bool | None:
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).isoformat().replace("+00:00", "Z")
    # JSON has no such numbers; a reader must not take them for missing ones.
    return str(cell) if isinstance(cell, float) and not math.isfinite(cell) else cell


def _answer_table(table: ReplyTable, csv: Path) -> AnswerTable:
    is_time = [column in table.times for column in table.columns]
    rows = tuple(
        tuple(
            datetime.fromisoformat(cell) if time and isinstance(cell, str) else cell
            for time, cell in zip(is_time, row, strict=True)
        )
        for row in table.rows
    )
    return AnswerTable(table.name, table.columns, table.row_count, csv, rows)
