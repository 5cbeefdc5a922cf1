"""Requests for the course of values to SPARQL: one row a sensor, its periods as text."""

from retrieval.boot_rules import boots_query
from retrieval.compile_change import change_query
from retrieval.compile_neighbours import neighbours_query
from retrieval.compile_readings import Pattern
from retrieval.compile_shapes import silent_owners
from retrieval.compile_sums import TOLD_MOMENTS, summed
from retrieval.data_request import ReadingsRequest
from retrieval.measures import OF_BOOTS, OF_CHANGE, OF_MISSING, Course, Owners, Selected
from retrieval.query_text import HEADER, Column, Compiled, Role, holds, number, select
from retrieval.scope import GraphScope

BEGINS = Column("begins", "first sample", Role.TIME)
ENDS = Column("ends", "last sample", Role.TIME)
SILENT = "without samples"
"""Name of the query for those that have no sample at all."""
SPANS = Column("spans", "periods", Role.VALUE)


def course_queries(
    request: ReadingsRequest,
    part: Pattern,
    quantity: Selected,
    owners: Owners,
    scope: GraphScope,
) -> list[Compiled]:
    """The queries that give the course of ``quantity``; a second one for those without samples."""
    if request.course is Course.NEIGHBOURS:
        query, columns = neighbours_query(request, quantity, owners.names[0])
    elif request.course in OF_BOOTS and request.condition is not None:
        query, columns = boots_query(part, request.condition)
    elif request.course is not None and request.course in OF_CHANGE:
        query, columns = change_query(request.course, part, quantity)
    elif request.course is Course.LAST_SAMPLE:
        query, columns = _last(part, quantity)
    elif request.course in OF_MISSING:
        query, columns = _gaps(request, part)
    else:
        query, columns = _periods(request, part)
    compiled = [Compiled(quantity.label, f"{HEADER}\n{query}", scope, columns)]
    if request.course in OF_MISSING and request.windows and len(quantity.metrics) == 1:
        silent, keys = silent_owners(quantity, owners, request.windows[0])
        if keys:
            compiled.append(Compiled(SILENT, silent, scope, keys))
    return compiled


def _gaps(request: ReadingsRequest, part: Pattern) -> tuple[str, tuple[Column, ...]]:
    names = [f"?{key.variable}" for key in part.keys]
    gaps = f"(odaf:gaps(odaf:at({number(request.longer)}, ?t)) AS ?spans)"
    terms = [gaps, "(MIN(?t) AS ?begins)", "(MAX(?t) AS ?ends)"]
    query = select([*names, *terms], part.lines, [*names, "?s"])
    return query, (*part.keys, SPANS, BEGINS, ENDS)


def _last(part: Pattern, quantity: Selected) -> tuple[str, tuple[Column, ...]]:
    names = [f"?{key.variable}" for key in part.keys]
    terms = ["(MAX(?t) AS ?ends)", "(odaf:latest(odaf:at(?v, ?t)) AS ?latest)"]
    query = select([*names, *terms], part.lines, [*names, "?s"], ["ORDER BY ?ends"])
    latest = Column("latest", "value then", Role.VALUE, quantity.unit)
    return query, (*part.keys, ENDS, latest)


def _periods(request: ReadingsRequest, part: Pattern) -> tuple[str, tuple[Column, ...]]:
    assert request.condition is not None
    part = summed(request, part) if request.combined else part
    names = [f"?{key.variable}" for key in part.keys]
    marked = f"odaf:marked({holds('?v', request.condition)}, ?v, ?t)"
    terms = [f"(odaf:runs({marked}) AS ?spans)", "(MIN(?t) AS ?begins)", "(MAX(?t) AS ?ends)"]
    terms += [TOLD_MOMENTS] if request.combined else []
    query = select([*names, *terms], part.lines, names if request.combined else [*names, "?s"])
    return query, (*part.keys, SPANS, BEGINS, ENDS)
