"""Which variables are bound where, and expressions that use them out of scope."""

from collections.abc import Iterator
from dataclasses import dataclass

from ontology import shape
from ontology.shape_walk import all_groups, all_selects, exists_groups, variables_of
from ontology.violations import Rule, Violation

Names = frozenset[str]


def bound_in(group: shape.Group) -> Names:
    """Names of the variables that ``group`` may bind."""
    found: set[str] = set()
    for element in group.elements:
        found |= bound_by(element)
    return frozenset(found)


def bound_by(element: shape.Element) -> Names:
    """Names of the variables that ``element`` may bind in its group."""
    match element:
        case shape.Triple(subject, predicate, value):
            terms = (subject, predicate, value)
            return frozenset(term.name for term in terms if isinstance(term, shape.Var))
        case shape.Bind(_, variable):
            return frozenset({variable.name})
        case shape.OptionalGroup(group):
            return bound_in(group)
        case shape.InGraph(name, group):
            named = {name.name} if isinstance(name, shape.Var) else set()
            return bound_in(group) | named
        case shape.Union(branches):
            return frozenset().union(*(bound_in(branch) for branch in branches))
        case shape.Values(variables, _):
            return frozenset(variable.name for variable in variables)
        case shape.SubSelect(select):
            return exported(select)
        case _:
            return frozenset()


def exported(select: shape.Select) -> Names:
    """Names of the variables that ``select`` hands out."""
    if select.is_star:
        bound = {name for name in bound_in(select.where) if not name.startswith("_:")}
        if select.values is not None:
            bound |= {variable.name for variable in select.values.variables}
        return frozenset(bound)
    return frozenset(column.variable.name for column in select.projection)


@dataclass(frozen=True, slots=True)
class _Scopes:
    everywhere: Names
    """Variables bound anywhere in the query: a use elsewhere is out of scope, not unbound."""

    def of_select(self, select: shape.Select, outer: Names) -> Iterator[Violation]:
        visible = bound_in(select.where)
        if select.values is not None:
            visible |= {variable.name for variable in select.values.variables}
        yield from self.in_group(select.where, outer)
        aliases: set[str] = set()
        for key in select.group_by:
            if isinstance(key, shape.Projected) and key.expression is not None:
                yield from self.used(key.expression, visible | outer)
                aliases.add(key.variable.name)
            elif not isinstance(key, shape.Projected):
                yield from self.used(key, visible | outer)
        visible |= aliases
        yield from self.having(select, visible | outer)
        yield from self.projected(select, visible, outer)
        named = visible | {column.variable.name for column in select.projection}
        for _, expression in select.order_by:
            yield from self.used(expression, named | outer)

    def having(self, select: shape.Select, visible: Names) -> Iterator[Violation]:
        columns = {c.variable.name for c in select.projection if c.expression is not None}
        for expression in select.having:
            for name in sorted(variables_of(expression) & columns - visible):
                message = "HAVING does not see the names of columns; write the aggregate out"
                yield Violation(Rule.SCOPE, f"?{name}", message)
            yield from self.used(expression, visible | columns)

    def projected(self, select: shape.Select, visible: Names, outer: Names) -> Iterator[Violation]:
        taken: set[str] = set()
        for column in select.projection:
            name = column.variable.name
            if name in taken:
                message = "two columns have the same name"
                yield Violation(Rule.DUPLICATE_ALIAS, f"?{name}", message)
            elif column.expression is None:
                if name not in visible:
                    message = "the column is never bound and would be empty"
                    yield Violation(
                        Rule.UNBOUND_PROJECTION, f"?{name}", message, _variables(visible)
                    )
            else:
                yield from self.used(column.expression, visible | frozenset(taken) | outer)
                if name in visible:
                    message = "the alias is already the name of a variable of the body"
                    yield Violation(Rule.BIND_REDEFINE, f"?{name}", message)
            taken.add(name)

    def in_group(
        self, group: shape.Group, outer: Names, beside: Names = frozenset()
    ) -> Iterator[Violation]:
        """``outer`` is seen by all expressions; ``beside`` only by FILTERs of this group."""
        all_bound = bound_in(group)
        before: Names = frozenset()
        for element in group.elements:
            match element:
                case shape.Filter(expression):
                    yield from self.used(expression, all_bound | outer | beside)
                case shape.Bind(expression, variable):
                    yield from self.bound(element, before, all_bound, outer)
                    if variable.name in before:
                        message = "BIND may not give a value to a variable that has one"
                        yield Violation(Rule.BIND_REDEFINE, f"?{variable.name}", message)
                case shape.OptionalGroup(inner):
                    yield from self.in_group(inner, outer, before)
                case shape.Minus(inner) | shape.InGraph(_, inner):
                    yield from self.in_group(inner, outer)
                case shape.Union(branches):
                    for branch in branches:
                        yield from self.in_group(branch, outer)
                case shape.SubSelect(select):
                    yield from self.of_select(select, outer)
                case _:
                    pass
            before |= bound_by(element)

    def bound(
        self, bind: shape.Bind, before: Names, in_group: Names, outer: Names
    ) -> Iterator[Violation]:
        for name in sorted(variables_of(bind.expression) - before - outer):
            if name in in_group and name != bind.variable.name:
                message = "BIND stands before the pattern that binds its input"
                yield Violation(Rule.BIND_ORDER, f"?{name}", message)
            else:
                yield self.unseen(name, before)
        for group in exists_groups(bind.expression):
            yield from self.in_group(group, outer | before)

    def used(self, expression: shape.Expression, visible: Names) -> Iterator[Violation]:
        for name in sorted(variables_of(expression) - visible):
            yield self.unseen(name, visible)
        for group in exists_groups(expression):
            yield from self.in_group(group, visible)

    def unseen(self, name: str, visible: Names) -> Violation:
        if name in self.everywhere:
            message = "the variable is bound, but not where this expression can see it"
            return Violation(Rule.SCOPE, f"?{name}", message, _variables(visible))
        message = "the variable is never bound, so the expression always fails"
        return Violation(Rule.UNBOUND_FILTER, f"?{name}", message, _variables(visible))


def scope_violations(query: shape.QueryShape) -> tuple[Violation, ...]:
    """Every use of a variable where it cannot have a value, and every name given twice."""
    everywhere: set[str] = set()
    for group in all_groups(query.select):
        everywhere |= bound_in(group)
    for select in all_selects(query.select):
        everywhere |= exported(select) | bound_in(select.where)
        if select.is_star and not bound_in(select.where):
            return (Violation(Rule.UNBOUND_PROJECTION, "*", "the body binds no variable"),)
    return tuple(_Scopes(frozenset(everywhere)).of_select(query.select, frozenset()))


def _variables(names: Names) -> tuple[str, ...]:
    return tuple(f"?{name}" for name in sorted(names) if not name.startswith("_:"))
