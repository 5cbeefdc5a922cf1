"""Where aggregates may stand, and what may stand beside them."""

from collections.abc import Iterator

from ontology import shape
from ontology.functions import ANALYTIC
from ontology.shape_walk import all_groups, all_selects, expressions_of, is_grouped, parts_of
from ontology.suggestions import written
from ontology.violations import Rule, Violation


def grouping_violations(query: shape.QueryShape) -> tuple[Violation, ...]:
    """Aggregates out of place or within each other, and columns that are not grouped by."""
    found: list[Violation] = []
    for group in all_groups(query.select):
        for element in group.elements:
            if isinstance(element, (shape.Filter, shape.Bind)):
                found.extend(_misplaced(element.expression, "FILTER or BIND", "HAVING"))
    for select in all_selects(query.select):
        for key in select.group_by:
            written_out = key.expression if isinstance(key, shape.Projected) else key
            if written_out is not None:
                found.extend(_misplaced(written_out, "GROUP BY", "a sub-select"))
        for expression in expressions_of(select):
            found.extend(_nested(expression))
        if is_grouped(select):
            found.extend(_ungrouped(select))
        elif select.having:
            message = "HAVING needs GROUP BY or an aggregate"
            found.append(Violation(Rule.AGGREGATE_POSITION, "HAVING", message, ("FILTER",)))
    return tuple(dict.fromkeys(found))


def _misplaced(expression: shape.Expression, where: str, instead: str) -> Iterator[Violation]:
    for part in parts_of(expression):
        if isinstance(part, shape.Aggregate):
            message = f"an aggregate may not stand in {where}"
            yield Violation(Rule.AGGREGATE_POSITION, _name(part), message, (instead,))


def _nested(expression: shape.Expression) -> Iterator[Violation]:
    for part in parts_of(expression):
        if isinstance(part, shape.Aggregate) and part.argument is not None:
            inner = [p for p in parts_of(part.argument) if isinstance(p, shape.Aggregate)]
            if inner:
                message = f"{_name(part)} of {_name(inner[0])} needs a sub-select"
                yield Violation(Rule.NESTED_AGGREGATE, _name(part), message, ("a sub-select",))
        if isinstance(part, shape.Aggregate) and part.name in ANALYTIC and part.distinct:
            message = "takes every sample: DISTINCT is not for it"
            yield Violation(Rule.FUNCTION_ARGUMENT, _name(part), message)


def _ungrouped(select: shape.Select) -> Iterator[Violation]:
    if select.is_star:
        message = "name the columns of a query with groups"
        yield Violation(Rule.UNGROUPED_PROJECTION, "*", message)
        return
    keys: set[str] = set()
    for key in select.group_by:
        if isinstance(key, shape.Projected):
            keys.add(key.variable.name)
        elif isinstance(key, shape.Var):
            keys.add(key.name)
    columns = {column.variable.name for column in select.projection if column.expression}
    for expression in select.having:
        # That HAVING does not see columns is a matter of scope.
        yield from _outside(expression, keys | columns, select)
    for column in select.projection:
        # The embedded store lets no column of a grouped query use another one.
        yield from _outside(column.expression or column.variable, keys, select)
    for _, expression in select.order_by:
        yield from _outside(expression, keys | columns, select)


def _outside(
    expression: shape.Expression, keys: set[str], select: shape.Select
) -> Iterator[Violation]:
    match expression:
        case shape.Var(name):
            if name not in keys:
                hint: tuple[str, ...] = (f"GROUP BY ... ?{name}", f"SAMPLE(?{name})")
                for key in select.group_by:
                    if not isinstance(key, (shape.Projected, shape.Var)):
                        hint = (f"GROUP BY (expression AS ?{name})", *hint)
                message = "neither grouped by nor within an aggregate"
                yield Violation(Rule.UNGROUPED_PROJECTION, f"?{name}", message, hint)
        case shape.Call(_, arguments):
            for argument in arguments:
                yield from _outside(argument, keys, select)
        case _:
            return


def _name(aggregate: shape.Aggregate) -> str:
    return written(aggregate.name) if aggregate.name in ANALYTIC else aggregate.name
