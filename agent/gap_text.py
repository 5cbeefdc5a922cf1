"""Missing samples in words: gaps, who has them, and when something last reported."""

from agent.number_text import cell_text, number_text, with_unit
from agent.request_text import subject_text
from agent.row_text import key_text, listed_names
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Course
from retrieval.outcome import Cell, ResultTable, Retrieved

_TOLD = 12


def gap_sentences(retrieved: Retrieved, request: ReadingsRequest, when: str) -> list[str]:
    """What was found of missing samples, in one sentence."""
    first, *rest = retrieved.tables
    subject = f"{subject_text(request)} {when}".strip()
    alone = len(request.owners[0].names) == 1
    if request.course is Course.LAST_SAMPLE:
        return [f"{subject}: {_last(first, request, alone)}."]
    longer = f" longer than {with_unit(request.longer, 's')}"
    if not first.row_count:
        return [f"{subject}: no gap{longer}."]
    rows = "; ".join(_gap(first, row, alone) for row in first.rows[:_TOLD])
    more = "" if first.row_count <= _TOLD else "; and further ones in the table"
    if request.course is Course.LONGEST_GAP:
        return [f"{subject}, the longest gap: {rows}{more}."]
    lead = f"{number_text(first.row_count)} gap{'s' if first.row_count > 1 else ''}{longer}"
    if rest:
        noun = rest[0].columns[0].heading
        plural = "" if rest[0].row_count == 1 else "s"
        lead += f" of {number_text(rest[0].row_count)} {noun}{plural}"
        lead += f" ({listed_names(rest[0], 0)})"
    return [f"{subject}: {lead}: {rows}{more}."]


def _gap(table: ResultTable, row: tuple[Cell, ...], alone: bool) -> str:
    cells = dict(zip((c.variable for c in table.columns), row, strict=True))
    who = "" if alone else key_text(table, row)
    since, till = cell_text(cells["since"]), cell_text(cells["till"])
    minutes = cells["minutes"]
    length = with_unit(float(minutes), "min") if isinstance(minutes, int | float) else ""
    place = cells["place"]
    where = "" if place == "between" else f", {place}"
    return f"{who} from {since} to {till} ({length}{where})".strip()


def _last(table: ResultTable, request: ReadingsRequest, alone: bool) -> str:
    names = [c.variable for c in table.columns]
    told = []
    for row in table.rows[:_TOLD]:
        cells = dict(zip(names, row, strict=True))
        age, who = cells.get("age"), "" if alone else f"{key_text(table, row)}: "
        if cells["ends"] is None:
            told.append(f"{who}no sample")
            continue
        value = cell_text(cells["latest"], request.quantities[0].unit)
        text = f"{who}last sample at {cell_text(cells['ends'])} ({value})"
        if isinstance(age, int | float):
            text += f", {with_unit(age, 's')} before the end"
            text += ", silent since then" if age > request.longer else ""
        told.append(text)
    more = "" if table.row_count <= _TOLD else "; and further ones in the table"
    return "; ".join(told) + more
