"""What the columns of a written query are, told by its patterns and never by its own names."""

import re

import polars as pl

from ontology import shape
from ontology.conformance import CheckedQuery
from ontology.vocabulary import DATA, ODA, RDF_TYPE, TIMESTAMP, VALUE
from retrieval.query_bodies import body_of
from retrieval.query_text import Column, Role
from retrieval.request import Metric
from retrieval.written_measures import Meaning, meaning_of
from retrieval.written_metrics import metrics_of
from retrieval.written_request import WrittenRequest

_SECONDS = frozenset({"runSeconds", "waitSeconds", "timeLimitSeconds"})
_COUNTS = frozenset({"nodeCount", "coreCount", "gpuCount", "gpusPerNode", "threadCount"})
_MOMENTS = frozenset({"startTime", "endTime", "submitTime", "eligibleTime"})
_HEADINGS = {
    "timestamp": "time",
    "nodeCount": "nodes",
    "coreCount": "CPU cores",
    "gpuCount": "GPUs",
    "threadCount": "hardware threads",
    "runSeconds": "run time",
    "waitSeconds": "waiting time",
    "timeLimitSeconds": "time limit",
    "textValue": "value",
}
_TARGETS = {"hasReading": "sample", "hasSensor": "sensor", "runs": "job"}


class Meanings:
    """The meanings of the variables of one SELECT, those of the SELECTs within it included."""

    def __init__(self, select: shape.Select, metrics: tuple[Metric, ...]) -> None:
        self._select = select
        self._metrics = metrics
        self._body = body_of(select)

    def of(self, name: str) -> Meaning | None:
        """What ``?name`` holds; None where the patterns do not tell."""
        for triple in self._body.triples:
            if triple.object == shape.Var(name) and isinstance(triple.predicate, shape.Iri):
                return self._of_property(triple, triple.predicate.value)
        for element in _elements(self._select.where):
            match element:
                case shape.Bind(expression, shape.Var(bound)) if bound == name:
                    return meaning_of(expression, self.of)
                case shape.SubSelect(select):
                    for column in select.projection:
                        if column.variable.name == name:
                            return Meanings(select, self._metrics).projected(column)
                case _:
                    pass
        return self._of_thing(name)

    def projected(self, column: shape.Projected) -> Meaning | None:
        """What a column of the SELECT holds."""
        return meaning_of(column.expression or column.variable, self.of)

    def _of_property(self, triple: shape.Triple, prop: str) -> Meaning:
        local = prop.removeprefix(ODA)
        if prop == VALUE:
            return self._of_value(triple.subject)
        if local in ("hasReading", "hasSensor", "runs"):
            return Meaning(_TARGETS[local], Role.KEY)
        heading = property_heading(prop)
        if prop == TIMESTAMP or local in _MOMENTS:
            return Meaning(heading, Role.TIME)
        if local in _SECONDS:
            return Meaning(heading, Role.VALUE, "s")
        if local in _COUNTS:
            return Meaning(heading, Role.COUNT)
        return Meaning(heading, Role.KEY)

    def _of_value(self, reading: shape.Term) -> Meaning:
        sensors = [sensor for sensor, one in self._body.readings if one == reading]
        metrics = metrics_of(self._body, sensors[0], self._metrics) if sensors else set()
        units = {metric.unit for metric in metrics}
        heading = " and ".join(sorted({metric.family for metric in metrics})) or "value"
        return Meaning(heading, Role.VALUE, units.pop() if len(units) == 1 else "")

    def _of_thing(self, name: str) -> Meaning | None:
        kinds = self._body.objects(shape.Var(name), RDF_TYPE)
        names = [kind.value.removeprefix(ODA) for kind in kinds if isinstance(kind, shape.Iri)]
        if names:
            return Meaning(_words(names[0].removeprefix("Compute")), Role.KEY)
        terms = {term for t in self._body.triples for term in (t.subject, t.object)}
        return Meaning(_words(name), Role.KEY) if shape.Var(name) in terms else None


def property_heading(name: str) -> str:
    """What people call the property, or the class, ``name``."""
    local = name.removeprefix(ODA)
    return _HEADINGS.get(local) or _words(local)


def meanings(query: CheckedQuery, request: WrittenRequest) -> list[Meaning | None]:
    """What each column of ``query`` holds."""
    known = Meanings(query.shape.select, request.metrics)
    return [known.projected(column) for column in query.shape.select.projection]


def columns_of(query: CheckedQuery, request: WrittenRequest) -> tuple[Column, ...]:
    """The columns of ``query``, each with what people read above it."""
    several = len(request.quantities) > 1
    columns = []
    for name, meaning in zip(query.projected, meanings(query, request), strict=True):
        assert meaning is not None
        heading = meaning.heading
        if several and meaning.of:
            heading = f"{heading} {meaning.of}"
        columns.append(Column(name, heading, meaning.role, meaning.unit))
    return tuple(columns)


def with_names(frame: pl.DataFrame, kinds: dict[str, str]) -> pl.DataFrame:
    """``frame`` with the names that people use in place of the graph's own."""
    iris = [name for name, kind in kinds.items() if kind == "iri"]
    return frame.with_columns(
        pl.col(name)
        .str.strip_prefix(DATA)
        .str.replace(r"^(?:node|rack|job|user|crac|panel|partition|room)/", "")
        .str.strip_prefix(ODA)
        for name in iris
    )


def _elements(group: shape.Group) -> list[shape.Element]:
    found: list[shape.Element] = []
    for element in group.elements:
        match element:
            case shape.Union((branch,)):
                found += _elements(branch)
            case _:
                found.append(element)
    return found


def _words(name: str) -> str:
    """``nodeId`` as "node", ``positionX`` as "position x"."""
    plain = re.sub(r"(?:Id|Name)$", "", name)
    if plain.isupper():
        return plain
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", plain).lower()
