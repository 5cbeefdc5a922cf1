"""Holds the things and metrics that a query names to those that were asked about."""

from collections.abc import Iterator, Sequence

from ontology import shape
from ontology.conformance import CheckedQuery
from ontology.shape_walk import all_groups
from ontology.violations import Rule, Violation
from ontology.vocabulary import DATA, ODA
from retrieval.query_bodies import Body, bodies_of, shown
from retrieval.query_text import text
from retrieval.request import Entity, EntityKind
from retrieval.sensors import iri
from retrieval.written_request import WrittenRequest

_NAMED_BY = {
    EntityKind.NODE: "nodeId",
    EntityKind.RACK: "rackId",
    EntityKind.ROOM: "roomName",
    EntityKind.CRAC: "deviceName",
    EntityKind.PANEL: "panelName",
    EntityKind.PUMP: "pumpName",
    EntityKind.PARTITION: "partitionId",
    EntityKind.JOB: "jobId",
    EntityKind.USER: "userId",
}
_WHOLE = frozenset({EntityKind.SYSTEM, EntityKind.DATA_CENTER, EntityKind.WEATHER})
"""Of these there is one, which a query need not name."""
NAMING = frozenset(ODA + name for name in _NAMED_BY.values())
"""The properties that say which thing of its kind something is."""
_CONTAINS, _IS_CONTAINED_IN = ODA + "contains", ODA + "isContainedIn"
Name = tuple[str, str]
"""A property that names, and the name."""


def names_of(entity: Entity) -> tuple[Name, ...]:
    """The properties that tell ``entity`` from others of its kind, each with its value."""
    if entity.kind in _WHOLE:
        return ()
    if entity.kind is EntityKind.METER:
        panel, _, device = entity.name.partition("/")
        return (ODA + "panelName", panel), (ODA + "deviceName", device)
    return ((ODA + _NAMED_BY[entity.kind], entity.name),)


def strange_things(query: CheckedQuery, request: WrittenRequest) -> Iterator[Violation]:
    """Things that the query names and nobody asked about, or does not keep to."""
    wanted = {entity: frozenset(names_of(entity)) for entity in request.entities}
    wanted = {entity: names for entity, names in wanted.items() if names}
    known = frozenset().union(*wanted.values())
    bodies = bodies_of(query.shape.select)
    kept = [_kept_to(body) for body in bodies]
    for prop, name in dict.fromkeys(one for names in kept for one in names):
        if (prop, name) not in known:
            message = f"nobody asked about the {_noun(prop)} {name}"
            yield Violation(Rule.NOT_ASKED, text(name), message, _listed(request))
    yield from _iris(query, request)
    for entity, names in wanted.items():
        if not any(names <= each.keys() for each in kept):
            message = f"the query is not held to {entity.kind.value} {entity.name}"
            yield Violation(Rule.NOT_ASKED, "WHERE", message, (pattern_of(entity),))
    if wanted:
        yield from _unheld(bodies, kept, request)


def pattern_of(entity: Entity) -> str:
    """Patterns that hold ``?n``, or the job ``?j``, to ``entity``, as a writer may copy them."""
    subject = "?j" if entity.kind in (EntityKind.JOB, EntityKind.USER) else "?n"
    if entity.kind is EntityKind.RACK:
        return f"?rk a oda:Rack ; oda:contains ?n ; oda:rackId {text(entity.name)} ."
    pairs = [
        f"oda:{prop.removeprefix(ODA)} " + (name if entity.kind is EntityKind.JOB else text(name))
        for prop, name in names_of(entity)
    ]
    return f"{subject} {' ; '.join(pairs)} ." if pairs else ""


def _listed(request: WrittenRequest) -> tuple[str, ...]:
    return tuple(pattern for entity in request.entities if (pattern := pattern_of(entity)))


def _noun(prop: str) -> str:
    name = prop.removeprefix(ODA)
    return name.removesuffix("Id").removesuffix("Name")


def _kept_to(body: Body) -> dict[Name, set[shape.Term]]:
    """The names that the rows of ``body`` are held to, with the terms that bear them."""
    found: dict[Name, set[shape.Term]] = {}
    for triple in body.triples:
        if not isinstance(triple.predicate, shape.Iri) or triple.predicate.value not in NAMING:
            continue
        prop = triple.predicate.value
        match triple.object:
            case shape.Lit(name):
                names = frozenset({name})
            case shape.Var(variable):
                names = body.values_of(variable) or frozenset()
            case _:
                names = frozenset()
        for name in names:
            found.setdefault((prop, name), set()).add(triple.subject)
    return found


def _iris(query: CheckedQuery, request: WrittenRequest) -> Iterator[Violation]:
    """Things of the site that are written as names of their own: they must be named by id."""
    allowed = {iri("metric", metric.name) for metric in request.metrics}
    allowed |= {iri("plugin", metric.plugin) for metric in request.metrics}
    for group in all_groups(query.shape.select):
        for element in group.elements:
            for term in _terms(element):
                named = isinstance(term, shape.Iri) and term.value.startswith(DATA)
                if isinstance(term, shape.Iri) and named and term.value not in allowed:
                    message = "write the thing as a variable that its id or name holds"
                    yield Violation(Rule.NOT_ASKED, f"<{term.value}>", message, _listed(request))


def _terms(element: shape.Element) -> Sequence[shape.Term]:
    match element:
        case shape.Triple(subject, _, value):
            return (subject, value)
        case shape.Values(_, rows):
            return [cell for row in rows for cell in row if cell is not None]
        case _:
            return ()


def _unheld(
    bodies: Sequence[Body], kept: Sequence[dict[Name, set[shape.Term]]], request: WrittenRequest
) -> Iterator[Violation]:
    """Sensors that are read although their owners are none of the things that were named."""
    owning = [e for e in request.entities if e.kind not in (EntityKind.JOB, EntityKind.USER)]
    names = {one for entity in owning for one in names_of(entity)}
    for body, held in zip(bodies, kept, strict=True):
        bearers = {term for one, terms in held.items() if one in names for term in terms}
        inside = body.joined(_CONTAINS, _IS_CONTAINED_IN)
        owners = bearers | {inner for outer, inner in inside if outer in bearers}
        for owner, sensor in body.sensors if names else ():
            if owner not in owners:
                message = "its owner is not held to the things that are asked about"
                yield Violation(Rule.NOT_ASKED, shown(sensor), message, _listed(request))
        for sensor, _ in body.readings if names else ():
            if sensor not in {known for _, known in body.sensors}:
                message = "whose sensor it is must be said"
                yield Violation(
                    Rule.NOT_ASKED,
                    shown(sensor),
                    message,
                    (f"?n oda:hasSensor {shown(sensor)} .",),
                )
