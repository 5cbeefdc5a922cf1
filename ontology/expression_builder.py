"""rdflib's parse nodes of terms and expressions to those of a shape."""

from collections.abc import Callable
from typing import Any, Final

import rdflib
from rdflib.plugins.sparql.parserutils import CompValue

from ontology import shape
from ontology.errors import NotAQuery
from ontology.vocabulary import RDF, XSD

Grouper = Callable[[CompValue], shape.Group]
"""Makes the group of an EXISTS; passed in, since groups hold expressions in turn."""

_CHAINS: Final = {"ConditionalOrExpression": "||", "ConditionalAndExpression": "&&"}
_UNARY: Final = {"UnaryNot": "!", "UnaryMinus": "-", "UnaryPlus": "+"}
_ARITHMETIC: Final = ("AdditiveExpression", "MultiplicativeExpression")
_PARAMETERS: Final = (
    *("arg", "arg1", "arg2", "arg3", "text", "pattern", "replacement"),
    *("start", "length", "flags"),
)


def term_of(node: Any) -> shape.Term:
    """The term that ``node`` stands for. Raises ``NotAQuery`` if it is none, or relative."""
    if isinstance(node, rdflib.Variable):
        return shape.Var(str(node))
    if isinstance(node, rdflib.BNode):
        return shape.Var(f"_:{node}")
    if isinstance(node, rdflib.URIRef):
        if ":" not in node:
            raise NotAQuery(f"<{node}> is a relative IRI")
        return shape.Iri(str(node))
    if isinstance(node, rdflib.Literal):
        if node.language is not None:
            return shape.Lit(str(node), RDF + "langString", node.language)
        return shape.Lit(str(node), str(node.datatype or XSD + "string"))
    raise NotAQuery(f"not a term: {node}")


def expression_of(node: Any, grouper: Grouper) -> shape.Expression:
    """The expression that ``node`` stands for. Raises ``NotAQuery`` on an unknown node."""
    if isinstance(node, list) and len(node) == 1:
        return expression_of(node[0], grouper)
    if not isinstance(node, CompValue):
        return term_of(node)

    def inner(part: Any) -> shape.Expression:
        return expression_of(part, grouper)

    name = str(node.name)
    if name in _CHAINS:
        parts = tuple(inner(part) for part in (node.expr, *(node.other or ())))
        return parts[0] if len(parts) == 1 else shape.Call(_CHAINS[name], parts)
    if name in _UNARY:
        return shape.Call(_UNARY[name], (inner(node.expr),))
    if name in _ARITHMETIC:
        return _arithmetic(node, inner)
    if name == "RelationalExpression":
        return _relation(node, inner)
    if name == "Function":
        arguments = tuple(inner(part) for part in node.expr or ())
        return shape.Call(str(node.iri), arguments, bool(node.distinct))
    if name.startswith("Aggregate_"):
        return _aggregate(node, inner)
    if name in ("Builtin_EXISTS", "Builtin_NOTEXISTS"):
        return shape.Exists(grouper(node.graph), negated=name == "Builtin_NOTEXISTS")
    if name.startswith("Builtin_"):
        return _builtin(name.removeprefix("Builtin_"), node, inner)
    raise NotAQuery(f"{name} is not allowed in an expression")


def _arithmetic(node: CompValue, inner: Callable[[Any], shape.Expression]) -> shape.Expression:
    whole = inner(node.expr)
    for operator, other in zip(node.op or (), node.other or (), strict=True):
        whole = shape.Call(str(operator), (whole, inner(other)))
    return whole


def _relation(node: CompValue, inner: Callable[[Any], shape.Expression]) -> shape.Expression:
    left = inner(node.expr)
    if node.op is None:
        return left
    operator = " ".join(str(node.op).upper().split())
    if operator in ("IN", "NOT IN"):
        is_empty = isinstance(node.other, rdflib.URIRef)
        listed = () if is_empty else tuple(inner(part) for part in _listed(node.other))
        return shape.Call(operator, (left, *listed))
    return shape.Call(operator, (left, inner(node.other)))


def _listed(node: Any) -> list[Any]:
    return list(node) if isinstance(node, list) else [node]


def _aggregate(node: CompValue, inner: Callable[[Any], shape.Expression]) -> shape.Expression:
    kind = str(node.name).removeprefix("Aggregate_")
    name = str(node.iri) if kind == "Custom" else kind.upper()
    name = "GROUP_CONCAT" if name == "GROUPCONCAT" else name
    is_star = not isinstance(node.vars, (rdflib.term.Identifier, CompValue)) and node.vars == "*"
    argument = None if is_star else inner(node.vars)
    separator = None if node.separator is None else str(node.separator)
    return shape.Aggregate(name, argument, bool(node.distinct), separator)


def _builtin(
    name: str, node: CompValue, inner: Callable[[Any], shape.Expression]
) -> shape.Expression:
    known = [node[key] for key in _PARAMETERS if key in node]
    if len(known) != len(node):
        raise NotAQuery(f"{name} has parameters of an unknown kind")
    arguments: list[shape.Expression] = []
    for value in known:
        is_list = isinstance(value, list)
        arguments.extend(inner(part) for part in (value if is_list else [value]))
    return shape.Call(name.upper(), tuple(arguments))
