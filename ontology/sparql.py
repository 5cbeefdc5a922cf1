"""Query text as rdflib's algebra, and the proof that two queries share their body."""

from dataclasses import replace
from typing import Any

from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.sparql import Query

from ontology.errors import NotAQuery
from ontology.query_text import read_text
from ontology.query_tree import copied, parsed
from ontology.shape import QueryShape
from ontology.shape_builder import shape_of


def algebra(text: str) -> Query:
    """The SPARQL algebra of a query that passed the gate.

    Our aggregates come out like SPARQL's own: ``AggregateJoin.A`` holds
    ``CompValue("Aggregate_Custom", iri=, vars=, distinct=, res=)``.
    Raises ``NotAQuery`` where ``text`` is not a query.
    """
    tree: Any = [[], copied(parsed(read_text(text).text))]
    return translateQuery(tree)


def same_body(one: str, other: str) -> bool:
    """True if the queries differ in nothing but SELECT and GROUP BY.

    Prefixes, spacing, comments and labels of blank nodes do not count; the order of patterns
    does. False where either text is not a SELECT query.
    """
    try:
        bodies = [_without_columns(shape_of(parsed(read_text(text).text))) for text in (one, other)]
    except NotAQuery:
        return False
    return bodies[0].kind == "select" and bodies[0] == bodies[1]


def _without_columns(query: QueryShape) -> QueryShape:
    bare = replace(query.select, projection=(), is_star=False, modifier="", group_by=())
    return replace(query, select=bare)
