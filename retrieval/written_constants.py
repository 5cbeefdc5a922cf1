"""Holds the texts and numbers of a query, and its LIMIT, to the words of what was asked."""

import re
from collections.abc import Iterator

from ontology import shape
from ontology.conformance import CheckedQuery
from ontology.functions import BUCKETS
from ontology.shape_walk import all_groups, all_selects, expressions_of, functions_in, parts_of
from ontology.violations import Rule, Violation
from ontology.vocabulary import JOB, XSD
from retrieval.mapping import JOB_ONLY
from retrieval.query_bodies import bodies_of, shown
from retrieval.request import Metric
from retrieval.written_bounds import NUMBERS, limits_in
from retrieval.written_columns import Meanings
from retrieval.written_measures import bounds_in, meaning_of
from retrieval.written_names import names_of
from retrieval.written_request import WrittenRequest
from retrieval.written_rows import takes_all_together

_CALENDAR = frozenset({"YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS", "TZ", "TIMEZONE"})
_WORDS = dict(
    zip("one two three four five six seven eight nine ten".split(), range(1, 11), strict=True)
)


def strange_forms(query: CheckedQuery, request: WrittenRequest) -> Iterator[Violation]:
    """What a query may not do here although it conforms, and what its check warned of."""
    if query.kind != "select" or query.shape.select.is_star:
        message = "write a SELECT that names its columns"
        yield Violation(Rule.NOT_ASKED, query.kind.upper(), message)
    used = functions_in(query.shape)
    for name in sorted(used & _CALENDAR):
        message = "a time zone belongs to hours and days"
        hint = f'odaf:floorTime(?t, "PT1H", "{request.zone}")'
        yield Violation(Rule.NOT_ASKED, name, message, (hint,))
    if "SAMPLE" in used:
        message = "any value will not do"
        yield Violation(Rule.NOT_ASKED, "SAMPLE", message, ("AVG", "MIN", "MAX"))
    if (JOB in query.classes or query.properties & JOB_ONLY) and not request.jobs:
        yield Violation(Rule.NOT_ASKED, "oda:Job", "nobody asked about jobs")
    if not request.quantities and any(body.readings for body in bodies_of(query.shape.select)):
        yield Violation(Rule.NOT_ASKED, "oda:hasReading", "nobody asked about a metric")
    for select in all_selects(query.shape.select):
        if select is not query.shape.select and takes_all_together(select):
            message = "a SELECT within another has a row even where nothing matches: group it"
            yield Violation(Rule.NOT_ASKED, "SELECT", message, ("GROUP BY",))
        known = Meanings(select, request.metrics)
        for column in select.projection:
            if known.projected(column) is None:
                message = "what it computes is none of the measures that are known"
                yield Violation(Rule.NOT_ASKED, f"?{column.variable.name}", message)
    yield from query.warnings


def strange_constants(query: CheckedQuery, request: WrittenRequest) -> Iterator[Violation]:
    """Texts, numbers and limits that stand neither in the request nor in what it was read as."""
    numbers, texts = _numbers_in(request), _texts_in(request)
    for literal in _literals(query.shape, request.metrics):
        if literal.datatype in NUMBERS and float(literal.lexical) not in numbers:
            message = f"the number {literal.lexical} is not in the request"
            yield Violation(Rule.NOT_ASKED, literal.lexical, message)
        elif literal.datatype == XSD + "string" and not _is_said(literal.lexical, texts, request):
            message = f"{shown(literal)} is not in the request"
            yield Violation(Rule.NOT_ASKED, shown(literal), message)
    for select in all_selects(query.shape.select):
        if select.offset is not None:
            yield Violation(Rule.NOT_ASKED, "OFFSET", "no row may be left out")
        if select.limit is None:
            continue
        if not select.order_by:
            message = "which rows there are depends on ORDER BY"
            yield Violation(Rule.NOT_ASKED, "LIMIT", message, ("ORDER BY",))
        if float(select.limit) not in numbers | {1.0}:
            message = f"nobody asked for {select.limit} rows alone"
            yield Violation(Rule.NOT_ASKED, f"LIMIT {select.limit}", message)


def _numbers_in(request: WrittenRequest) -> set[float]:
    asked = request.asked.lower()
    found = {float(one.replace(",", "")) for one in re.findall(r"\d[\d,]*(?:\.\d+)?", asked)}
    found |= {float(number) for word, number in _WORDS.items() if re.search(rf"\b{word}\b", asked)}
    names = (name for entity in request.entities for _, name in names_of(entity))
    found |= {value for _, value in limits_in(request)}
    return found | {float(name) for name in names if name.isdecimal()}


def _texts_in(request: WrittenRequest) -> set[str]:
    found = {name for entity in request.entities for _, name in names_of(entity)}
    for metric in request.metrics:
        found |= {metric.name, metric.plugin, metric.family, metric.unit}
    return found | {request.zone, *BUCKETS}


def _is_said(text: str, texts: set[str], request: WrittenRequest) -> bool:
    words = re.findall(r"\w+", request.asked.lower())
    return text in texts or (text.lower() in words and not text.isdecimal())


def _literals(query: shape.QueryShape, metrics: tuple[Metric, ...]) -> Iterator[shape.Lit]:
    """Every literal but those that belong to a known measure: 3600000 in kilowatt-hours."""
    for group in all_groups(query.select):
        for element in group.elements:
            match element:
                case shape.Filter(expression) | shape.Bind(expression, _):
                    yield from _in_expression(expression)
                case shape.Triple(_, _, value):
                    yield from _in_expression(value)
                case shape.Values(_, rows):
                    cells = (cell for row in rows for cell in row)
                    yield from (cell for cell in cells if isinstance(cell, shape.Lit))
                case _:
                    pass
    for select in all_selects(query.select):
        if select.values is not None:
            cells = (cell for row in select.values.rows for cell in row)
            yield from (cell for cell in cells if isinstance(cell, shape.Lit))
        known = Meanings(select, metrics)
        columns = [column.expression for column in select.projection if column.expression]
        for expression in expressions_of(select):
            measured = expression in columns and meaning_of(expression, known.of) is not None
            yield from bounds_in(expression) if measured else _in_expression(expression)


def _in_expression(expression: shape.Expression) -> Iterator[shape.Lit]:
    return (part for part in parts_of(expression) if isinstance(part, shape.Lit))
