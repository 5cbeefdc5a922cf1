"""A checked query without what a person varies: two queries that leave the same are kin.

Gone are instants and whether the last one is included, names of single things, bounds, the number
of rows of a ranking, and the length of buckets with their zone; that the same one stands in two
places is kept. Metrics, measures, groups, states and the algebra stay, as they were written.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from ontology import shape
from ontology.conformance import CheckedQuery
from ontology.shape_walk import all_groups, is_grouped
from ontology.vocabulary import FUNCTION, ODA, RDF_TYPE, XSD

_NAMES: Final = frozenset(
    ODA + name
    for name in (
        *("nodeId", "rackId", "jobId", "userId", "panelName", "partitionId"),
        *("positionX", "positionY"),
    )
)
_DEVICE_NAME: Final = ODA + "deviceName"
_NAMED_DEVICES: Final = frozenset({ODA + "CRAC"})
"""Of these the device's name only says which one; of a meter it says what is measured."""
_DATE_TIME: Final = XSD + "dateTime"
_NUMBERS: Final = frozenset(XSD + name for name in ("integer", "decimal", "double", "float"))
_BOUNDS: Final = frozenset({"<", "<=", ">", ">="})
_EQUALITIES: Final = frozenset({"=", "!="})
_FLOOR_TIME: Final = FUNCTION + "floorTime"
_GAPS: Final = FUNCTION + "gaps"
_ANY_ZONE: Final = shape.Lit("", "zone")


def kin_of(query: CheckedQuery) -> str:
    """A short text that all kin of ``query`` share, and no other query."""
    blanked = _Blanking(query.shape).query()
    return hashlib.sha256(repr(blanked).encode()).hexdigest()[:32]


