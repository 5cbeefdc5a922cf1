"""Finds where the patterns of a query would count a thing, or a sample, more than once."""

import re
from collections.abc import Iterator

from ontology import shape
from ontology.conformance import CheckedQuery
from ontology.shape_walk import all_groups, all_selects, expressions_of, parts_of
from ontology.violations import Rule, Violation
from ontology.vocabulary import FUNCTION, ODA, RDF_TYPE, RUNS_ON, TIMESTAMP, VALUE
from retrieval.group_rules import TOTAL_POWER
from retrieval.mapping import JOB_PROPERTIES
from retrieval.query_bodies import Body, patterns_of, shown
from retrieval.request import EntityKind
from retrieval.slot_patterns import NODE_WORD
from retrieval.written_names import NAMING
from retrieval.written_request import WrittenRequest

_RUNS, _CONTAINS, _INSIDE = ODA + "runs", ODA + "contains", ODA + "isContainedIn"
_CONTAINERS = frozenset(ODA + name for name in ("Rack", "Room", "DataCenter", "CoolingPanel"))
_MEANS_ADDED_UP = (
    "SELECT ?rack (SUM(?mean) AS ?total) WHERE { { SELECT ?rack ?s (AVG(?v) AS ?mean)"
    " WHERE { ... } GROUP BY ?rack ?s } } GROUP BY ?rack",
)
_LATEST = FUNCTION + "latest"
_LAST_OF_EACH = (
    "SELECT (AVG(?last) AS ?value) WHERE { { SELECT ?s (odaf:latest(odaf:at(?v, ?t)) AS ?last)"
    " WHERE { ... } GROUP BY ?s } }"
)
_EXISTS = ("FILTER EXISTS { ?j oda:runsOn ?n . }",)


def multiplied_rows(query: CheckedQuery, request: WrittenRequest) -> Iterator[Violation]:
    """Where rows stand for less than one thing, so that counts and means of them are wrong."""
    for group in all_groups(query.shape.select):
        for element in group.elements:
            match element:
                case shape.Triple(_, shape.Iri(prop), shape.Var() as kind) if prop == RDF_TYPE:
                    message = "a thing has several classes, and a row for each: name one"
                    yield Violation(Rule.NOT_ASKED, shown(kind), message)
                case _:
                    pass
    for select in all_selects(query.shape.select):
        body = patterns_of(select)
        yield from _containers(body)
        yield from _not_the_last(select, body) if request.instant else ()
        yield from _several_readings(body)
        aggregates = [
            part
            for expression in expressions_of(select)
            for part in parts_of(expression)
            if isinstance(part, shape.Aggregate)
        ]
        for aggregate in aggregates:
            yield from _sums(aggregate, body, request)
            yield from _counts(aggregate, body)
            yield from _pooled(aggregate, body, select, request)
            yield from _over_jobs(aggregate, body, select, request)


def _not_the_last(select: shape.Select, body: Body) -> Iterator[Violation]:
    """Samples beside the last one, where the value at a moment is asked for."""
    values = _values(body, VALUE)
    shown = [column.expression or column.variable for column in select.projection]
    for expression in (*shown, *select.having):
        for part in parts_of(expression):
            plain = part is expression and part in values
            taken = isinstance(part, shape.Aggregate) and part.name != _LATEST
            if plain or (taken and values & set(parts_of(part))):
                message = "only the last sample of each sensor speaks for that moment"
                yield Violation(Rule.NOT_ASKED, "SELECT", message, (_LAST_OF_EACH,))


def _containers(body: Body) -> Iterator[Violation]:
    for outer, _ in body.joined(_CONTAINS, _INSIDE):
        kinds = {k.value for k in body.objects(outer, RDF_TYPE) if isinstance(k, shape.Iri)}
        named = any(body.objects(outer, name) for name in NAMING)
        if isinstance(outer, shape.Var) and not kinds & _CONTAINERS and not named:
            message = "rack, room and data centre each hold it, which gives a row for each"
            hint = (f"{shown(outer)} a oda:Rack .",)
            yield Violation(Rule.NOT_ASKED, shown(outer), message, hint)


def _several_readings(body: Body) -> Iterator[Violation]:
    readings = body.readings
    times = [frozenset(body.objects(reading, TIMESTAMP)) for _, reading in readings]
    if len(readings) > 1 and not frozenset.intersection(*times):
        message = "each reading of one sensor is paired with all of the other: join their times"
        hints = ("?r oda:timestamp ?t . ?r2 oda:timestamp ?t .",)
        yield Violation(Rule.NOT_ASKED, shown(readings[1][1]), message, hints)
    read = {sensor for sensor, _ in readings}
    for _, sensor in body.sensors if readings else ():
        if sensor not in read:
            message = "a sensor that is not read gives a row for each reading of others"
            yield Violation(Rule.NOT_ASKED, shown(sensor), message)


