"""A Reply on a terminal: words, tables, paths and evidence, nothing of it taken for mark-up."""

from rich import box
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from bot.messages import Fact, FactKind, Reply, ReplyTable, Status

_COLOURS = {Status.CLARIFICATION: "yellow", Status.REJECTED: "yellow", Status.FAILED: "red"}
_LABEL_WIDTH = 16


def print_reply(console: Console, reply: Reply, *, with_code: bool = False) -> None:
    """Print ``reply``; ``with_code`` also prints its queries and programs in full."""
    style = _COLOURS.get(reply.status, "")
    if console.is_terminal and not style:
        console.print(Markdown(reply.markdown, hyperlinks=False))
    else:
        console.print(Text(reply.markdown, style), soft_wrap=not console.is_terminal)
    for number, choice in enumerate(reply.choices, 1):
        console.print(Text(f"  {number}. {choice.label}"))
    for table in reply.tables:
        _print_table(console, table)
    for file in (*(t.csv for t in reply.tables), *reply.files):
        console.print(
            Text.assemble((_label(file.media_type), "dim"), str(file.path)), soft_wrap=True
        )
    for fact in reply.facts:
        _print_fact(console, fact, with_code)


def _print_table(console: Console, table: ReplyTable) -> None:
    if not table.rows:
        return
    grid = Table(box=box.SIMPLE_HEAD)
    for column, numeric in zip(table.columns, table.numeric, strict=True):
        grid.add_column(Text(column), justify="right" if numeric else "left", overflow="fold")
    for row in table.rows:
        grid.add_row(*(Text(cell) for cell in row))
    console.print()
    console.print(Text(table.name, "bold"), soft_wrap=True)
    console.print(grid)
    if len(table.rows) < table.row_count:
        shown = f"first {len(table.rows):,} of {table.row_count:,} rows; all of them in the CSV"
        console.print(Text(shown, "dim"), soft_wrap=True)


def _print_fact(console: Console, fact: Fact, with_code: bool) -> None:
    if fact.kind is FactKind.TEXT:
        for number, line in enumerate(fact.lines):
            label = _padded("" if number else fact.label)
            console.print(Text.assemble((label, "dim"), (line, "dim")), soft_wrap=True)
    elif with_code:
        for lines in fact.lines:
            console.print(Text(fact.label, "dim"))
            console.print(Text(lines), soft_wrap=True)


def _label(media_type: str) -> str:
    return _padded("Table" if media_type == "text/csv" else "File")


def _padded(label: str) -> str:
    return label.ljust(_LABEL_WIDTH)
