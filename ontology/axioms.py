"""Counts an ontology's axioms, and reads which classes it declares disjoint."""

from itertools import combinations
from typing import Final

from ontology.schema import AxiomCount, Term
from ontology.turtle_file import Statements
from ontology.vocabulary import ODA, OWL, RDF_TYPE, RDFS

_DECLARING: Final = frozenset(
    {
        *(OWL + kind for kind in ("Class", "ObjectProperty", "DatatypeProperty")),
        *(OWL + kind for kind in ("AnnotationProperty", "NamedIndividual")),
        RDFS + "Datatype",
    }
)
_LOGICAL: Final = frozenset(
    {
        *(RDFS + name for name in ("subClassOf", "subPropertyOf", "domain", "range")),
        *(OWL + name for name in ("equivalentClass", "disjointWith", "disjointUnionOf")),
        *(OWL + name for name in ("inverseOf", "members", "propertyDisjointWith")),
    }
)
_ANNOTATIONS: Final = frozenset(
    {ODA + "iriPath", ODA + "isRecorded", ODA + "qudtUnit", OWL + "versionInfo"}
)


def count_axioms(said: Statements) -> AxiomCount:
    """The ontology's axioms. A restriction or union within an axiom is part of that axiom."""
    declarations = logical = 0
    for subject, facts in said.by_subject.items():
        is_named = not subject.startswith("_:")
        kinds = facts.get(RDF_TYPE, ())
        if is_named:
            declarations += sum(kind in _DECLARING for kind in kinds)
            logical += sum(kind.startswith(OWL) and kind.endswith("Property") for kind in kinds)
            logical -= sum(kind in _DECLARING and kind.endswith("Property") for kind in kinds)
        is_individual = OWL + "NamedIndividual" in kinds
        if is_individual:
            logical += sum(not kind.startswith(OWL) for kind in kinds)
        counted = _LOGICAL
        if is_individual:
            own = {name for name in facts if name.startswith(ODA)}
            counted = _LOGICAL | (own - _ANNOTATIONS)
        logical += sum(len(values) for name, values in facts.items() if name in counted)
    return AxiomCount(declarations, logical)


def disjoint_pairs(said: Statements) -> frozenset[frozenset[Term]]:
    """All pairs of classes that are declared disjoint."""
    found: set[frozenset[Term]] = set()
    for subject, facts in said.by_subject.items():
        for predicate in (OWL + "members", OWL + "disjointUnionOf"):
            for head in facts.get(predicate, ()):
                found.update(frozenset(pair) for pair in combinations(said.members(head), 2))
        found.update(frozenset((subject, other)) for other in facts.get(OWL + "disjointWith", ()))
    return frozenset(found)
