"""Has a query that adds up all it finds tell how much that was: SPARQL's mean of nothing is 0."""

import re

from ontology.conformance import CheckedQuery, check_query
from ontology.schema import Schema
from ontology.shape import Aggregate, Select, Var
from ontology.shape_walk import expressions_of, is_grouped, parts_of
from ontology.sparql import same_body
from retrieval.errors import WrittenQueryRejected

_SELECT = re.compile(r"\bSELECT\b", re.IGNORECASE)


def takes_all_together(select: Select) -> bool:
    """Whether ``select`` gives one row of aggregates, even where nothing matches."""
    return is_grouped(select) and not select.group_by


def counting(query: CheckedQuery, schema: Schema) -> tuple[CheckedQuery, str]:
    """``query`` with a first column that counts what it found, and the name of that column.

    As it is, with no name, where it gives no row for nothing.
    """
    variable = _measured(query.shape.select)
    if not takes_all_together(query.shape.select) or not variable:
        return query, ""
    name = "found"
    while f"?{name}" in query.text:
        name += "_"
    column = f"SELECT (COUNT(?{variable}) AS ?{name})"
    text = _SELECT.sub(column, query.text, count=1)
    counted = check_query(text, schema)
    if not isinstance(counted, CheckedQuery) or not same_body(text, query.text):
        raise WrittenQueryRejected("what the query finds cannot be counted")
    return counted, name


def _measured(select: Select) -> str:
    """A variable that is aggregated over."""
    for expression in expressions_of(select):
        for part in parts_of(expression):
            if isinstance(part, Aggregate) and part.argument is not None:
                for inner in parts_of(part.argument):
                    if isinstance(inner, Var):
                        return inner.name
    return ""
