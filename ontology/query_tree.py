"""SPARQL text to rdflib's parse tree, names resolved and our aggregates marked as such."""

import threading
from collections.abc import Callable
from functools import lru_cache
from types import MethodType
from typing import Any

import pyparsing
import rdflib
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue, Expr

from ontology.errors import NotAQuery
from ontology.functions import ANALYTIC

Tree = CompValue

_ONE_AT_A_TIME = threading.Lock()
"""The parser finds out how to call each of its own rules when that is first met. Two threads that
do so at the same time leave it with the wrong answer, and it reads no query ever after."""


@lru_cache(maxsize=32)
def parsed(text: str) -> Tree:
    """The query's tree, which is shared and must not be changed.

    Raises ``NotAQuery`` with the parser's message on a syntax error or an undeclared prefix, and
    on what the parser does not read.
    """
    try:
        with _ONE_AT_A_TIME:
            prologue, tree = parseQuery(text)
    except pyparsing.ParseBaseException as error:
        raise NotAQuery(f"line {error.lineno}, column {error.column}: {error.msg}") from error
    except RecursionError as error:
        raise NotAQuery("the query is nested too deeply") from error
    except TypeError as error:
        # The parser negates whole numbers and doubles only, except in an expression.
        if "Not a number" not in str(error):
            raise
        raise NotAQuery("a negative decimal is not read there: write -1.5 as -1.5e0") from error
    prefixes: dict[str, str] = {}
    for declaration in prologue:
        if declaration.name != "PrefixDecl":
            raise NotAQuery("BASE is not allowed")
        prefixes[declaration.prefix or ""] = str(declaration.iri)

    blanks: dict[rdflib.BNode, rdflib.BNode] = {}

    def resolve(node: Any) -> Any:
        if isinstance(node, rdflib.BNode):
            return blanks.setdefault(node, rdflib.BNode(f"b{len(blanks)}"))
        return _resolved(node, prefixes) if isinstance(node, CompValue) else node

    tree_resolved = changed(tree, resolve)
    assert isinstance(tree_resolved, CompValue)
    return tree_resolved


def changed(node: Any, change: Callable[[Any], Any]) -> Any:
    """A copy of ``node`` with ``change`` applied to all that is not a list, innermost first."""
    if isinstance(node, CompValue):
        copy = Expr(node.name) if isinstance(node, Expr) else CompValue(node.name)
        for key, value in node.items():
            copy[key] = changed(value, change)
        if isinstance(node, Expr) and node._evalfn is not None:
            copy._evalfn = MethodType(node._evalfn.__func__, copy)
        return change(copy)
    if isinstance(node, (list, pyparsing.ParseResults)):
        return [changed(part, change) for part in node]
    return change(node)


def copied(tree: Tree) -> Tree:
    """A copy of ``tree`` that may be changed."""
    copy = changed(tree, lambda node: node)
    assert isinstance(copy, CompValue)
    return copy


def _resolved(node: CompValue, prefixes: dict[str, str]) -> Any:
    if node.name == "pname":
        prefix = node.prefix or ""
        if prefix not in prefixes:
            raise NotAQuery(f"the prefix {prefix}: is not declared")
        return rdflib.URIRef(prefixes[prefix] + (node.localname or ""))
    if node.name == "literal":
        return rdflib.Literal(
            str(node.string), lang=node.lang, datatype=node.datatype, normalize=False
        )
    if node.name == "Function":
        function = ANALYTIC.get(str(node.iri))
        if function is not None and function.is_aggregate and len(node.expr or ()) == 1:
            distinct = "DISTINCT" if node.distinct else ""
            return CompValue("Aggregate_Custom", iri=node.iri, vars=node.expr[0], distinct=distinct)
    return node
