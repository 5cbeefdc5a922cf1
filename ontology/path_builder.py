"""rdflib's parse nodes of property paths to paths of a shape."""

from typing import Any

import rdflib
from rdflib.plugins.sparql.parserutils import CompValue

from ontology import shape
from ontology.errors import NotAQuery
from ontology.vocabulary import RDF


def path_of(node: Any) -> shape.Path:
    """The path that ``node`` stands for. Raises ``NotAQuery`` on an unknown kind of node."""
    if isinstance(node, rdflib.URIRef):
        return shape.Iri(str(node))
    if isinstance(node, list) and len(node) == 1:
        return path_of(node[0])
    if not isinstance(node, CompValue):
        raise NotAQuery(f"not a property path: {node}")
    match node.name:
        case "PathAlternative":
            return _joined(shape.Alternative, node.part)
        case "PathSequence":
            return _joined(shape.Sequence, node.part)
        case "PathElt":
            return _repeated(path_of(node.part), node.mod)
        case "PathEltOrInverse":
            return shape.Inverse(path_of(node.part))
        case "PathNegatedPropertySet":
            return shape.Negated(tuple(_negated(part) for part in node.part or ()))
        case other:
            raise NotAQuery(f"{other} is not allowed in a property path")


def _joined(kind: type[shape.Alternative] | type[shape.Sequence], parts: list[Any]) -> shape.Path:
    paths = tuple(path_of(part) for part in parts)
    return paths[0] if len(paths) == 1 else kind(paths)


def _repeated(path: shape.Path, modifier: Any) -> shape.Path:
    match None if modifier is None else str(modifier):
        case None:
            return path
        case "*":
            return shape.Repeat(path, may_be_empty=True, may_repeat=True)
        case "+":
            return shape.Repeat(path, may_be_empty=False, may_repeat=True)
        case "?":
            return shape.Repeat(path, may_be_empty=True, may_repeat=False)
        case other:
            raise NotAQuery(f"{other} is not allowed in a property path")


def _negated(part: Any) -> shape.Path:
    if isinstance(part, CompValue) and part.name == "InversePath":
        # The grammar drops what stands behind the ^; no negated path passes the gate anyway.
        return shape.Inverse(shape.Iri(RDF + "type"))
    return path_of(part)
