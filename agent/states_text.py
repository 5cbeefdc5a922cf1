"""Periods of a state in words: how long nodes were drained, down or not OK, and since when."""

from agent.checks_text import nobody_text, state_text
from agent.number_text import cell_text, number_text, with_unit
from agent.row_text import key_text
from retrieval.compile_site import STATE_NAMES
from retrieval.measures import Course
from retrieval.outcome import Cell, ResultTable, Retrieved
from retrieval.site_request import ChecksRequest
from retrieval.state_tables import tells_totals

_TOLD = 12
_LEADS = {
    Course.LONGEST_PERIOD: "the longest period",
    Course.FIRST_PERIOD: "the first period",
    Course.LAST_PERIOD: "the last period",
}


def states_sentences(retrieved: Retrieved, request: ChecksRequest, when: str) -> list[str]:
    """What was found of the periods of a state, in a sentence or two."""
    counts = retrieved.tables[0] if request.course is Course.PERIOD_COUNT else None
    table, *rest = retrieved.tables[1:] if counts is not None else retrieved.tables
    what = state_text(request, several=False) + _limits(request)
    if not table.row_count:
        still = "at the end of the time looked at" if request.ongoing else when
        return [f"{nobody_text(request, what)} {still}."]
    rows = "; ".join(_period(table, row, request) for row in table.rows[:_TOLD])
    more = "" if table.row_count <= _TOLD else "; and further ones in the table"
    if request.ongoing:
        sentences = [f"{_capital(rows)} ({what}){more}."]
    else:
        count = f"{number_text(table.row_count)} period{'s' if table.row_count > 1 else ''}"
        count = _LEADS.get(request.course, count)
        totals = _totals(counts, rest, request)
        ping = request.checks == ("alive::ping",) and not request.drained
        lead = (
            f"Not answering to ping{_limits(request)}"
            if ping
            else _capital(what.removeprefix("was "))
        )
        sentences = [f"{lead} {when}: {totals}{count}: {rows}{more}."]
    if request.causes:
        sentences.append(_causes(rest[-1]))
    return sentences


def _totals(counts: ResultTable | None, rest: list[ResultTable], request: ChecksRequest) -> str:
    """How often, or how long in all, each thing was so; empty where neither is told."""
    if counts is not None:
        told = [f"{key_text(counts, row)} {_times(int(str(row[-1])))}" for row in counts.rows]
    elif tells_totals(request):
        told = [_total(rest[0], row) for row in rest[0].rows]
    else:
        return ""
    return "; ".join(told[:_TOLD]) + "; "


def _limits(request: ChecksRequest) -> str:
    """How long, and how often, the state must have been there."""
    often = f", {request.often.words}," if request.often is not None else ""
    longer = f" for more than {with_unit(request.longer / 60, 'min')}" if request.longer else ""
    return f"{longer}{often}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number_text(number)} times"


def _period(table: ResultTable, row: tuple[Cell, ...], request: ChecksRequest) -> str:
    cells = dict(zip((c.variable for c in table.columns), row, strict=True))
    since, till = cell_text(cells["since"]), cell_text(cells["till"])
    who = key_text(table, row)
    if request.ongoing:
        return f"{who} since {since}, last so at {till}"
    if since == till:
        return f"{who} at {since}"
    measured = request.course is Course.LONGEST_PERIOD or request.longer
    length = f" ({with_unit(float(str(cells['minutes'])), 'min')})" if measured else ""
    return f"{who} from {since} to {till}{length}"


def _total(table: ResultTable, row: tuple[Cell, ...]) -> str:
    held = row[-1]
    if not isinstance(held, int | float):
        return f"{key_text(table, row)} for one result"
    hours = f" ({number_text(held / 60)} h)" if held >= 120 else ""
    return f"{key_text(table, row)} for {with_unit(held, 'min')}{hours}"


def _causes(table: ResultTable) -> str:
    if not table.row_count:
        return "No check was other than OK meanwhile."
    told = "; ".join(
        f"node {row[0]} {row[1]} {STATE_NAMES.get(int(float(str(row[2]))), row[2])}"
        for row in table.rows[:_TOLD]
    )
    return f"Not OK meanwhile: {told}."


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