class _Blanking:
    """One walk over a query: variables and constants numbered in the order of their coming."""

    def __init__(self, query: shape.QueryShape) -> None:
        self._query = query
        self._names = _variables_of_names(query)
        self._numbers: dict[str, dict[object, int]] = {}

    def query(self) -> shape.QueryShape:
        return replace(self._query, select=self._select(self._query.select, None))

    def _blank(self, kind: str, constant: object) -> shape.Lit:
        """What stands for ``constant``: the same wherever it is the same."""
        seen = self._numbers.setdefault(kind, {})
        return shape.Lit(str(seen.setdefault(constant, len(seen))), kind)

    def _select(self, select: shape.Select, outer: frozenset[str] | None) -> shape.Select:
        """``select`` blanked; ``outer`` are the variables that keep rows apart around it."""
        apart = _kept_apart(select)
        apart = apart if outer is None else apart & outer
        where = self._any(select.where, apart)
        others = [each.name for each in fields(select) if each.name not in ("where", "limit")]
        parts = {name: self._any(getattr(select, name), apart) for name in others}
        limit = None if select.limit is None else 0
        return shape.Select(where=where, limit=limit, **parts)

    def _any(self, node: Any, apart: frozenset[str]) -> Any:
        match node:
            case shape.SubSelect(select):
                return shape.SubSelect(self._select(select, apart))
            case shape.Var(name):
                return shape.Var(self._blank("variable", name).lexical)
            case shape.Lit(lexical, datatype) if datatype == _DATE_TIME:
                return self._blank(_DATE_TIME, lexical)
            case shape.Triple(subject, shape.Iri(prop), shape.Lit() as name) if prop in _NAMES:
                return self._parts(shape.Triple(subject, shape.Iri(prop), name), apart, prop)
            case shape.Values():
                return self._values(node, apart)
            case shape.Call():
                return self._call(node, apart)
            case shape.Aggregate(name, shape.Call(_, (longest, *rest))) if name == _GAPS:
                moments = tuple(self._any(part, apart) for part in rest)
                return shape.Aggregate(name, self._call_of(_GAPS, longest, moments))
            case shape.Exists():
                return self._parts(node, frozenset())
            case tuple():
                return tuple(self._any(part, apart) for part in node)
            case _:
                return self._parts(node, apart) if is_dataclass(node) else node

    def _parts(self, node: Any, apart: frozenset[str], names: str = "") -> Any:
        """``node`` with its parts blanked; literals too where they are ``names``."""
        parts = (getattr(node, field.name) for field in fields(node))
        return type(node)(*(self._part(part, apart, names) for part in parts))

    def _part(self, part: Any, apart: frozenset[str], names: str) -> Any:
        if names and isinstance(part, shape.Lit):
            return self._blank(names, (part.lexical,))
        return self._any(part, apart)

    def _call_of(
        self, name: str, longest: shape.Expression, moments: tuple[shape.Expression, ...]
    ) -> shape.Call:
        bound = self._blank("number", longest) if _is_number(longest) else longest
        return shape.Call(name, (bound, *moments))

    def _values(self, values: shape.Values, apart: frozenset[str]) -> shape.Values:
        """How many names are listed does not matter where each has rows of its own."""
        names = tuple(variable.name for variable in values.variables)
        prop = self._names.get(names[0]) if len(names) == 1 else None
        rows: tuple[tuple[shape.Iri | shape.Lit | None, ...], ...]
        rows = tuple(sorted(values.rows, key=repr))
        listed = tuple(cell.lexical for row in rows for cell in row if isinstance(cell, shape.Lit))
        if prop is not None and len(listed) == len(rows):
            number = "one" if len(rows) == 1 and names[0] not in apart else "several"
            rows = ((self._blank(prop, listed), shape.Lit("", number)),)
        return shape.Values(self._any(values.variables, apart), rows)

    def _call(self, call: shape.Call, apart: frozenset[str]) -> shape.Call:
        name, arguments = call.name, call.arguments
        if name == _FLOOR_TIME:
            moment, bucket, _ = arguments
            length = self._blank("bucket", bucket)
            return shape.Call(name, (self._any(moment, apart), length, _ANY_ZONE))
        if name in _EQUALITIES:
            prop = next((self._names[v] for v in _variables(arguments) if v in self._names), "")
            whole = tuple(self._part(part, apart, prop) for part in arguments)
            return shape.Call(name, whole)
        if name in _BOUNDS:
            whole = tuple(
                self._blank("number", part) if _is_number(part) else self._any(part, apart)
                for part in arguments
            )
            included = name == "<" and any(_is_instant(part) for part in arguments)
            return shape.Call("<=" if included else name, whole)
        return shape.Call(name, self._any(arguments, apart), call.distinct)


def _variables(arguments: tuple[shape.Expression, ...]) -> list[str]:
    return [part.name for part in arguments if isinstance(part, shape.Var)]


def _is_instant(part: shape.Expression) -> bool:
    return isinstance(part, shape.Lit) and part.datatype == _DATE_TIME


def _is_number(part: shape.Expression) -> bool:
    if isinstance(part, shape.Call) and part.name == "-" and len(part.arguments) == 1:
        return _is_number(part.arguments[0])
    return isinstance(part, shape.Lit) and part.datatype in _NUMBERS


def _kept_apart(select: shape.Select) -> frozenset[str]:
    """The variables of which no row of the result holds two values."""
    shown = frozenset(column.variable.name for column in select.projection)
    if not is_grouped(select):
        return shown
    return shown & {key.name for key in select.group_by if isinstance(key, shape.Var)}


def _variables_of_names(query: shape.QueryShape) -> Mapping[str, str]:
    """The variables that hold the names of single things, each with the property that names."""
    triples = [
        element
        for group in all_groups(query.select)
        for element in group.elements
        if isinstance(element, shape.Triple)
    ]
    kinds = {t.subject: t.object for t in triples if t.predicate == shape.Iri(RDF_TYPE)}
    found = {}
    for triple in triples:
        match triple:
            case shape.Triple(subject, shape.Iri(prop), shape.Var(name)):
                kind = kinds.get(subject)
                named = isinstance(kind, shape.Iri) and kind.value in _NAMED_DEVICES
                if prop in _NAMES or (prop == _DEVICE_NAME and named):
                    found[name] = prop
            case _:
                pass
    return found
