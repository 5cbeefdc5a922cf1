"""Walks through the shape of a query: its groups, selects, expressions and names."""

from collections.abc import Iterator

from ontology import shape


def parts_of(expression: shape.Expression) -> Iterator[shape.Expression]:
    """``expression`` and all expressions within it, not entering EXISTS groups."""
    yield expression
    if isinstance(expression, shape.Call):
        for argument in expression.arguments:
            yield from parts_of(argument)
    elif isinstance(expression, shape.Aggregate) and expression.argument is not None:
        yield from parts_of(expression.argument)


def variables_of(expression: shape.Expression) -> frozenset[str]:
    """Names of the variables in ``expression``, not entering EXISTS groups."""
    return frozenset(part.name for part in parts_of(expression) if isinstance(part, shape.Var))


def groups_in(element: shape.Element) -> tuple[shape.Group, ...]:
    """The groups directly within ``element``, EXISTS groups of its expressions included."""
    match element:
        case shape.OptionalGroup(group) | shape.Minus(group) | shape.InGraph(_, group):
            return (group,)
        case shape.Union(branches):
            return branches
        case shape.Filter(expression) | shape.Bind(expression, _):
            return exists_groups(expression)
        case shape.SubSelect(select):
            return groups_of(select)
        case _:
            return ()


def exists_groups(expression: shape.Expression) -> tuple[shape.Group, ...]:
    """The groups of EXISTS within ``expression``."""
    return tuple(part.group for part in parts_of(expression) if isinstance(part, shape.Exists))


def groups_of(select: shape.Select) -> tuple[shape.Group, ...]:
    """The groups directly within ``select``: its body and EXISTS groups of its expressions."""
    found = [select.where]
    for expression in expressions_of(select):
        found.extend(exists_groups(expression))
    return tuple(found)


def expressions_of(select: shape.Select) -> tuple[shape.Expression, ...]:
    """All expressions of ``select`` that stand outside its body."""
    found: list[shape.Expression] = []
    for key in (*select.projection, *select.group_by):
        if isinstance(key, shape.Projected):
            found.extend([key.expression] if key.expression is not None else [])
        else:
            found.append(key)
    return (*found, *select.having, *(expression for _, expression in select.order_by))


def all_groups(select: shape.Select) -> Iterator[shape.Group]:
    """Every group of ``select``, however deep, outermost first."""
    waiting = list(groups_of(select))
    while waiting:
        group = waiting.pop(0)
        yield group
        for element in group.elements:
            waiting.extend(groups_in(element))


def all_selects(select: shape.Select) -> Iterator[shape.Select]:
    """``select`` and every sub-select within it."""
    yield select
    for group in all_groups(select):
        for element in group.elements:
            if isinstance(element, shape.SubSelect):
                yield element.select


def names_in_path(path: shape.Path | shape.Var) -> frozenset[str]:
    """The properties that ``path`` names."""
    match path:
        case shape.Iri(value):
            return frozenset({value})
        case shape.Inverse(inner) | shape.Repeat(inner, _, _):
            return names_in_path(inner)
        case shape.Sequence(parts) | shape.Alternative(parts) | shape.Negated(parts):
            return frozenset().union(*(names_in_path(part) for part in parts))
        case shape.Var():
            return frozenset()


def is_grouped(select: shape.Select) -> bool:
    """True where the rows that come out of ``select`` stand for groups of rows."""
    written = [column.expression for column in select.projection if column.expression]
    written += [*select.having, *(expression for _, expression in select.order_by)]
    return bool(select.group_by) or any(
        isinstance(part, shape.Aggregate) for whole in written for part in parts_of(whole)
    )


def names_in(query: shape.QueryShape) -> frozenset[str]:
    """All names that the patterns and lists of ``query`` use."""
    found: set[str] = set()
    for group in all_groups(query.select):
        for element in group.elements:
            if isinstance(element, shape.Triple):
                found |= names_in_path(element.predicate)
                terms = (element.subject, element.object)
                found |= {term.value for term in terms if isinstance(term, shape.Iri)}
            elif isinstance(element, shape.Values):
                cells = (cell for row in element.rows for cell in row)
                found |= {cell.value for cell in cells if isinstance(cell, shape.Iri)}
    return frozenset(found)


def functions_in(query: shape.QueryShape) -> frozenset[str]:
    """Names of all functions, operators and aggregates that ``query`` calls anywhere."""
    expressions: list[shape.Expression] = []
    for select in all_selects(query.select):
        expressions.extend(expressions_of(select))
    for group in all_groups(query.select):
        expressions.extend(
            element.expression
            for element in group.elements
            if isinstance(element, shape.Filter | shape.Bind)
        )
    parts = (part for whole in expressions for part in parts_of(whole))
    return frozenset(p.name for p in parts if isinstance(p, shape.Call | shape.Aggregate))
