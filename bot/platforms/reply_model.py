"""What is shown of a reply, and in which order: the same on every platform that posts messages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agent import Choice
from bot.messages import Act, FactKind, Reply, ReplyFile, ReplyTable, Status
from bot.platforms.reply_evidence import evidence_texts

STOP = "Stop"
CHOOSE = "Choose one"
PREVIEW_ROWS = 10
PREVIEW_COLUMNS = 20
_LABELS = {
    Act.QUERY: "Show query",
    Act.WORK: "Show work",
    Act.CSV: "CSV",
    Act.HELPFUL: "Helpful",
    Act.UNHELPFUL: "Not helpful",
}


@dataclass(frozen=True, slots=True)
class Button:
    """What may be pressed below a reply."""

    act: Act
    label: str


@dataclass(frozen=True, slots=True)
class ShownReply:
    """From top to bottom; the files stand below."""

    markdown: str
    tables: tuple[ReplyTable, ...]
    choices: tuple[Choice, ...]
    evidence: tuple[str, ...]
    """In plain words: a line of facts, and notes that the words do not say."""
    buttons: tuple[Button, ...]
    files: tuple[ReplyFile, ...]
    """Pictures first; of tables, the CSV of those that are not shown whole."""


def shown_reply(reply: Reply, turn: str, is_whole: Callable[[ReplyTable], bool]) -> ShownReply:
    """``reply`` as it is shown; with a turn's id, with buttons for it.

    ``is_whole``: whether a table's preview has all of it.
    """
    attached = [each.csv for each in reply.tables if each.row_count and not is_whole(each)]
    has_more = len(attached) < len(reply.tables)
    pictures = [file for file in reply.files if file.is_picture]
    others = [file for file in reply.files if not file.is_picture]
    return ShownReply(
        reply.markdown,
        reply.tables,
        reply.choices,
        evidence_texts(reply),
        tuple(_buttons(reply, has_more)) if turn else (),
        (*pictures, *attached, *others),
    )


def progress_text(note: str, seconds: float) -> str:
    """What is being done, and for how long already."""
    return f"{note} \N{HORIZONTAL ELLIPSIS}" + f" {seconds:.0f} s" * (seconds >= 1)


def rows_shown(table: ReplyTable, rows: int, columns: int, *, whole: bool) -> str:
    """How much of ``table`` a preview has; empty where that is all, every cell ``whole``."""
    if whole and columns == len(table.columns) and rows == table.row_count:
        return ""
    wide = "" if columns == len(table.columns) else f", {columns} of {len(table.columns)} columns"
    if rows == table.row_count:
        return f"all rows{wide}, shortened; all of it in the CSV"
    return f"first {rows:,} of {table.row_count:,} rows{wide}; all of them in the CSV"


def _buttons(reply: Reply, has_more: bool) -> Iterator[Button]:
    # What rests on nothing, such as words on how to ask, has nothing behind it to show or judge.
    if reply.status is Status.CLARIFICATION or not reply.facts:
        return
    if any(fact.kind is FactKind.SPARQL for fact in reply.facts):
        yield _button(Act.QUERY)
    yield _button(Act.WORK)
    if has_more:
        yield _button(Act.CSV)
    if reply.status is not Status.FAILED:
        yield _button(Act.HELPFUL)
        yield _button(Act.UNHELPFUL)


def _button(act: Act) -> Button:
    return Button(act, _LABELS[act])
