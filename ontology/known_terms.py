"""Whether every name of a query exists in the role it stands in."""

from collections.abc import Iterator
from typing import Final

from ontology import shape
from ontology.functions import ANALYTIC, BUILTINS, CASTS, FORBIDDEN
from ontology.literals import literal_fault
from ontology.schema import ClassTerm, Property, Schema, Term
from ontology.shape_walk import all_groups, all_selects, expressions_of, names_in, parts_of
from ontology.suggestions import closest, written
from ontology.type_space import BUILTIN_PROPERTIES, SUBCLASS_OF, local, type_space
from ontology.violations import Rule, Violation
from ontology.vocabulary import DATA, DATATYPES, FUNCTION, ODA, RDF_TYPE

_OPERATORS: Final = frozenset(
    ("||", "&&", "!", "=", "!=", "<", ">", "<=", ">=", "IN", "NOT IN", "+", "-", "*", "/")
)
_UNTYPED: Final = frozenset(("IF", "COALESCE"))


def unknown_terms(
    query: shape.QueryShape, schema: Schema, graphs: frozenset[str]
) -> tuple[Violation, ...]:
    """Every name that is unknown, not granted, or known in another role; and faulty literals."""
    found = [_graph(iri) for iri in query.from_graphs if iri not in graphs]
    for group in all_groups(query.select):
        listed = listed_predicates(group)
        predicates = frozenset(
            element.predicate.name
            for element in group.elements
            if isinstance(element, shape.Triple) and isinstance(element.predicate, shape.Var)
        )
        for element in group.elements:
            if isinstance(element, shape.Values):
                found.extend(_in_values(element, schema, predicates))
            else:
                found.extend(_in_element(element, schema, graphs, listed))
    for select in all_selects(query.select):
        for expression in expressions_of(select):
            found.extend(_in_expression(expression, schema))
        if select.values is not None:
            found.extend(_in_values(select.values, schema, frozenset()))
    return tuple(dict.fromkeys(found))


def unrecorded_terms(query: shape.QueryShape, schema: Schema) -> tuple[Violation, ...]:
    """A warning for each name that exists but that no source fills."""
    known: dict[Term, ClassTerm | Property] = {**schema.classes, **schema.properties}
    message = "the schema has this, but no source records it: it matches nothing"
    return tuple(
        Violation(Rule.NOT_RECORDED, written(iri), message)
        for iri in sorted(names_in(query))
        if iri in known and not known[iri].is_recorded
    )


def listed_predicates(group: shape.Group) -> dict[str, tuple[Term, ...]]:
    """Variables of ``group`` that VALUES, IN or = bind to listed names, with those names."""
    found: dict[str, tuple[Term, ...]] = {}
    for element in group.elements:
        match element:
            case shape.Values(variables, rows):
                for at, variable in enumerate(variables):
                    cells = [row[at] for row in rows]
                    names = tuple(cell.value for cell in cells if isinstance(cell, shape.Iri))
                    if len(names) == len(cells):
                        found[variable.name] = names
            case shape.Filter(shape.Call("IN" | "=", (shape.Var(name), *listed))):
                names = tuple(term.value for term in listed if isinstance(term, shape.Iri))
                if len(names) == len(listed):
                    found[name] = names
            case _:
                pass
    return found


def _in_element(
    element: shape.Element,
    schema: Schema,
    graphs: frozenset[str],
    listed: dict[str, tuple[Term, ...]],
) -> Iterator[Violation]:
    match element:
        case shape.Triple(subject, predicate, value):
            yield from _in_predicate(predicate, schema, listed)
            yield from _in_term(subject, schema)
            if isinstance(value, shape.Iri) and _ends_in_class(predicate):
                yield from _as_class(value.value, schema)
            else:
                yield from _in_term(value, schema)
        case shape.Filter(expression) | shape.Bind(expression, _):
            yield from _in_expression(expression, schema)
        case shape.InGraph(name, _):
            if not isinstance(name, shape.Iri):
                yield _graph("a variable")
            elif name.value not in graphs:
                yield _graph(name.value)
        case _:
            pass


def _graph(name: str) -> Violation:
    message = "this graph is not granted to the query"
    return Violation(Rule.GRAPH_NOT_GRANTED, name, message)


def _in_values(
    values: shape.Values, schema: Schema, predicates: frozenset[str]
) -> Iterator[Violation]:
    for at, variable in enumerate(values.variables):
        # Names listed for a predicate are looked up as properties where it stands.
        if variable.name not in predicates:
            for row in values.rows:
                cell = row[at]
                if cell is not None:
                    yield from _in_term(cell, schema)


