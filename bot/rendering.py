"""Outcome of a turn to Reply: pure, so that what people read can be tested as text."""

from typing import assert_never

from agent import Answer, Answered, AnswerTable, Artifact, Choice, Declined, NeedsClarification
from bot.cell_text import cell_text, visible
from bot.evidence_text import facts_of
from bot.messages import Fact, Reply, ReplyFile, ReplyTable, Status, Thread
from bot.outcome import Failed


def render(answer: Answer | Failed, thread: Thread, zone: str, trace: Fact) -> Reply:
    """``answer`` as it is posted to ``thread``; times also in ``zone``, ``trace`` as last fact."""
    match answer:
        case Answered(text, tables, artifacts, evidence, cost):
            return Reply(
                thread,
                Status.COMPLETED,
                visible(text),
                tables=tuple(_table(table) for table in tables),
                files=tuple(_file(artifact) for artifact in artifacts),
                facts=(*facts_of(evidence, cost.total, zone), trace),
            )
        case NeedsClarification(text, choices, evidence, cost):
            return Reply(
                thread,
                Status.CLARIFICATION,
                visible(text),
                choices=tuple(Choice(c.id, visible(c.label)) for c in choices),
                facts=(*facts_of(evidence, cost.total, zone), trace),
            )
        case Declined(_, text, evidence, cost):
            facts = (*facts_of(evidence, cost.total, zone), trace)
            return Reply(thread, Status.REJECTED, visible(text), facts=facts)
        case Failed(text):
            return Reply(thread, Status.FAILED, text, facts=(trace,))
        case _:
            assert_never(answer)


def _table(table: AnswerTable) -> ReplyTable:
    columns = range(len(table.columns))
    return ReplyTable(
        visible(table.name),
        tuple(visible(column) for column in table.columns),
        tuple(tuple(cell_text(cell) for cell in row) for row in table.preview),
        tuple(_is_numeric(table, column) for column in columns),
        table.row_count,
        ReplyFile(table.csv.name, table.csv, "text/csv", visible(table.name)),
    )


def _is_numeric(table: AnswerTable, column: int) -> bool:
    cells = [row[column] for row in table.preview if row[column] is not None]
    numbers = [isinstance(c, int | float) and not isinstance(c, bool) for c in cells]
    return bool(cells) and all(numbers)


def _file(artifact: Artifact) -> ReplyFile:
    title = visible(artifact.title)
    return ReplyFile(artifact.path.name, artifact.path, artifact.media_type, title)
