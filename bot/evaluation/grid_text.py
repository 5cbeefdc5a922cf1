"""A Grid as plain text, or as Markdown."""

from collections.abc import Sequence

from bot.evaluation.tables import Grid


def plain(grid: Grid) -> str:
    """``grid`` in columns, as wide as they need to be; notes and title on lines of their own."""
    lines = [grid.heads, *grid.rows]
    widths = [max(len(line[n]) for line in lines) for n in range(len(grid.heads))]
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    head, *rows = (_aligned(line, widths) for line in lines)
    return "\n".join((grid.title, "", head, rule, *rows, "", *grid.notes)).rstrip() + "\n"


def markdown(grid: Grid) -> str:
    """``grid`` as a table of GitHub's Markdown, with its title above and its notes below."""
    marks = ("---", *("---:" for _ in grid.heads[1:]))
    table = (_row(grid.heads), f"|{'|'.join(marks)}|", *(_row(row) for row in grid.rows))
    notes = (line for note in grid.notes for line in ("", _cell(note)))
    return "\n".join((f"**{_cell(grid.title)}**", "", *table, *notes)) + "\n"


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    return "  ".join((first[0].ljust(first[1]), *(c.rjust(width) for c, width in others))).rstrip()


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    # A model may be named in any way.
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
