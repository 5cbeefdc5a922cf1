"""Whether the parts of each group are joined, or multiply each other without meaning to."""

from collections.abc import Iterable
from dataclasses import dataclass

from ontology import shape
from ontology.scopes import bound_by, bound_in, exported
from ontology.shape_walk import all_selects, exists_groups, groups_in, is_grouped, variables_of
from ontology.violations import Rule, Violation
from ontology.vocabulary import DATA

Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class _Part:
    """One thing that must be joined with the others: what it binds, how it reads."""

    names: Names
    text: str


def connectivity_violations(query: shape.QueryShape) -> tuple[Violation, ...]:
    """Groups of which parts share nothing, and MINUS that can take nothing away."""
    found: list[Violation] = []
    for select in all_selects(query.select):
        found.extend(_in_group(select.where, frozenset(), select.values))
    return tuple(dict.fromkeys(found))


def _in_group(
    group: shape.Group, outer: Names, values: shape.Values | None = None
) -> list[Violation]:
    parts: list[_Part] = [_Part(outer, "")] if outer else []
    joins: list[Names] = []
    found: list[Violation] = []
    _collect(group, parts, joins, found, outer)
    if values is not None and len(values.rows) > 1:
        parts.append(_Part(frozenset(v.name for v in values.variables), "VALUES"))
    components = _components(parts, joins)
    if len(components) > 1:
        texts = [_texts(component) for component in components]
        message = f"nothing joins {texts[0]} with {texts[1]}: every pair would be combined"
        hint = ("join them by a property, a shared variable or a FILTER",)
        found.append(Violation(Rule.DISCONNECTED, texts[1], message, hint))
    return found


def _collect(
    group: shape.Group,
    parts: list[_Part],
    joins: list[Names],
    found: list[Violation],
    outer: Names,
) -> None:
    visible = bound_in(group) | outer
    for element in group.elements:
        match element:
            case shape.Triple():
                parts.append(_Part(_triple_names(element), _triple_text(element)))
            case shape.Filter(expression):
                joins.append(variables_of(expression))
                for inner in exists_groups(expression):
                    shared = _used_in(inner) & visible
                    joins.append(shared)
                    found.extend(_in_group(inner, shared))
            case shape.Bind(expression, variable):
                joins.append(variables_of(expression) | {variable.name})
            case shape.Values(variables, rows) if len(rows) > 1:
                parts.append(_Part(frozenset(v.name for v in variables), "VALUES"))
            case shape.SubSelect(select) if not _is_one_row(select):
                parts.append(_Part(exported(select), "a sub-select"))
            case shape.InGraph(_, inner) | shape.Union((inner,)):
                if all(
                    isinstance(e, shape.SubSelect) and _is_one_row(e.select) for e in inner.elements
                ):
                    continue
                _collect(inner, parts, joins, found, outer)
            case shape.Union(branches):
                parts.append(_Part(bound_by(element), "UNION"))
                for branch in branches:
                    found.extend(_in_group(branch, frozenset()))
            case shape.OptionalGroup(inner):
                shared = _used_in(inner) & visible - _only_in(element, group)
                parts.append(_Part(bound_in(inner) | shared, "OPTIONAL"))
                found.extend(_in_group(inner, shared))
            case shape.Minus(inner):
                if not bound_in(inner) & visible:
                    message = "MINUS shares no variable with the group, so it takes nothing away"
                    found.append(Violation(Rule.DISCONNECTED, "MINUS", message))
                found.extend(_in_group(inner, bound_in(inner) & visible))
            case _:
                pass


def _only_in(element: shape.Element, group: shape.Group) -> Names:
    others: set[str] = set()
    for other in group.elements:
        if other is not element:
            others |= bound_by(other)
    return bound_by(element) - others


def _used_in(group: shape.Group) -> Names:
    found = set(bound_in(group))
    for element in group.elements:
        if isinstance(element, (shape.Filter, shape.Bind)):
            found |= variables_of(element.expression)
        for inner in groups_in(element):
            found |= _used_in(inner)
    return frozenset(found)


def _is_one_row(select: shape.Select) -> bool:
    return (is_grouped(select) and not select.group_by) or select.limit == 1


def _triple_names(triple: shape.Triple) -> Names:
    """The variables of a triple, and the things of the data that it names."""
    found: set[str] = set()
    for term in (triple.subject, triple.predicate, triple.object):
        if isinstance(term, shape.Var):
            found.add(term.name)
        elif isinstance(term, shape.Iri) and term.value.startswith(DATA):
            found.add(f"<{term.value}>")
    return frozenset(found)


def _triple_text(triple: shape.Triple) -> str:
    names = [t.name for t in (triple.subject, triple.object) if isinstance(t, shape.Var)]
    shown = [f"?{name}" for name in names if not name.startswith("_:")]
    return shown[0] if shown else "a pattern"


def _components(parts: list[_Part], joins: Iterable[Names]) -> list[list[_Part]]:
    """The parts in sets that are joined, in the order of their first part."""
    components: list[tuple[set[str], list[_Part]]] = []
    # A pattern without variables is a test that multiplies nothing.
    for part in [part for part in parts if part.names] + [_Part(names, "") for names in joins]:
        names, members = set(part.names), [part]
        rest: list[tuple[set[str], list[_Part]]] = []
        for known, others in components:
            if known & names:
                names |= known
                members = [*others, *members]
            else:
                rest.append((known, others))
        components = [*rest, (names, members)]
    order = {id(part): at for at, part in enumerate(parts)}
    real = [[part for part in members if id(part) in order] for _, members in components]
    return sorted((members for members in real if members), key=lambda m: order[id(m[0])])


def _texts(component: list[_Part]) -> str:
    texts = dict.fromkeys(part.text for part in component if part.text)
    return ", ".join(list(texts)[:4]) or "the group around it"