def _sums(part: shape.Aggregate, body: Body, request: WrittenRequest) -> Iterator[Violation]:
    """Samples of different times that are added up as if they were of different things."""
    if part.name != "SUM" or part.argument not in _values(body, VALUE):
        return
    if not re.search(r"\bsum\b", request.asked.lower()):
        message = "samples of different times cannot be added up: average each sensor first"
        hint = ("{ SELECT ?s (AVG(?v) AS ?mean) WHERE { ... } GROUP BY ?s }",)
        yield Violation(Rule.NOT_ASKED, "SUM", message, hint)


def _pooled(
    part: shape.Aggregate, body: Body, select: shape.Select, request: WrittenRequest
) -> Iterator[Violation]:
    """The power of a rack, or of the machine, that is taken from single nodes' samples."""
    if TOTAL_POWER not in {metric.name for metric in request.metrics} or part.name == "COUNT":
        return
    if _number(request, EntityKind.NODE) or NODE_WORD.search(request.asked.lower()):
        return
    variables = {v for v in parts_of(part) if isinstance(v, shape.Var)}
    keys = {key for key in select.group_by if isinstance(key, shape.Var)}
    sensors = {sensor for _, sensor in body.sensors}
    owners = {owner for owner, _ in body.sensors}
    if keys & sensors or _are_told_apart(owners, keys, body):
        return
    if variables & _values(body, VALUE):
        message = "a rack's power is that of its nodes together, not of one: add their means up"
        yield Violation(Rule.NOT_ASKED, part.name, message, _MEANS_ADDED_UP)


def _counts(part: shape.Aggregate, body: Body) -> Iterator[Violation]:
    if part.name != "COUNT" or part.distinct:
        return
    samples = {reading for _, reading in body.readings}
    samples |= _values(body, VALUE) | _values(body, TIMESTAMP)
    if body.readings and (part.argument is None or part.argument in samples):
        return
    if not body.triples:
        # What a SELECT within gives has a row for each of its groups.
        return
    counted = part.argument if isinstance(part.argument, shape.Var) else shape.Var("x")
    message = "what is counted may stand in several rows"
    yield Violation(Rule.NOT_ASKED, "COUNT", message, (f"COUNT(DISTINCT {shown(counted)})",))


def _over_jobs(
    part: shape.Aggregate, body: Body, select: shape.Select, request: WrittenRequest
) -> Iterator[Violation]:
    """Jobs that count once for each of their nodes, and samples once for each job."""
    runs = body.joined(RUNS_ON, _RUNS)
    if not runs or part.distinct or part.name in ("MIN", "MAX"):
        return
    variables = {v for p in parts_of(part) for v in (p,) if isinstance(v, shape.Var)}
    keys = {key for key in select.group_by if isinstance(key, shape.Var)}
    of_jobs = {v for name in JOB_PROPERTIES for v in _values(body, name)}
    jobs, nodes = {job for job, _ in runs}, {node for _, node in runs}
    many = _number(request, EntityKind.NODE) != 1
    if many and variables & (of_jobs | jobs) and not _are_told_apart(nodes, keys, body):
        message = "a job of several nodes counts several times"
        yield Violation(Rule.NOT_ASKED, "oda:runsOn", message, _EXISTS)
    several = _number(request, EntityKind.JOB) != 1
    if several and variables & _values(body, VALUE) and not _are_told_apart(jobs, keys, body):
        message = "a sample counts once for each job that ran"
        yield Violation(Rule.NOT_ASKED, "oda:runsOn", message, _EXISTS)


def _are_told_apart(things: set[shape.Term], keys: set[shape.Var], body: Body) -> bool:
    """Whether each group has one of ``things``: they, or the ids of them, are what it is by."""
    named = {t.object for t in body.triples if t.subject in things and _is_naming(t)}
    return bool(keys & (things | named))


def _is_naming(triple: shape.Triple) -> bool:
    return isinstance(triple.predicate, shape.Iri) and triple.predicate.value in NAMING


def _number(request: WrittenRequest, kind: EntityKind) -> int:
    return sum(entity.kind is kind for entity in request.entities)


def _values(body: Body, prop: str) -> set[shape.Term]:
    return {t.object for t in body.triples if t.predicate == shape.Iri(prop)}
