"""rdflib's parse tree to a QueryShape; refuses any node it does not know."""

from typing import Any

import rdflib
from rdflib.plugins.sparql.parserutils import CompValue

from ontology import shape
from ontology.errors import NotAQuery
from ontology.expression_builder import expression_of, term_of
from ontology.path_builder import path_of
from ontology.vocabulary import RDF


def shape_of(tree: CompValue) -> shape.QueryShape:
    """The shape of a parsed SELECT or ASK query.

    Raises ``NotAQuery`` where the tree holds something that has no place in a shape.
    """
    if tree.name not in ("SelectQuery", "AskQuery"):
        raise NotAQuery(f"{tree.name} is not a SELECT or ASK query")
    graphs = tuple(str(clause.default or clause.named) for clause in tree.datasetClause or ())
    kind = "ask" if tree.name == "AskQuery" else "select"
    return shape.QueryShape(kind, _select(tree), graphs)


def _select(tree: CompValue) -> shape.Select:
    projection = tuple(_column(column) for column in tree.projection or ())
    order = tree.orderby.condition if tree.orderby else ()
    slicing = tree.limitoffset
    return shape.Select(
        projection=projection,
        is_star=not projection and tree.name != "AskQuery",
        modifier=str(tree.modifier or ""),
        where=_group(tree.where),
        group_by=tuple(_group_key(key) for key in (tree.groupby.condition if tree.groupby else ())),
        having=tuple(
            expression_of(part, _group) for part in (tree.having.condition if tree.having else ())
        ),
        order_by=tuple(_order(condition) for condition in order),
        limit=_number(slicing.limit) if slicing else None,
        offset=_number(slicing.offset) if slicing else None,
        values=_values(tree.valuesClause) if tree.valuesClause else None,
    )


def _number(literal: Any) -> int | None:
    return None if literal is None else int(str(literal))


def _column(column: CompValue) -> shape.Projected:
    if column.evar is not None:
        return shape.Projected(_variable(column.evar), expression_of(column.expr, _group))
    return shape.Projected(_variable(column.var))


def _group_key(key: Any) -> shape.Projected | shape.Expression:
    if isinstance(key, CompValue) and key.name == "GroupAs":
        expression = expression_of(key.expr, _group)
        if key.var is None:
            return expression
        return shape.Projected(_variable(key.var), expression)
    return expression_of(key, _group)


def _order(condition: CompValue) -> tuple[str, shape.Expression]:
    return str(condition.order or "ASC").upper(), expression_of(condition.expr, _group)


def _variable(node: Any) -> shape.Var:
    term = term_of(node)
    if not isinstance(term, shape.Var):
        raise NotAQuery(f"expected a variable, found {term}")
    return term


def _group(tree: CompValue) -> shape.Group:
    if tree.name == "SubSelect":
        return shape.Group((shape.SubSelect(_select(tree)),))
    if tree.name != "GroupGraphPatternSub":
        raise NotAQuery(f"a group of an unknown kind: {tree.name}")
    elements: list[shape.Element] = []
    for part in tree.part or ():
        elements.extend(_elements(part))
    return shape.Group(tuple(elements))


def _elements(part: CompValue) -> tuple[shape.Element, ...]:
    match part.name:
        case "TriplesBlock":
            return tuple(_triples(part.triples))
        case "Filter":
            return (shape.Filter(expression_of(part.expr, _group)),)
        case "Bind":
            return (shape.Bind(expression_of(part.expr, _group), _variable(part.var)),)
        case "OptionalGraphPattern":
            return (shape.OptionalGroup(_group(part.graph)),)
        case "MinusGraphPattern":
            return (shape.Minus(_group(part.graph)),)
        case "GraphGraphPattern":
            return (shape.InGraph(term_of(part.term), _group(part.graph)),)
        case "GroupOrUnionGraphPattern":
            return (shape.Union(tuple(_group(branch) for branch in part.graph)),)
        case "InlineData":
            return (_values(part),)
        case other:
            raise NotAQuery(f"{other} is not allowed")


def _triples(blocks: Any) -> list[shape.Triple]:
    found: list[shape.Triple] = []
    for block in blocks or ():
        if len(block) % 3:
            raise NotAQuery("a triple pattern is incomplete")
        for at in range(0, len(block), 3):
            subject, predicate, value = block[at : at + 3]
            found.append(shape.Triple(term_of(subject), _predicate(predicate), term_of(value)))
    return found


def _predicate(node: Any) -> shape.Path | shape.Var:
    if isinstance(node, rdflib.Variable):
        return shape.Var(str(node))
    if isinstance(node, str) and not isinstance(node, rdflib.URIRef) and node == "a":
        return shape.Iri(RDF + "type")
    return path_of(node)


def _values(block: CompValue) -> shape.Values:
    variables = tuple(_variable(variable) for variable in block.var or ())
    if not variables:
        raise NotAQuery("VALUES without variables")
    rows: list[tuple[shape.Iri | shape.Lit | None, ...]] = []
    for row in block.value or ():
        cells = tuple(_cell(cell) for cell in (row if isinstance(row, list) else [row]))
        if len(cells) != len(variables):
            raise NotAQuery("a row of VALUES has the wrong number of values")
        rows.append(cells)
    return shape.Values(variables, tuple(rows))


def _cell(node: Any) -> shape.Iri | shape.Lit | None:
    if not isinstance(node, rdflib.term.Identifier) and str(node) == "UNDEF":
        return None
    term = term_of(node)
    if isinstance(term, shape.Var):
        raise NotAQuery("a variable within VALUES")
    return term
