"""Warns where a job's readings are taken of all times instead of the job's own."""

from collections import defaultdict

from ontology import shape
from ontology.shape_walk import all_selects, groups_in, variables_of
from ontology.violations import Rule, Violation
from ontology.vocabulary import HAS_READING, ODA, RUNS_ON, TIMESTAMP

_HAS_SENSOR = ODA + "hasSensor"
_JOB_TIMES = frozenset(ODA + name for name in ("startTime", "endTime"))


def fanout_warnings(query: shape.QueryShape) -> tuple[Violation, ...]:
    """One warning for each SELECT that joins jobs with readings but not with their times."""
    found: list[Violation] = []
    for select in all_selects(query.select):
        triples = list(_triples(select.where))
        if not any(_walks(triple, {RUNS_ON}) for triple in triples):
            continue
        if not any(_walks(triple, {HAS_READING}) for triple in triples):
            continue
        if not _is_joined(triples):
            continue
        instants = _objects(triples, {TIMESTAMP})
        edges = _objects(triples, _JOB_TIMES)
        if not any(names & instants and names & edges for names in _compared(select.where)):
            message = "the job's start and end are not applied to the timestamps of the readings"
            hint = ("FILTER(?timestamp >= ?start && ?timestamp <= ?end)",)
            found.append(Violation(Rule.FANOUT, "oda:runsOn", message, hint))
    return tuple(found)


def _triples(group: shape.Group) -> list[shape.Triple]:
    found: list[shape.Triple] = []
    for element in group.elements:
        if isinstance(element, shape.Triple):
            found.append(element)
        elif not isinstance(element, (shape.SubSelect, shape.Filter, shape.Bind)):
            for inner in groups_in(element):
                found.extend(_triples(inner))
    return found


def _compared(group: shape.Group) -> list[frozenset[str]]:
    """Sets of variables that a FILTER compares or a BIND derives, derived ones traced back."""
    sets: list[frozenset[str]] = []
    derived: dict[str, frozenset[str]] = defaultdict(frozenset)
    waiting = [group]
    while waiting:
        at = waiting.pop()
        for element in at.elements:
            if isinstance(element, shape.Bind):
                derived[element.variable.name] = variables_of(element.expression)
            elif isinstance(element, shape.Filter):
                sets.append(variables_of(element.expression))
            if not isinstance(element, shape.SubSelect):
                waiting.extend(groups_in(element))
    return [names.union(*(derived[name] for name in names)) for names in sets]


def _walks(triple: shape.Triple, properties: set[str]) -> bool:
    return not isinstance(triple.predicate, shape.Var) and bool(
        _steps(triple.predicate) & properties
    )


def _steps(path: shape.Path) -> set[str]:
    match path:
        case shape.Iri(iri):
            return {iri}
        case shape.Inverse(inner) | shape.Repeat(inner, _, _):
            return _steps(inner)
        case shape.Sequence(parts) | shape.Alternative(parts) | shape.Negated(parts):
            return set().union(*(_steps(part) for part in parts))


def _objects(triples: list[shape.Triple], properties: frozenset[str] | set[str]) -> frozenset[str]:
    return frozenset(
        triple.object.name
        for triple in triples
        if isinstance(triple.object, shape.Var) and _walks(triple, set(properties))
    )


def _is_joined(triples: list[shape.Triple]) -> bool:
    """True where the node that a job runs on is a thing whose sensors are read."""
    nodes = {
        term
        for triple in triples
        if _walks(triple, {RUNS_ON})
        for term in (triple.subject, triple.object)
    }
    read = {triple.subject for triple in triples if _walks(triple, {_HAS_SENSOR})}
    direct = any(_walks(t, {RUNS_ON}) and _walks(t, {_HAS_SENSOR}) for t in triples)
    return direct or bool(nodes & read)
