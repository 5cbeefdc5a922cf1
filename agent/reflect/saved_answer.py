"""An answer as plain JSON and back, for a request that has come to its end."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, assert_never

from pydantic import TypeAdapter

from agent.answer import Answer, Answered, AnswerTable, Cell, Declined, NeedsClarification

_ANSWERED = TypeAdapter(Answered)
_ASKED_BACK = TypeAdapter(NeedsClarification)
_DECLINED = TypeAdapter(Declined)
_TIME = "time"
"""Marks a cell that is a moment: as plain text it could not be told from a name."""


def as_json(answer: Answer) -> dict[str, object]:
    """``answer`` in plain JSON; what it cost is left to who asked."""
    match answer:
        case Answered():
            data = _ANSWERED.dump_python(answer, mode="json")
            for table, written in zip(answer.tables, data["tables"], strict=True):
                written["preview"] = [[_written(cell) for cell in row] for row in table.preview]
            return {"answered": data}
        case NeedsClarification():
            return {"asked back": _ASKED_BACK.dump_python(answer, mode="json")}
        case Declined():
            return {"declined": _DECLINED.dump_python(answer, mode="json")}
        case _:
            assert_never(answer)


def from_json(data: Mapping[str, Any]) -> Answer:
    """The answer that :func:`as_json` wrote; raises pydantic's ValidationError for another form."""
    if "asked back" in data:
        return _ASKED_BACK.validate_python(data["asked back"])
    if "declined" in data:
        return _DECLINED.validate_python(data["declined"])
    written = data["answered"]
    tables = [{**table, "preview": ()} for table in written["tables"]]
    answer = _ANSWERED.validate_python({**written, "tables": tables})
    rows = (table["preview"] for table in written["tables"])
    return replace(
        answer,
        tables=tuple(map(_with_preview, answer.tables, rows)),
    )


def _with_preview(table: AnswerTable, rows: list[list[Any]]) -> AnswerTable:
    return replace(table, preview=tuple(tuple(_read(cell) for cell in row) for row in rows))


def _written(cell: Cell) -> object:
    return {_TIME: cell.isoformat()} if isinstance(cell, datetime) else cell


def _read(cell: Any) -> Cell:
    return datetime.fromisoformat(cell[_TIME]) if isinstance(cell, dict) else cell
