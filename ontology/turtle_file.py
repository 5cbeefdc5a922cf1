"""A Turtle file as a dictionary of statements; the one place that parses Turtle."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyoxigraph

from ontology.errors import OntologyFileError
from ontology.vocabulary import RDF

Node = str
"""An IRI, a literal's text, or a blank node's label behind ``_:``."""

_FIRST = RDF + "first"
_REST = RDF + "rest"
_NIL = RDF + "nil"


@dataclass(frozen=True, slots=True)
class Statements:
    """What a file says: subject, predicate, objects, in the order written."""

    by_subject: Mapping[Node, Mapping[Node, tuple[Node, ...]]]

    def objects(self, subject: Node, predicate: Node) -> tuple[Node, ...]:
        """All objects of ``predicate`` of ``subject``."""
        return self.by_subject.get(subject, {}).get(predicate, ())

    def one(self, subject: Node, predicate: Node) -> Node | None:
        """The first object, if there is any."""
        return next(iter(self.objects(subject, predicate)), None)

    def subjects(self, predicate: Node, value: Node) -> Iterator[Node]:
        """All subjects of which ``predicate`` is ``value``."""
        for subject, said in self.by_subject.items():
            if value in said.get(predicate, ()):
                yield subject

    def members(self, head: Node) -> tuple[Node, ...]:
        """The members of an RDF list."""
        found: list[Node] = []
        while head != _NIL:
            first, rest = self.one(head, _FIRST), self.one(head, _REST)
            if first is None or rest is None or len(found) > len(self.by_subject):
                raise OntologyFileError(f"the list {head} does not end")
            found.append(first)
            head = rest
        return tuple(found)


def statements_in(text: bytes, name: str) -> Statements:
    """The statements of a Turtle text. Raises ``OntologyFileError`` if it is not Turtle."""
    found: dict[Node, dict[Node, list[Node]]] = {}
    try:
        for quad in pyoxigraph.parse(input=text, format=pyoxigraph.RdfFormat.TURTLE):
            said = found.setdefault(_node(quad.subject), {})
            said.setdefault(_node(quad.predicate), []).append(_node(quad.object))
    except (SyntaxError, ValueError) as error:
        raise OntologyFileError(f"{name} is not valid Turtle: {error}") from error
    return Statements(
        {s: {p: tuple(values) for p, values in said.items()} for s, said in found.items()}
    )


def _node(term: object) -> Node:
    if isinstance(term, pyoxigraph.BlankNode):
        return f"_:{term.value}"
    if isinstance(term, (pyoxigraph.NamedNode, pyoxigraph.Literal)):
        return term.value
    raise OntologyFileError(f"an ontology has no place for {term}")
