"""What is posted on the page as the values that are kept: a reply, a note, progress."""

from collections.abc import Iterator, Sequence

from agent import Choice
from bot.messages import Act, FactKind, Reply, ReplyFile, ReplyTable, Status
from bot.page_posts import Body, PostKind

Json = dict[str, object]


def question_body(text: str, turn: str, lane: str) -> Body:
    """What a person wrote, and the lane where it waits."""
    return {"kind": PostKind.QUESTION, "text": text, "turn": turn, "lane": lane}


def note_body(text: str, turn: str, reasons: Sequence[Choice] = ()) -> Body:
    """Something said in passing; with reasons, why the answer of ``turn`` did not help."""
    return {"kind": PostKind.NOTE, "text": text, "turn": turn, "reasons": _choices(reasons)}


def progress_body(note: str, seconds: float, turn: str) -> Body:
    """What is being done for a turn, and for how long already."""
    return {"kind": PostKind.PROGRESS, "turn": turn, "note": note, "seconds": round(seconds)}


def reply_body(reply: Reply, turn: str) -> Body:
    """``reply`` with its files by number: those of its tables first."""
    csvs = [table.csv for table in reply.tables]
    return {
        "kind": PostKind.REPLY,
        "turn": turn,
        "status": reply.status.value,
        "text": reply.markdown,
        "held": [_held(file) for file in (*csvs, *reply.files)],
        "tables": [_table(table, number) for number, table in enumerate(reply.tables)],
        "files": list(range(len(csvs), len(csvs) + len(reply.files))),
        "choices": _choices(reply.choices),
        "settled": "",
        "facts": [
            {"label": fact.label, "lines": list(fact.lines), "kind": fact.kind.value}
            for fact in reply.facts
        ],
        "acts": [act.value for act in _acts(reply)] if turn else [],
    }


def _acts(reply: Reply) -> Iterator[Act]:
    """What can be done with a reply, besides choosing; its tables have their links to a file."""
    # What rests on nothing, such as words on how to ask, has nothing behind it to show or judge.
    if reply.status is Status.CLARIFICATION or not reply.facts:
        return
    if any(fact.kind is FactKind.SPARQL for fact in reply.facts):
        yield Act.QUERY
    yield Act.WORK
    if reply.status is not Status.FAILED:
        yield Act.HELPFUL
        yield Act.UNHELPFUL


def _choices(choices: Sequence[Choice]) -> list[Json]:
    return [{"id": choice.id, "label": choice.label} for choice in choices]


def _held(file: ReplyFile) -> Json:
    return {
        "name": file.name,
        "path": str(file.path),
        "media_type": file.media_type,
        "title": file.title,
    }


def _table(table: ReplyTable, csv: int) -> Json:
    return {
        "name": table.name,
        "columns": list(table.columns),
        "rows": [list(row) for row in table.rows],
        "numeric": list(table.numeric),
        "row_count": table.row_count,
        "csv": csv,
    }
