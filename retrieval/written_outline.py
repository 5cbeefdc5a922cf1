"""What a query that somebody else wrote gives, part by part: all of it, or nothing is told."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ontology import shape
from ontology.conformance import CheckedQuery
from ontology.shape_walk import expressions_of, is_grouped, names_in_path, parts_of
from ontology.vocabulary import DATA, FUNCTION, HAS_READING, ODA, RDF_TYPE
from retrieval.measures import Comparison
from retrieval.outline_joins import joins_by_value
from retrieval.outline_parts import (
    OutlinedBound,
    OutlinedRows,
    OutlinedText,
    WrittenOutline,
)
from retrieval.query_bodies import Body, body_of, conjuncts, equal_to
from retrieval.query_text import Role
from retrieval.written_bounds import FLIPPED, NUMBERS
from retrieval.written_columns import Meanings, property_heading
from retrieval.written_measures import Meaning, meaning_of
from retrieval.written_names import NAMING
from retrieval.written_request import WrittenRequest
from retrieval.written_times import JOB_TIMES, time_bound

_PLACES = frozenset(ODA + name for name in ("contains", "isContainedIn", "runsOn", "runs"))
_TOLD_APART = NAMING | {ODA + name for name in ("metricName", "pluginName", "familyName")}
"""What the door holds to the things and metrics of the request."""
_READINGS = frozenset({HAS_READING, ODA + "isReadingOf", ODA + "hasSensor", ODA + "isSensorOf"})
_FLOOR = FUNCTION + "floorTime"
_CALENDAR = frozenset({"PT1H", "P1D", "P1W", "P1M"})
"""Steps of time that are headed by their names."""
_WITHIN = frozenset({ODA + "Sensor", ODA + "Reading"})
_OF_JOBS = {
    "startTime": "started",
    "endTime": "ended",
    "submitTime": "were submitted",
    "eligibleTime": "became eligible",
}
_RAN = {"startTime": {"<"}, "endTime": {">"}}
"""A job that ran at some time in a window began before its end and ended after its start."""


class _Untold(Exception):
    """A part of a query has a meaning that no words here tell."""


def outline_of(query: CheckedQuery, request: WrittenRequest) -> WrittenOutline | None:
    """What ``query`` gives, which the door let in; None where a part of it cannot be told."""
    if request.jobs and request.quantities:
        # Which samples belong to which jobs is told by joins that have too many forms.
        return None
    telling = _Telling(request)
    try:
        return telling.outline(query.shape.select)
    except _Untold:
        return None


@dataclass
class _Known:
    """The meanings of the variables of one SELECT, and of the names that it gives."""

    select: shape.Select
    meanings: Meanings

    def of(self, expression: shape.Expression) -> Meaning:
        """What ``expression`` holds; raises _Untold."""
        named = {c.variable: c for c in self.select.projection if c.expression is not None}
        if isinstance(expression, shape.Var) and expression in named:
            meaning = self.meanings.projected(named[expression])
        else:
            meaning = meaning_of(expression, self.meanings.of)
        if meaning is None:
            raise _Untold
        return meaning


@dataclass
class _Telling:
    """Goes through a query and keeps what it meets; raises _Untold for what it does not know."""

    request: WrittenRequest
    first: list[OutlinedRows] = field(default_factory=list)
    conditions: list[OutlinedBound | OutlinedText] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    job_times: set[tuple[str, ...]] = field(default_factory=set)
    steps: list[str] = field(default_factory=list)
    joins_times: bool = False

    def outline(self, select: shape.Select) -> WrittenOutline:
        rows = self._select(select)
        known = self._known(select)
        order = tuple(
            (_label(known.of(expression)), direction.upper() == "DESC")
            for direction, expression in select.order_by
        )
        if len(self.job_times) > 1:
            raise _Untold
        return WrittenOutline(
            rows,
            tuple(self.first),
            tuple(dict.fromkeys(self.conditions)),
            tuple(dict.fromkeys(self.kinds)),
            next(iter(self.job_times), ()),
            tuple(dict.fromkeys(self.steps)),
            self.joins_times,
            order,
            select.limit,
            bool(select.modifier),
        )

    def _known(self, select: shape.Select) -> _Known:
        return _Known(select, Meanings(select, self.request.metrics))

    def _select(self, select: shape.Select) -> OutlinedRows:
        body, known = body_of(select), self._known(select)
        if joins_by_value(select):
            raise _Untold
        self.joins_times |= len(body.readings) > 1
        self._group(select.where, body, known)
        if select.values is not None:
            self._listed(select.values, body, known)
        self._job_times(body)
        for test in select.having:
            self._tests(test, body, known)
        for expression in expressions_of(select):
            self._parts(expression, body, known)
        columns = [known.of(c.expression or c.variable) for c in select.projection]
        keys = [_key(key) for key in select.group_by]
        return OutlinedRows(
            tuple(map(_label, columns)),
            tuple(dict.fromkeys(known.of(key).heading for key in keys)),
            is_grouped(select),
        )

    def _group(self, group: shape.Group, body: Body, known: _Known) -> None:
        for element in group.elements:
            match element:
                case shape.Triple():
                    self._triple(element)
                case shape.Filter(expression):
                    self._tests(expression, body, known)
                case shape.Bind(expression, _):
                    known.of(expression)
                    self._parts(expression, body, known)
                case shape.Values():
                    self._listed(element, body, known)
                case shape.Union((branch,)):
                    self._group(branch, body, known)
                case shape.SubSelect(inner) if inner.limit is None and not inner.modifier:
                    rows = self._select(inner)
                    self.first += [rows] if rows.is_grouped else []
                case _:
                    raise _Untold

    def _triple(self, triple: shape.Triple) -> None:
        if not isinstance(triple.predicate, shape.Iri):
            if isinstance(triple.predicate, shape.Var):
                raise _Untold
            if not names_in_path(triple.predicate) <= _PLACES:
                raise _Untold
            return
        prop = triple.predicate.value
        match triple.object:
            case shape.Iri(kind) if prop == RDF_TYPE:
                self.kinds += [property_heading(kind)] if kind not in _WITHIN else []
            case shape.Iri(name) if not name.startswith(DATA):
                raise _Untold
            case shape.Lit(text) if prop not in _TOLD_APART:
                self.conditions.append(OutlinedText(property_heading(prop), (text,)))
            case _:
                pass

    def _tests(self, test: shape.Expression, body: Body, known: _Known) -> None:
        for part in conjuncts(test):
            if not _is_of_time(part):
                self._test(part, body, known)

    def _test(self, test: shape.Expression, body: Body, known: _Known) -> None:
        equal = equal_to(test)
        if equal is not None:
            self._called(equal[0], sorted(equal[1]), body, known)
            return
        match test:
            case shape.Exists(group, False) if _is_of_things(group):
                self._group(group, body, known)
                return
            case shape.Call(sign, (value, shape.Lit(text, kind))) if sign in FLIPPED:
                pass
            case shape.Call(sign, (shape.Lit(text, kind), value)) if sign in FLIPPED:
                sign = FLIPPED[sign]
            case _:
                raise _Untold
        meaning = known.of(value)
        if kind not in NUMBERS or meaning.role not in (Role.VALUE, Role.COUNT):
            raise _Untold
        bound = OutlinedBound(_name(meaning), Comparison(sign), float(text), meaning.unit)
        self.conditions.append(bound)

    def _listed(self, values: shape.Values, body: Body, known: _Known) -> None:
        cells = [cell for row in values.rows for cell in row]
        texts = [cell.lexical for cell in cells if isinstance(cell, shape.Lit)]
        if len(values.variables) != 1 or len(texts) != len(cells):
            raise _Untold
        self._called(values.variables[0].name, texts, body, known)

    def _called(self, name: str, texts: Sequence[str], body: Body, known: _Known) -> None:
        properties = body.properties_of(name)
        if not properties or not properties <= _TOLD_APART:
            heading = _name(known.of(shape.Var(name)))
            self.conditions.append(OutlinedText(heading, tuple(texts)))

    def _parts(self, expression: shape.Expression, body: Body, known: _Known) -> None:
        """What an expression decides beside its meaning: bounds, steps of time, what is counted."""
        for part in parts_of(expression):
            match part:
                case shape.Call("IF", (condition, *_)):
                    self._tests(condition, body, known)
                case shape.Call(name, (_, shape.Lit(step), _)) if name == _FLOOR:
                    self.steps += [] if step in _CALENDAR else [step]
                case shape.Aggregate("COUNT", counted, is_distinct):
                    _require_told(counted, is_distinct, body, known)
                case shape.Exists():
                    raise _Untold
                case _:
                    pass

    def _job_times(self, body: Body) -> None:
        said: dict[str, set[str]] = {}
        for test in body.tests if self.request.jobs else ():
            for part in parts_of(test):
                bound = time_bound(part)
                if bound is None:
                    continue
                properties = body.properties_of(bound[0]) & JOB_TIMES
                if len(properties) != 1:
                    raise _Untold
                local = min(properties).removeprefix(ODA)
                said.setdefault(local, set()).add(bound[1].rstrip("="))
        if said == _RAN:
            self.job_times.add(("ran",))
        elif said:
            if any(signs != {"<", ">"} for signs in said.values()):
                raise _Untold
            self.job_times.add(tuple(_OF_JOBS[name] for name in sorted(said)))


def _is_of_time(test: shape.Expression) -> bool:
    """Whether ``test`` says nothing but when: the door holds that to the windows asked about."""
    if isinstance(test, shape.Call) and test.name == "||":
        return all(_is_of_time(part) for branch in test.arguments for part in conjuncts(branch))
    return time_bound(test) is not None


def _is_of_things(group: shape.Group) -> bool:
    """Whether ``group`` says which things are meant, and nothing of their readings."""
    plain = all(isinstance(one, shape.Triple | shape.Values) for one in group.elements)
    triples = [one for one in group.elements if isinstance(one, shape.Triple)]
    return plain and not any(
        isinstance(one.predicate, shape.Iri) and one.predicate.value in _READINGS for one in triples
    )


def _require_told(
    counted: shape.Expression | None, is_distinct: bool, body: Body, known: _Known
) -> None:
    """Raises _Untold where what is counted is not what its heading says: things, or samples."""
    is_thing = counted is not None and known.of(counted).role is Role.KEY
    if not is_thing and (is_distinct or not body.readings):
        raise _Untold


def _key(key: shape.Projected | shape.Expression) -> shape.Expression:
    return (key.expression or key.variable) if isinstance(key, shape.Projected) else key


def _name(meaning: Meaning) -> str:
    return f"{meaning.heading} of {meaning.of}" if meaning.of else meaning.heading


def _label(meaning: Meaning) -> str:
    return f"{_name(meaning)} ({meaning.unit})" if meaning.unit else _name(meaning)
