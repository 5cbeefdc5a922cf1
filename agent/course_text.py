"""Findings over the course of values in words: periods, how many, the longest, first and last."""

from collections.abc import Sequence

from agent.number_text import cell_text, number_text, with_unit
from agent.request_text import scope_text, subject_text
from agent.row_text import key_text
from retrieval.data_request import ReadingsRequest
from retrieval.measures import OF_BOOTS, Course
from retrieval.outcome import Cell, ResultTable, Retrieved

_TOLD = 12
_LEADS = {
    Course.LONGEST_PERIOD: ", the longest period",
    Course.FIRST_PERIOD: ", for the first time",
    Course.LAST_PERIOD: ", for the last time",
}


def course_sentences(retrieved: Retrieved, request: ReadingsRequest, when: str) -> list[str]:
    """What was found of the course of values, in one sentence."""
    first, *rest = retrieved.tables
    if request.course in OF_BOOTS:
        return [_boots(first, rest, request, when)]
    alone = len(request.owners[0].names) == 1 and request.ranking is None
    subject = f"{subject_text(request)} {when}".strip()
    if request.often is not None:
        subject += f", {request.often.words}"
    if request.course is Course.FIRST_AND_LAST:
        return [f"{subject}: {_ends(first, alone)}."]
    if request.course is Course.PERIOD_COUNT:
        return [f"{subject}: {_counts(first, rest[0], alone)}."]
    subject += _LEADS.get(request.course, "") if request.course is not None else ""
    if not first.row_count:
        longer = f" for longer than {with_unit(request.longer, 's')}" if request.longer else ""
        return [f"{subject}: never{longer}."]
    lead = ""
    if request.course is Course.PERIODS:
        lead = f"{number_text(first.row_count)} period{'s' if first.row_count > 1 else ''}"
        lead += f" of more than {with_unit(request.longer, 's')}" if request.longer else ""
        if rest:
            lead += f" of {number_text(rest[0].row_count)} {_things(rest[0])}"
        if first.row_count > 1 and len(first.rows) == first.row_count:
            lead += f", the longest {_length(max(_minutes(first, row) for row in first.rows))}"
        lead += ": "
    rows = "; ".join(_period(first, row, request.course, alone) for row in first.rows[:_TOLD])
    more = "" if first.row_count <= _TOLD else "; and further ones in the table"
    return [f"{subject}: {lead}{rows}{more}."]


def _boots(
    first: ResultTable, rest: Sequence[ResultTable], request: ReadingsRequest, when: str
) -> str:
    """How often things were rebooted and when, or when the last time was."""
    who = scope_text(request.owners[0])
    often = f", {request.often.words}" if request.often is not None else ""
    if not first.row_count:
        return f"Reboots{who} {when}{often}: none."
    booted = rest[0] if rest else first
    times = "; ".join(
        f"{key_text(booted, row)} at {cell_text(row[-1])}" for row in booted.rows[:_TOLD]
    )
    if not rest:
        return f"Last reboot{who} up to the end of the time looked at: {times}."
    counts = "; ".join(
        f"{key_text(first, row)} {_times(int(_number(row[-1])))}" for row in first.rows[:_TOLD]
    )
    more = "" if booted.row_count <= _TOLD else "; and further ones in the table"
    return f"Reboots{who} {when}{often}: {counts}; {times}{more}."


def _ends(table: ResultTable, alone: bool) -> str:
    """The first and the last sample of each thing."""
    told = []
    for row in table.rows[:_TOLD]:
        cells = dict(zip((c.variable for c in table.columns), row, strict=True))
        whole = alone and not any(c.variable == "index" for c in table.columns)
        who = "" if whole else f"{key_text(table, row)} "
        told.append(
            f"{who}for the first time at {cell_text(cells['since'])} and for the last time at"
            f" {cell_text(cells['till'])} ({_periods(int(_number(cells['periods'])))})"
        )
    more = "" if table.row_count <= _TOLD else "; and further ones in the table"
    return "; ".join(told) + more if told else "never"


def _periods(number: int) -> str:
    return "1 period" if number == 1 else f"{number_text(number)} periods"


def _things(table: ResultTable) -> str:
    at = [column.variable for column in table.columns].index("periods")
    noun = table.columns[at - 1].heading
    return noun if table.row_count == 1 else f"{noun}s"


def _counts(counts: ResultTable, periods: ResultTable, alone: bool) -> str:
    if not periods.row_count:
        return "never"
    total = periods.row_count
    at = [c.variable for c in counts.columns].index("periods")
    if counts.row_count == 1:
        (row,) = counts.rows
        total = int(_number(row[at]))
        who = "" if alone else f"{key_text(counts, row)} "
        return f"{who}{_times(total)}, the longest for {_length(_number(row[at + 1]))}"
    found = [row for row in counts.rows if _number(row[at])]
    named = "; ".join(f"{key_text(counts, row)}: {cell_text(row[at])}" for row in found[:_TOLD])
    more = "" if len(found) <= _TOLD else "; and further ones in the table"
    return f"{_times(total)} in all; {named}{more}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number_text(number)} times"


def _period(table: ResultTable, row: tuple[Cell, ...], course: Course | None, alone: bool) -> str:
    cells = dict(zip((c.variable for c in table.columns), row, strict=True))
    units = {c.variable: c for c in table.columns}
    whole = alone and not any(c.variable == "index" for c in table.columns)
    who = "" if whole else key_text(table, row)
    since, till = cell_text(cells["since"]), cell_text(cells["till"])
    peak = f"{units['peak'].heading} {cell_text(cells['peak'], units['peak'].unit)}"
    length = _length(_number(cells["minutes"]))
    if since == till:
        told = f"at {since} (one sample, {peak})"
    elif course is Course.FIRST_PERIOD:
        told = f"at {since} (until {till}, {length}, {peak})"
    elif course is Course.LAST_PERIOD:
        told = f"at {till} (since {since}, {length}, {peak})"
    else:
        told = f"from {since} to {till} ({length}, {peak})"
    return f"{who} {told}".strip()


def _minutes(table: ResultTable, row: tuple[Cell, ...]) -> float:
    return _number(row[[c.variable for c in table.columns].index("minutes")])


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else 0.0


def _length(minutes: float) -> str:
    return with_unit(minutes * 60, "s") if minutes < 1 else with_unit(minutes, "min")
