"""Infers what each variable can be, group by group, and reports groups that match nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from ontology import shape
from ontology.expression_types import ExpressionTypes
from ontology.known_terms import listed_predicates
from ontology.schema import Schema
from ontology.type_facts import Fact, Link, Statements, contradiction, path_text
from ontology.type_space import Mask, TypeSpace, type_space
from ontology.violations import Rule, Violation

Known = dict[str, Mask]


def type_violations(query: shape.QueryShape, schema: Schema) -> tuple[Violation, ...]:
    """Every contradiction of types, every operator that cannot work; dead branches as warnings."""
    inference = _Inference(type_space(schema), count())
    inference.of_select(query.select)
    return tuple(dict.fromkeys(inference.found))


@dataclass(slots=True)
class _Inference:
    space: TypeSpace
    serial: Iterator[int]
    found: list[Violation] = field(default_factory=list)

    def of_select(self, select: shape.Select) -> Known | None:
        """What the columns of ``select`` can be; None if its body matches nothing."""
        known = self.of_group(select.where, {})
        if known is None:
            return None
        if select.values is not None:
            known = self._narrowed(known, list(self._of_values(select.values)))
            if known is None:
                return None
        types = self._expressions(known)
        for key in select.group_by:
            if isinstance(key, shape.Projected) and key.expression is not None:
                known[key.variable.name] = types.type_of(key.expression)
            elif not isinstance(key, shape.Projected):
                types.type_of(key)
        for expression in select.having:
            types.condition(expression)
        columns: Known = {}
        for column in select.projection:
            if column.expression is None:
                columns[column.variable.name] = known.get(column.variable.name, self.space.any)
            else:
                mask = types.type_of(column.expression)
                columns[column.variable.name] = known[column.variable.name] = mask
        for _, expression in select.order_by:
            types.type_of(expression)
        return known if select.is_star else columns

    def of_group(self, group: shape.Group, outer: Known) -> Known | None:
        """What variables can be within ``group``; None, and reported, if it matches nothing."""
        statements = Statements(self.space, self.serial)
        self._gather(group, statements)
        self.found.extend(statements.faults)
        known = self._narrowed(outer, statements.facts)
        known = self._linked(known, statements.links)
        for element in group.elements:
            if known is None:
                return None
            known = self._entered(element, known, statements)
        if known is None:
            return None
        self._dead_arms(statements.links, known)
        types = self._expressions(known)
        for element in group.elements:
            if isinstance(element, shape.Filter):
                types.condition(element.expression)
        return known

    def _gather(self, group: shape.Group, statements: Statements) -> None:
        listed = listed_predicates(group)
        for element in group.elements:
            if isinstance(element, shape.Triple):
                statements.add(element, listed)
            elif isinstance(element, shape.Values):
                statements.facts.extend(self._of_values(element))

    def _of_values(self, values: shape.Values) -> Iterator[Fact]:
        for at, variable in enumerate(values.variables):
            mask = 0
            for row in values.rows:
                cell = row[at]
                mask |= self.space.any if cell is None else self.space.of_constant(cell)
            if values.rows:
                yield Fact(variable.name, mask, "value")

    def _narrowed(self, outer: Known, facts: list[Fact]) -> Known | None:
        known = dict(outer)
        by_name: dict[str, list[Fact]] = {}
        for fact in facts:
            by_name.setdefault(fact.name, []).append(fact)
            known[fact.name] = known.get(fact.name, self.space.any) & fact.mask
            if not known[fact.name]:
                before = outer.get(fact.name, self.space.any)
                self.found.append(contradiction(self.space, by_name[fact.name], before))
                return None
        return known

    def _linked(self, known: Known | None, links: list[Link]) -> Known | None:
        """``known`` narrowed along ``links`` until nothing changes."""
        if known is None:
            return None
        changed = True
        while changed:
            changed = False
            for link in links:
                start = known.get(link.start, self.space.any)
                end = known.get(link.end, self.space.any)
                new_end = self.space.forward(link.path, start) & end
                new_start = self.space.backward(link.path, new_end) & start
                if not new_start or not new_end:
                    self.found.append(self._broken(link, start, end))
                    return None
                if (new_start, new_end) != (start, end):
                    known[link.start], known[link.end] = new_start, new_end
                    changed = True
        return known

    def _broken(self, link: Link, start: Mask, end: Mask) -> Violation:
        text, names = path_text(link.path), self.space.names
        message = f"{text} cannot lead from {names(start)} to {names(end)}"
        if link.start.startswith("/") or link.end.startswith("/"):
            return Violation(Rule.PATH_RANGE, text, message)
        if self.space.forward(link.path, end) & start:
            hint = (f"^{text}", "subject and object exchanged")
            return Violation(Rule.DIRECTION, text, f"{message}, only the other way round", hint)
        return Violation(Rule.RANGE, text, message)

    def _entered(
        self, element: shape.Element, known: Known, statements: Statements
    ) -> Known | None:
        match element:
            case shape.Bind(expression, variable):
                mask = self._expressions(known).type_of(expression)
                fact = Fact(variable.name, mask, "value")
                return self._linked(self._narrowed(known, [fact]), statements.links)
            case shape.Union((inner,)) | shape.InGraph(_, inner):
                return self._linked(self.of_group(inner, known), statements.links)
            case shape.Union(branches):
                return self._linked(self._of_branches(branches, known), statements.links)
            case shape.OptionalGroup(inner):
                return self._of_optional(inner, known)
            case shape.Minus(inner):
                self._must_match(inner, known, Rule.EXISTS_CONFLICT, "MINUS")
                return known
            case shape.SubSelect(select):
                columns = self.of_select(select)
                if columns is None:
                    return None
                facts = [Fact(name, mask, "value") for name, mask in columns.items()]
                return self._linked(self._narrowed(known, facts), statements.links)
            case _:
                return known

    def _of_branches(self, branches: tuple[shape.Group, ...], known: Known) -> Known | None:
        alive: list[Known] = []
        dead: list[Violation] = []
        for branch in branches:
            inner = _Inference(self.space, self.serial)
            found = inner.of_group(branch, known)
            if found is None:
                dead.extend(inner.found)
            else:
                alive.append(found)
                self.found.extend(inner.found)
        if not alive:
            self.found.extend(dead)
            return None
        for violation in dead:
            message = f"a branch matches nothing: {violation.message}"
            self.found.append(Violation(Rule.DEAD_BRANCH, violation.where, message))
        merged = dict(known)
        for name in {name for branch in alive for name in branch}:
            mask = 0
            for one in alive:
                mask |= one.get(name, 0)
            merged[name] = mask
        return merged

    def _of_optional(self, inner: shape.Group, known: Known) -> Known:
        found = self._must_match(inner, known, Rule.OPTIONAL_CONFLICT, "OPTIONAL")
        if found is None:
            return known
        return {**{name: mask for name, mask in found.items() if name not in known}, **known}

    def _must_match(self, group: shape.Group, known: Known, rule: Rule, what: str) -> Known | None:
        inner = _Inference(self.space, self.serial)
        found = inner.of_group(group, dict(known))
        if found is not None:
            self.found.extend(inner.found)
            return found
        for violation in inner.found:
            message = f"{what} can never match: {violation.message}"
            self.found.append(Violation(rule, violation.where, message, violation.suggestions))
        return None

    def _expressions(self, known: Known) -> ExpressionTypes:
        def exists(group: shape.Group) -> None:
            self._must_match(group, known, Rule.EXISTS_CONFLICT, "EXISTS")

        return ExpressionTypes(self.space, known, self.found.append, exists)

    def _dead_arms(self, links: list[Link], known: Known) -> None:
        for link in links:
            if isinstance(link.path, shape.Alternative):
                start = known.get(link.start, self.space.any)
                end = known.get(link.end, self.space.any)
                for arm in link.path.parts:
                    if not self.space.forward(arm, start) & end:
                        message = "this arm of the path matches nothing here"
                        self.found.append(Violation(Rule.DEAD_BRANCH, path_text(arm), message))
