"""What is said of the rows of a query that the model wrote."""

from collections.abc import Sequence

from agent.reflect.query_prompts import request_of
from agent.written_text import written_sentences
from retrieval.outcome import Cell
from retrieval.query_text import Column
from tests.unit.agent.reflect.test_model_queries import ASKED
from tests.unit.agent.results import NODE, a_table, retrieved, value

NAMED = [(str(n), 400.0 + n) for n in range(20)]


def told(*columns: Column, rows: Sequence[tuple[Cell, ...]]) -> str:
    request = request_of(ASKED)
    found = retrieved(request, a_table(columns, *rows))
    return written_sentences(found, request, "")[0]


def test_the_ends_of_a_long_table_are_named() -> None:
    assert "Highest v: node 19 with 419 W" in told(NODE, value("v"), rows=NAMED)


def test_no_ends_are_told_of_values_that_nothing_names() -> None:
    assert told(value("v"), rows=[(w,) for _, w in NAMED]).endswith("in the table.")
