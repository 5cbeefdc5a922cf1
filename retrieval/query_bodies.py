"""What must hold of every row of a query: the patterns of each SELECT that nothing loosens."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ontology import shape
from ontology.shape_walk import all_selects, exists_groups, expressions_of, groups_in
from ontology.suggestions import written
from ontology.vocabulary import HAS_READING, ODA

_IS_READING_OF = ODA + "isReadingOf"
_HAS_SENSOR = ODA + "hasSensor"
_IS_SENSOR_OF = ODA + "isSensorOf"
_LOOSENING = (shape.OptionalGroup, shape.Minus, shape.Union)


@dataclass(slots=True)
class Body:
    """The patterns that all rows of one SELECT keep, those of EXISTS included."""

    triples: list[shape.Triple] = field(default_factory=list)
    tests: list[shape.Expression] = field(default_factory=list)
    """The filters, taken apart where they are joined by AND."""
    lists: list[shape.Values] = field(default_factory=list)

    def objects(self, subject: shape.Term, prop: str) -> list[shape.Term]:
        """What stands behind ``prop`` of ``subject``."""
        name = shape.Iri(prop)
        return [t.object for t in self.triples if (t.subject, t.predicate) == (subject, name)]

    def properties_of(self, variable: str) -> frozenset[str]:
        """The properties that ``variable`` is the value of."""
        return frozenset(
            t.predicate.value
            for t in self.triples
            if t.object == shape.Var(variable) and isinstance(t.predicate, shape.Iri)
        )

    def joined(self, prop: str, inverse: str) -> list[tuple[shape.Term, shape.Term]]:
        """The pairs that ``prop`` joins, whichever way round it is written."""
        found = []
        for triple in self.triples:
            if triple.predicate == shape.Iri(prop):
                found.append((triple.subject, triple.object))
            elif triple.predicate == shape.Iri(inverse):
                found.append((triple.object, triple.subject))
        return found

    @property
    def readings(self) -> list[tuple[shape.Term, shape.Term]]:
        """Each sensor with its reading."""
        return self.joined(HAS_READING, _IS_READING_OF)

    @property
    def sensors(self) -> list[tuple[shape.Term, shape.Term]]:
        """Each owner with its sensor."""
        return self.joined(_HAS_SENSOR, _IS_SENSOR_OF)

    def values_of(self, variable: str) -> frozenset[str] | None:
        """The texts that ``variable`` must be one of; None where nothing lists them."""
        found: set[str] | None = None
        for one in (*map(_listed, self.lists), *map(equal_to, self.tests)):
            if one is not None and one[0] == variable:
                found = set(one[1]) if found is None else found & one[1]
        return None if found is None else frozenset(found)


def bodies_of(select: shape.Select) -> tuple[Body, ...]:
    """The body of ``select`` and of each SELECT within it."""
    return tuple(body_of(each) for each in all_selects(select))


def body_of(select: shape.Select) -> Body:
    """The body of ``select`` alone."""
    body = Body()
    _fill(body, select.where)
    if select.values is not None:
        body.lists.append(select.values)
    return body


def patterns_of(select: shape.Select) -> Body:
    """The patterns of ``select`` that give a row for each way to match them: none of EXISTS."""
    body = Body()
    _fill(body, select.where, with_tests=False)
    return body


def loosened_groups(select: shape.Select) -> Iterator[shape.Group]:
    """Groups that a row need not match: of OPTIONAL, MINUS, UNION and NOT EXISTS."""
    for each in all_selects(select):
        yield from _loose(each.where)
        for expression in expressions_of(each):
            yield from exists_groups(expression)


def conjuncts(expression: shape.Expression) -> Iterator[shape.Expression]:
    """The parts of ``expression`` that must all be true."""
    if isinstance(expression, shape.Call) and expression.name == "&&":
        for part in expression.arguments:
            yield from conjuncts(part)
    else:
        yield expression


def equal_to(test: shape.Expression) -> tuple[str, frozenset[str]] | None:
    """The variable that ``test`` holds to some texts, with these; None for any other test."""
    match test:
        case shape.Call("=", (shape.Var(name), shape.Lit(text))) | shape.Call(
            "=", (shape.Lit(text), shape.Var(name))
        ):
            return name, frozenset({text})
        case shape.Call("IN", (shape.Var(name), *listed)):
            texts = [part.lexical for part in listed if isinstance(part, shape.Lit)]
            return (name, frozenset(texts)) if len(texts) == len(listed) else None
        case shape.Call("||", parts):
            each = [equal_to(part) for part in parts]
            known = [one for one in each if one is not None]
            if len(known) == len(each) and len({name for name, _ in known}) == 1:
                return known[0][0], frozenset().union(*(texts for _, texts in known))
        case _:
            pass
    return None


def _listed(values: shape.Values) -> tuple[str, frozenset[str]] | None:
    cells = [cell for row in values.rows for cell in row]
    texts = [cell.lexical for cell in cells if isinstance(cell, shape.Lit)]
    if len(values.variables) != 1 or len(texts) != len(cells):
        return None
    return values.variables[0].name, frozenset(texts)


def _fill(body: Body, group: shape.Group, with_tests: bool = True) -> None:
    for element in group.elements:
        match element:
            case shape.Triple():
                body.triples.append(element)
            case shape.Values():
                body.lists.append(element)
            case shape.Union((branch,)):
                _fill(body, branch, with_tests)
            case shape.Filter(expression) if with_tests:
                for part in conjuncts(expression):
                    if isinstance(part, shape.Exists) and not part.negated:
                        _fill(body, part.group)
                    else:
                        body.tests.append(part)
            case _:
                pass


def _loose(group: shape.Group) -> Iterator[shape.Group]:
    for element in group.elements:
        match element:
            case shape.Union((branch,)):
                yield from _loose(branch)
            case shape.SubSelect():
                pass
            case shape.Filter(expression):
                for part in conjuncts(expression):
                    kept = isinstance(part, shape.Exists) and not part.negated
                    for inner in groups_in(shape.Filter(part)):
                        if kept:
                            yield from _loose(inner)
                        else:
                            yield inner
            case _:
                yield from groups_in(element) if isinstance(element, _LOOSENING) else ()


def shown(term: shape.Term) -> str:
    """``term`` as a complaint names it."""
    match term:
        case shape.Var(name):
            return f"?{name}"
        case shape.Iri(name):
            return written(name)
        case shape.Lit(text):
            return f'"{text}"'
