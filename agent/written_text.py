"""What a query of the language model found, in words, and how far it may be relied on."""

from agent.number_text import cell_text, number_text
from agent.row_text import keys_of, rows_text, values_of, values_text
from retrieval.outcome import ResultTable, Retrieved
from retrieval.written_request import WrittenRequest

_TOLD = 12
"""Rows of a longer table are not told one by one."""


def written_sentences(retrieved: Retrieved, request: WrittenRequest, when: str) -> list[str]:
    """The rows of a short table, the number of them in a long one, and who wrote the query."""
    table = retrieved.tables[0]
    return [_found(table, when), _written_by(request)]


def _found(table: ResultTable, when: str) -> str:
    time = f" {when}" if when else ""
    if not table.row_count:
        return f"There are no rows of {table.name}{time}."
    if table.row_count > _TOLD or not values_of(table):
        rows = "row" if table.row_count == 1 else "rows"
        ends = rows_text(table)
        named = ends and values_of(table) and keys_of(table)
        told = f" {ends[:1].upper()}{ends[1:]}." if named else ""
        return f"{number_text(table.row_count)} {rows} of {table.name}{time}, in the table.{told}"
    if keys_of(table):
        return f"{table.name}{time}: {rows_text(table)}."
    return f"{table.name}{time}: {values_text(table, table.rows[0])}."


def _written_by(request: WrittenRequest) -> str:
    sure = cell_text(request.confidence)
    return (
        "The query was written by the language model; it passed the ontology check and a review"
        f" with confidence {sure}."
    )
