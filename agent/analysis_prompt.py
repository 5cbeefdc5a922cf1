"""A task and its tables to a prompt; names and cells go in as JSON, so that they stay data."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from agent.analysis_task import AnalysisTask, InputColumn, InputTable
from agent.answer import Cell
from agent.language_model import Prompt
from agent.prompt_files import prompt

_USUAL = ("numpy", "pandas", "matplotlib", "scipy")
_TOKENS = 900
_NOTHING = "# there was no program"
_WIDEST = 60
_MOST_COLUMNS = 40
_LONGEST_PROBLEM = 1_200


def analysis_prompt(task: AnalysisTask, libraries: Sequence[str]) -> Prompt:
    """What the model is asked first."""
    # What is listed is used: a small model fits lines with scikit-learn, and encodes names for it.
    rest = [name for name in libraries if name not in _USUAL]
    wanted = [
        *(["the picture /out/plot.png"] if task.wants_picture else []),
        *(["the table /out/result.csv"] if task.wants_numbers else []),
    ]
    return prompt(
        "analyse",
        longest=_TOKENS,
        words=_quoted(task.words, 1_000),
        tables="\n".join(_table_text(table) for table in task.tables),
        libraries=", ".join(name for name in libraries if name in _USUAL),
        more=f"For what these cannot do: {', '.join(rest)}\n" if rest else "",
        wanted=" and ".join(wanted) or "/out/plot.png or /out/result.csv, whichever fits",
    )


def mending_prompt(asked: Prompt, code: str, problems: Sequence[str]) -> Prompt:
    """What the model is asked after ``code`` for ``asked`` was of no use.

    All in one request: a small model that is told of a failure in a turn of its own goes back to
    an example, and does the task of that.
    """
    told = "\n".join(problem[:_LONGEST_PROBLEM] for problem in problems)
    written = code.strip() or _NOTHING
    turn = prompt("mend", request=asked.request, code=written, problems=told)
    return replace(asked, request=turn.request)


def _table_text(table: InputTable) -> str:
    columns = "\n".join(_column_text(column) for column in table.columns[:_MOST_COLUMNS])
    rows = "\n".join(
        json.dumps([_cell(cell) for cell in row[:_MOST_COLUMNS]], ensure_ascii=False, default=str)
        for row in table.first_rows
    )
    name = _quoted(f"/in/{table.path.name}", 200)
    return f"{name}, {table.row_count} rows. Columns:\n{columns}\nFirst rows:\n{rows}"


def _column_text(column: InputColumn) -> str:
    told = [f"{_quoted(column.name)}: {column.kind}"]
    told += [f"in {_quoted(column.unit)}"] if column.unit else []
    told += [_quoted(column.meaning)] if column.meaning else []
    return " ".join(told)


def _quoted(text: str, most: int = _WIDEST) -> str:
    return json.dumps(text[:most], ensure_ascii=False)


def _cell(cell: Cell) -> Cell:
    if isinstance(cell, datetime):
        return cell.isoformat()
    return cell[:_WIDEST] if isinstance(cell, str) else cell
