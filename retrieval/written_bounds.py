"""Holds a query's comparisons with numbers to the bounds that the words of the request set."""

import re
from collections.abc import Iterator, Sequence

from ontology import shape
from ontology.conformance import CheckedQuery
from ontology.shape_walk import all_groups, all_selects, expressions_of, parts_of
from ontology.violations import Rule, Violation
from ontology.vocabulary import ODA, XSD
from retrieval.condition_words import COUNT_UNITS, Bound, bounds_in
from retrieval.measures import Applies, Comparison
from retrieval.query_bodies import bodies_of
from retrieval.query_text import number
from retrieval.question_text import QuestionText
from retrieval.units import in_unit
from retrieval.written_request import WrittenRequest

NUMBERS = frozenset(XSD + name for name in ("integer", "decimal", "double", "float"))
FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
_OPPOSITES = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "=": "!=", "!=": "="}
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|others?|except|without|but|exclud\w*|silent|missing|gaps?)\b|n't\b"
)
Limit = tuple[str, float]
"""How a value is compared, and with which number."""


def strange_bounds(query: CheckedQuery, request: WrittenRequest) -> Iterator[Violation]:
    """Bounds that nobody set, or the other way round, and those that the query leaves out."""
    asked = [_limits(bound, request) for bound in bounds_in(QuestionText(request.asked))]
    allowed = limits_in(request)
    found = set(_comparisons(query.shape))
    for sign, value in sorted(found - allowed):
        hints = tuple(f"{sign} {number(value)}" for sign, value in sorted(allowed))
        message = "the request sets no such bound"
        yield Violation(Rule.NOT_ASKED, f"{sign} {number(value)}", message, hints)
    for options in asked:
        if options and not options & found:
            hints = tuple(f"FILTER(?v {sign} {number(value)})" for sign, value in sorted(options))
            message = "a bound that the request sets is left out"
            yield Violation(Rule.NOT_ASKED, "FILTER", message, hints)
    yield from _negations(query.shape, request)


def limits_in(request: WrittenRequest) -> set[Limit]:
    """The comparisons that the words of ``request`` allow."""
    bounds = bounds_in(QuestionText(request.asked))
    return {limit for bound in bounds for limit in _limits(bound, request)}


def _limits(bound: Bound, request: WrittenRequest) -> set[Limit]:
    """The comparisons that keep ``bound``, in each unit that it may be about."""
    condition = bound.condition
    signs = {condition.comparison.value}
    if condition.applies is Applies.ALL_SAMPLES:
        # That no sample breaks a bound may be written as that none keeps its opposite.
        signs.add(_OPPOSITES[condition.comparison.value])
    units = {metric.unit for metric in request.metrics} | ({"s"} if request.jobs else set())
    found = set()
    for value in _in_units(condition.bound, bound.unit, units):
        found |= {(sign, value) for sign in signs}
    if condition.upper is not None:
        uppers = _in_units(condition.upper, bound.unit, units)
        found |= {(Comparison.AT_MOST.value, value) for value in uppers}
    return found


def _in_units(value: float, unit: str, units: set[str]) -> set[float]:
    if not unit or unit in COUNT_UNITS:
        return {value}
    return {given for own in units if (given := in_unit(value, unit, own)) is not None}


def _comparisons(query: shape.QueryShape) -> Iterator[Limit]:
    """Every comparison with a number, but those that say which job is meant."""
    jobs = {
        t.object.name
        for body in bodies_of(query.select)
        for t in body.triples
        if t.predicate == shape.Iri(ODA + "jobId") and isinstance(t.object, shape.Var)
    }
    for part in _everything(query):
        match part:
            case shape.Call("=", (shape.Var(name), _)) if name in jobs:
                continue
            case shape.Call(sign, (_, shape.Lit(text, kind))) if sign in FLIPPED:
                yield from ((sign, float(text)),) if kind in NUMBERS else ()
            case shape.Call(sign, (shape.Lit(text, kind), _)) if sign in FLIPPED:
                yield from ((FLIPPED[sign], float(text)),) if kind in NUMBERS else ()
            case _:
                pass


def _negations(query: shape.QueryShape, request: WrittenRequest) -> Iterator[Violation]:
    """What turns a condition round although no word of the request does."""
    if _NEGATION.search(request.asked.lower()):
        return
    texts: Sequence[str] = ("!=", "NOT IN", "!")
    for part in _everything(query):
        turned = isinstance(part, shape.Exists) and part.negated
        if turned or (isinstance(part, shape.Call) and part.name in texts):
            where = "NOT EXISTS" if turned else part.name if isinstance(part, shape.Call) else ""
            yield Violation(Rule.NOT_ASKED, where, "the request says no 'not'")
    for group in all_groups(query.select):
        if any(isinstance(element, shape.Minus) for element in group.elements):
            yield Violation(Rule.NOT_ASKED, "MINUS", "the request says no 'not'")


def _everything(query: shape.QueryShape) -> Iterator[shape.Expression]:
    """Every expression of the query, with its parts."""
    for group in all_groups(query.select):
        for element in group.elements:
            match element:
                case shape.Filter(expression) | shape.Bind(expression, _):
                    yield from parts_of(expression)
                case _:
                    pass
    for select in all_selects(query.select):
        for expression in expressions_of(select):
            yield from parts_of(expression)