def _in_predicate(
    predicate: shape.Path | shape.Var, schema: Schema, listed: dict[str, tuple[Term, ...]]
) -> Iterator[Violation]:
    match predicate:
        case shape.Var(name):
            if not listed.get(name):
                message = "a predicate must be named, or listed in VALUES beside it"
                yield Violation(Rule.VARIABLE_PREDICATE, f"?{name}", message)
            for iri in listed.get(name, ()):
                yield from _as_property(iri, schema)
        case shape.Iri(iri):
            yield from _as_property(iri, schema)
        case shape.Inverse(path) | shape.Repeat(path, _, _):
            yield from _in_predicate(path, schema, listed)
        case shape.Sequence(parts) | shape.Alternative(parts):
            for part in parts:
                yield from _in_predicate(part, schema, listed)
        case shape.Negated():
            message = "a negated path would match every other property; name those wanted"
            yield Violation(Rule.NEGATED_PATH, "!", message)


def _ends_in_class(predicate: shape.Path | shape.Var) -> bool:
    match predicate:
        case shape.Iri(iri):
            return iri in (RDF_TYPE, SUBCLASS_OF)
        case shape.Sequence(parts):
            return _ends_in_class(parts[-1])
        case shape.Repeat(path, _, _):
            return _ends_in_class(path)
        case _:
            return False


def _as_property(iri: Term, schema: Schema) -> Iterator[Violation]:
    if iri in schema.properties or iri in BUILTIN_PROPERTIES:
        return
    where = written(iri)
    near = closest(local(iri), schema.properties)
    if iri in schema.classes:
        yield Violation(Rule.KIND, where, f"{where} is a class, not a property", near)
    elif iri.startswith(ODA):
        yield Violation(Rule.UNKNOWN_PROPERTY, where, f"there is no property {where}", near)
    else:
        yield _foreign(iri, schema)


def _as_class(iri: Term, schema: Schema) -> Iterator[Violation]:
    if iri in schema.classes:
        return
    where = written(iri)
    near = closest(local(iri), schema.classes)
    if iri in schema.properties:
        yield Violation(Rule.KIND, where, f"{where} is a property, not a class", near)
    elif iri.startswith(ODA):
        yield Violation(Rule.UNKNOWN_CLASS, where, f"there is no class {where}", near)
    else:
        yield _foreign(iri, schema)


def _foreign(iri: Term, schema: Schema) -> Violation:
    name = local(iri)
    same = [ODA + name] if ODA + name in {*schema.classes, *schema.properties} else []
    near = (written(same[0]),) if same else closest(name, {*schema.classes, *schema.properties})
    hint = tuple(f"{term} with PREFIX oda: <{ODA}>" for term in near)
    message = "the name is in a namespace that the graph does not use"
    return Violation(Rule.UNKNOWN_NAMESPACE, written(iri), message, hint)


def _in_term(term: shape.Term, schema: Schema) -> Iterator[Violation]:
    if isinstance(term, shape.Lit):
        fault = literal_fault(term)
        if fault is not None:
            yield fault
    elif isinstance(term, shape.Iri):
        iri = term.value
        if iri.startswith(DATA):
            if type_space(schema).class_of_data(iri) is None:
                paths = (path for path, _ in type_space(schema).iri_paths)
                kind = iri.removeprefix(DATA).split("/")[0]
                hint = closest(kind, (DATA + path.rstrip("/") for path in paths), most=3)
                message = "no kind of thing has such names"
                yield Violation(Rule.UNKNOWN_ENTITY, written(iri), message, hint)
        elif not _is_known(iri, schema):
            if iri.startswith(ODA):
                near = closest(local(iri), {*schema.classes, *schema.individuals})
                message = f"there is nothing called {written(iri)}"
                yield Violation(Rule.UNKNOWN_CLASS, written(iri), message, near)
            else:
                yield _foreign(iri, schema)


def _is_known(iri: Term, schema: Schema) -> bool:
    return (
        iri in schema.classes
        or iri in schema.properties
        or iri in schema.individuals
        or iri in schema.resources
        or iri in DATATYPES
        or iri in BUILTIN_PROPERTIES
    )


def _in_expression(expression: shape.Expression, schema: Schema) -> Iterator[Violation]:
    for part in parts_of(expression):
        if isinstance(part, shape.Call):
            yield from _in_call(part)
        elif isinstance(part, (shape.Iri, shape.Lit)):
            yield from _in_term(part, schema)


def _in_call(call: shape.Call) -> Iterator[Violation]:
    name = call.name
    if name in FORBIDDEN:
        yield Violation(Rule.FORBIDDEN_FUNCTION, name, FORBIDDEN[name])
    elif name in _OPERATORS or name in BUILTINS or name in _UNTYPED:
        return
    elif name in ANALYTIC or name in CASTS:
        known = ANALYTIC.get(name)
        expected = len(known.arguments) if known is not None else 1
        if len(call.arguments) != expected:
            message = f"takes {expected} argument(s), not {len(call.arguments)}"
            hint = (known.comment,) if known is not None else ()
            yield Violation(Rule.FUNCTION_ARGUMENT, written(name), message, hint)
    else:
        pool = ANALYTIC if name.startswith(FUNCTION) else {**ANALYTIC, **CASTS}
        message = "there is no such function"
        near = closest(local(name), pool)
        yield Violation(Rule.UNKNOWN_FUNCTION, written(name), message, near)
