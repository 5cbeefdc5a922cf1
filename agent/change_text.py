"""How values changed, in words."""

from agent.number_text import cell_text, number_text, with_unit
from agent.request_text import subject_text
from agent.row_text import key_text, keys_of
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Course
from retrieval.outcome import Cell, ResultTable, Retrieved

_TOLD = 12


def change_sentences(retrieved: Retrieved, request: ReadingsRequest, when: str) -> list[str]:
    """What was found of one course of change, in one sentence."""
    table = retrieved.tables[0]
    subject = f"{subject_text(request)} {when}".strip()
    if not table.row_count:
        return [f"{subject}: no change, all samples are the same."]
    alone = len(request.owners[0].names) == 1 and len(request.quantities[0].metrics) == 1
    rows = [_row(table, row, request, alone) for row in table.rows[:_TOLD]]
    more = "" if table.row_count <= _TOLD else "; and further ones in the table"
    return [f"{subject}: {'; '.join(rows)}{more}."]


def _row(table: ResultTable, row: tuple[Cell, ...], request: ReadingsRequest, alone: bool) -> str:
    unit = request.quantities[0].unit
    cells = dict(zip((c.variable for c in table.columns), row, strict=True))
    who = "" if alone or not keys_of(table) else f"{key_text(table, row)} "
    if request.course is Course.CHANGE_POINT:
        before, after = cell_text(cells["before"], unit), cell_text(cells["after"], unit)
        moved = signed(cells["difference"], unit)
        when = cell_text(cells["change"])
        return f"{who}changed most at {when}, by {moved}: mean {before} before, {after} after"
    if request.course is Course.SLOPE:
        return f"{who}rate of change {signed(cells['slope'], table.columns[-1].unit)}"
    told = []
    for name in ("rise", "fall"):
        step = cells.get(name)
        if name not in cells:
            continue
        goes = isinstance(step, int | float) and (step > 0 if name == "rise" else step < 0)
        told.append(
            f"largest {name} {signed(step, unit)} at {cell_text(cells[name + '_time'])}"
            if goes
            else f"no {name}"
        )
    return who + ", ".join(told)


def between_times_text(table: ResultTable) -> str:
    """What changed from the first time to the second, in a sentence."""
    unit = table.columns[-1].unit
    told = []
    for row in table.rows[:_TOLD]:
        first, second, change = row[-3:]
        who = f"{key_text(table, row)}: " if keys_of(table) else ""
        both = f"from {cell_text(first, unit)} to {cell_text(second, unit)}"
        told.append(f"{who}{signed(change, unit)} ({both})")
    more = "" if table.row_count <= _TOLD else "; and further ones in the table"
    return f"The change, second minus first: {'; '.join(told)}{more}."


def signed(cell: Cell, unit: str) -> str:
    """``cell`` with its sign and unit."""
    if not isinstance(cell, int | float):
        return "no value"
    if unit == "s":
        return with_unit(cell, unit)
    return f"{'+' if cell > 0 else ''}{number_text(cell)} {unit}".rstrip()
