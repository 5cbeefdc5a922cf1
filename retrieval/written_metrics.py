"""Holds the sensors that a query reads to the quantities that were asked about."""

from collections.abc import Iterator, Sequence

from ontology import shape
from ontology.conformance import CheckedQuery
from ontology.shape_walk import all_groups, names_in_path
from ontology.type_facts import path_text
from ontology.violations import Rule, Violation
from ontology.vocabulary import HAS_READING, ODA, RDF_TYPE, TIMESTAMP, VALUE
from retrieval.query_bodies import Body, bodies_of, loosened_groups, shown
from retrieval.query_text import text
from retrieval.request import EntityKind, Metric
from retrieval.sensors import owner_kind
from retrieval.written_names import NAMING
from retrieval.written_request import WrittenRequest

_METRIC, _PLUGIN, _FAMILY = ODA + "metricName", ODA + "pluginName", ODA + "familyName"
_SENSORS = frozenset({ODA + "hasSensor", ODA + "isSensorOf"})
_PLAIN = frozenset(
    {HAS_READING, ODA + "isReadingOf", VALUE, TIMESTAMP, ODA + "textValue", _METRIC, _PLUGIN}
)
"""Properties that must stand in patterns of their own, where their ends can be seen."""
_NODES = frozenset(ODA + name for name in ("ComputeNode", "LoginNode", "ServiceHost", "Node"))


def strange_metrics(query: CheckedQuery, request: WrittenRequest) -> Iterator[Violation]:
    """Metrics that nobody asked about, parts of a quantity, and several quantities in one."""
    bodies = bodies_of(query.shape.select)
    read: set[tuple[Metric, ...]] = set()
    for body in bodies:
        sensors = [s for _, s in body.sensors] + [s for s, _ in body.readings]
        for sensor in dict.fromkeys(sensors):
            metrics = metrics_of(body, sensor, request.metrics)
            whole = [each for each in request.quantities if set(each) <= metrics]
            read |= set(whole)
            if len(whole) != 1 or metrics != set(whole[0]):
                message = f"{shown(sensor)} must be of one quantity that is asked about, and whole"
                hints = tuple(metric_lines(each) for each in request.quantities)
                yield Violation(Rule.NOT_ASKED, shown(sensor), message, hints)
    if any(body.readings for body in bodies):
        for each in request.quantities:
            if each not in read:
                message = f"nothing is read of {each[0].family}"
                yield Violation(Rule.NOT_ASKED, "WHERE", message, (metric_lines(each),))
        yield from _untyped(bodies, request)


def metric_lines(metrics: Sequence[Metric], sensor: str = "?s") -> str:
    """Patterns that hold ``sensor`` to one quantity, as a writer may copy them."""
    plugin = f"{sensor} oda:pluginName {text(metrics[0].plugin)} ."
    if len(metrics) == 1:
        return f"{plugin} {sensor} oda:metricName {text(metrics[0].name)} ."
    listed = " ".join(text(metric.name) for metric in metrics)
    return f"{plugin} {sensor} oda:metricName ?metric . VALUES ?metric {{ {listed} }}"


def unseen_steps(query: CheckedQuery) -> Iterator[Violation]:
    """Sensors, readings and names in paths, or where a row need not match them."""
    watched = _PLAIN | _SENSORS | NAMING
    for group in all_groups(query.shape.select):
        for triple in (e for e in group.elements if isinstance(e, shape.Triple)):
            if isinstance(triple.predicate, shape.Var):
                message = "write the property out"
                yield Violation(Rule.NOT_ASKED, shown(triple.predicate), message)
            elif _hidden_in(triple.predicate) & watched:
                message = "write each step of the path as a pattern of its own"
                yield Violation(Rule.NOT_ASKED, path_text(triple.predicate), message)
    for group in loosened_groups(query.shape.select):
        for triple in (e for e in group.elements if isinstance(e, shape.Triple)):
            names = names_in_path(triple.predicate)
            named = names & (NAMING | {_METRIC, _PLUGIN}) and isinstance(triple.object, shape.Lit)
            if named or names & _SENSORS:
                message = "this may not stand within OPTIONAL, MINUS, UNION or NOT EXISTS"
                yield Violation(Rule.NOT_ASKED, path_text(shape.Iri(min(names))), message)


def _hidden_in(path: shape.Path) -> frozenset[str]:
    """The properties of a path of several steps."""
    return frozenset() if isinstance(path, shape.Iri) else names_in_path(path)


def metrics_of(body: Body, sensor: shape.Term, granted: Sequence[Metric]) -> set[Metric]:
    """Those of ``granted`` that a sensor of ``body`` may be of."""
    found = set(granted)
    for prop in (_METRIC, _PLUGIN, _FAMILY):
        for value in body.objects(sensor, prop):
            names: frozenset[str] | None = frozenset()
            if isinstance(value, shape.Lit):
                names = frozenset({value.lexical})
            elif isinstance(value, shape.Var):
                names = body.values_of(value.name)
            if names is not None:
                found = {metric for metric in found if _called(metric, prop) in names}
    return found


def _called(metric: Metric, prop: str) -> str:
    return {_METRIC: metric.name, _PLUGIN: metric.plugin}.get(prop, metric.family)


def _untyped(bodies: Sequence[Body], request: WrittenRequest) -> Iterator[Violation]:
    """Sensors of nodes of which it is not said that they are compute nodes: others have some."""
    if not any(owner_kind(metric) is EntityKind.NODE for metric in request.metrics):
        return
    if {EntityKind.NODE, EntityKind.RACK} & {entity.kind for entity in request.entities}:
        return
    for body in bodies:
        owners = {sensor: owner for owner, sensor in body.sensors}
        for sensor, _ in body.readings:
            owner = owners.get(sensor)
            kinds = body.objects(owner, RDF_TYPE) if owner is not None else []
            if not {kind.value for kind in kinds if isinstance(kind, shape.Iri)} & _NODES:
                message = "it is not said which nodes' sensors are read"
                hint = f"?n a oda:ComputeNode ; oda:hasSensor {shown(sensor)} ."
                yield Violation(Rule.NOT_ASKED, shown(sensor), message, (hint,))
