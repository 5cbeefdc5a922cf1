"""Reads rdflib's algebra: variables, conjunctions, and groups with their parts laid open."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rdflib import Variable
from rdflib.plugins.sparql.parserutils import CompValue

from retrieval.virtual_patterns import Triple, leads_to_readings, variables
from retrieval.virtual_rows import NotTranslatable

_EXISTS = ("Builtin_EXISTS", "Builtin_NOTEXISTS")
GROUPS = frozenset({"BGP", "Join", "Extend", "Filter"})


@dataclass(slots=True)
class Group:
    """What is joined in a group, and what is then computed and asked of each solution."""

    triples: list[Triple] = field(default_factory=list)
    operands: list[CompValue] = field(default_factory=list)
    binds: list[tuple[str, Any]] = field(default_factory=list)
    conditions: list[Any] = field(default_factory=list)
    tests: list["ExistsTest"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ExistsTest:
    """One EXISTS or NOT EXISTS."""

    pattern: CompValue
    wanted: bool
    """Whether a solution must exist, rather than must not."""


def names_in(node: Any) -> set[str]:
    """The variables that an expression mentions, those of patterns within it too."""
    if isinstance(node, Variable):
        return {str(node)}
    if isinstance(node, CompValue):
        return {name for key, part in node.items() if key != "_vars" for name in names_in(part)}
    if isinstance(node, list | tuple | set):
        return {name for part in node for name in names_in(part)}
    return set()


def visible(node: CompValue) -> set[str]:
    """The variables that solutions of ``node`` may bind."""
    match node.name:
        case "BGP":
            return variables(node.triples)
        case "Project":
            return {str(name) for name in node.PV}
        case "Extend":
            return visible(node.p) | {str(node.var)}
        case "AggregateJoin":
            return {str(aggregate.res) for aggregate in node.A}
        case "values":
            return {str(name) for row in node.res for name in row}
        case "Minus":
            return visible(node.p1)
        case "Join" | "LeftJoin" | "Union":
            return visible(node.p1) | visible(node.p2)
        case _:
            return visible(node.p) if isinstance(node.p, CompValue) else set()


def certain(node: CompValue) -> set[str]:
    """The variables that every solution of ``node`` binds."""
    match node.name:
        case "BGP":
            return variables(node.triples)
        case "Project":
            return certain(node.p) & {str(name) for name in node.PV}
        case "AggregateJoin":
            counts = ("Aggregate_Count",)
            found = {str(a.res) for a in node.A if a.name in counts}
            keys = {k for k in node.p.expr or () if isinstance(k, Variable)}
            below = certain(node.p.p)
            samples = (a for a in node.A if a.name == "Aggregate_Sample" and a.vars in keys)
            return found | {str(a.res) for a in samples if str(a.vars) in below}
        case "values":
            rows = [{str(n) for n, v in row.items() if str(v) != "UNDEF"} for row in node.res]
            return set.intersection(*rows) if rows else set()
        case "Union":
            return certain(node.p1) & certain(node.p2)
        case "Join":
            return certain(node.p1) | certain(node.p2)
        case "LeftJoin" | "Minus":
            return certain(node.p1)
        case "Extend":
            below = certain(node.p)
            copies = isinstance(node.expr, Variable) and str(node.expr) in below
            return below | {str(node.var)} if copies else below
        case _:
            return certain(node.p) if isinstance(node.p, CompValue) else set()


def is_distinct(node: CompValue) -> bool:
    """Whether no two solutions can be equal, since all that is grouped by is among them."""
    names = {str(name) for name in node.PV} if node.name == "Project" else visible(node)
    copies: dict[str, set[str]] = {}
    here = node
    while here.name in ("Project", "OrderBy", "Extend", "Filter"):
        if here.name == "Extend" and isinstance(here.expr, Variable):
            copies.setdefault(str(here.expr), set()).add(str(here.var))
        here = here.p
    if here.name != "AggregateJoin":
        return False
    shown = {
        str(a.vars)
        for a in here.A
        if a.name == "Aggregate_Sample" and ({str(a.res)} | copies.get(str(a.res), set())) & names
    }
    return {str(key) for key in here.p.expr or ()} <= shown


def conjuncts(expression: Any) -> list[Any]:
    """The parts of a conjunction, however nested."""
    if isinstance(expression, CompValue) and expression.name == "ConditionalAndExpression":
        parts = [expression.expr, *expression.other]
        return [leaf for part in parts for leaf in conjuncts(part)]
    return [expression]


def laid_open(node: CompValue, outermost: bool = True) -> Group:
    """The parts of a group; what cannot be lifted out of a nested group stays one operand."""
    match node.name:
        case "BGP":
            return Group(triples=list(node.triples))
        case "Join":
            return _merged(node)
        case "Extend":
            group = laid_open(node.p, outermost)
            group.binds.append((str(node.var), node.expr))
            return group
        case "Filter":
            tests, conditions = _tests(node.expr)
            free = names_in(conditions) - certain(node.p)
            if not outermost and (tests or free):
                return Group(operands=[node])
            group = laid_open(node.p, outermost)
            group.conditions += conditions
            group.tests += tests
            return group
        case _:
            return Group(operands=[node])


def _merged(node: CompValue) -> Group:
    sides = [laid_open(side, outermost=False) for side in (node.p1, node.p2)]
    for number, (side, part) in enumerate(zip((node.p1, node.p2), sides, strict=True)):
        other = (node.p2, node.p1)[number]
        made = {name for name, _ in part.binds}
        read = names_in([expr for _, expr in part.binds])
        if made & visible(other) or (read - certain(side)) & visible(other):
            sides[number] = Group(operands=[side])
    one, two = sides
    return Group(
        [*one.triples, *two.triples],
        [*one.operands, *two.operands],
        [*one.binds, *two.binds],
        [*one.conditions, *two.conditions],
        [],
    )


def _tests(expression: Any) -> tuple[list[ExistsTest], list[Any]]:
    tests, conditions = [], []
    for part in conjuncts(expression):
        inner, negated = part, False
        if isinstance(part, CompValue) and part.name == "UnaryNot":
            inner, negated = part.expr, True
        if isinstance(inner, CompValue) and inner.name in _EXISTS:
            wanted = (inner.name == "Builtin_EXISTS") != negated
            tests.append(ExistsTest(_pattern(inner), wanted))
        elif _holds_exists(part):
            raise NotTranslatable("EXISTS within an expression")
        else:
            conditions.append(part)
    return tests, conditions


def _pattern(test: CompValue) -> CompValue:
    # The attribute is the algebra; the entry of the same name is still the parse tree.
    pattern = test.graph
    if not isinstance(pattern, CompValue) or pattern.name == "GroupGraphPatternSub":
        raise NotTranslatable("an EXISTS without algebra")
    return pattern


def _holds_exists(node: Any) -> bool:
    if isinstance(node, CompValue):
        return node.name in _EXISTS or any(_holds_exists(part) for part in node.values())
    if isinstance(node, list):
        return any(_holds_exists(part) for part in node)
    return False


def patterns_in(node: Any) -> Iterator[CompValue]:
    """Every basic graph pattern of a query, those of EXISTS too."""
    if isinstance(node, CompValue):
        if node.name == "BGP":
            yield node
        elif node.name in _EXISTS:
            yield from patterns_in(_pattern(node))
        else:
            for key, part in node.items():
                if key != "_vars":
                    yield from patterns_in(part)
    elif isinstance(node, list | tuple):
        for part in node:
            yield from patterns_in(part)


def mentions_readings(node: CompValue) -> bool:
    """Whether a pattern may scan readings."""
    return any(leads_to_readings(p) for bgp in patterns_in(node) for _, p, _ in bgp.triples)
