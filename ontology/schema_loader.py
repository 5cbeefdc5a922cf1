"""Turtle file to Schema; the only reader of ``oda.ttl``."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final

from ontology.axioms import count_axioms, disjoint_pairs
from ontology.errors import OntologyFileError
from ontology.schema import ClassTerm, Property, Schema, Term, Unit
from ontology.turtle_file import Statements, statements_in
from ontology.vocabulary import DATATYPES, ODA, OWL, RDF_TYPE, RDFS

_COMMENT: Final = RDFS + "comment"
_LABEL: Final = RDFS + "label"
_SUBCLASS: Final = RDFS + "subClassOf"
_UNION: Final = OWL + "unionOf"
_RECORDED: Final = ODA + "isRecorded"


def load_schema(path: Path | None = None) -> Schema:
    """The schema in the file at ``path``, by default our own; each file is parsed once.

    Raises ``OntologyFileError`` if the file is missing, is not Turtle, or contradicts itself.
    """
    if path is None:
        return _packaged()
    try:
        return _from_file(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise OntologyFileError(f"cannot read {path}: {error.strerror}") from error


@lru_cache(maxsize=1)
def _packaged() -> Schema:
    try:
        text = resources.files("ontology").joinpath("oda.ttl").read_bytes()
    except OSError as error:
        raise OntologyFileError("the packaged ontology is missing") from error
    return _schema(statements_in(text, "oda.ttl"))


@lru_cache(maxsize=8)
def _from_file(path: Path, modified: int) -> Schema:
    return _schema(statements_in(path.read_bytes(), str(path)))


def _schema(said: Statements) -> Schema:
    classes = {
        iri: _class(said, iri)
        for iri in said.subjects(RDF_TYPE, OWL + "Class")
        if not iri.startswith("_:")
    }
    _must_know(classes, (p for c in classes.values() for p in c.parents), "a superclass")
    ancestors = _ancestors(classes)
    descendants = {
        iri: frozenset(below for below, above in ancestors.items() if iri in above)
        for iri in classes
    }
    properties = {
        iri: _property(said, iri, joins_entities=kind == "ObjectProperty")
        for kind in ("ObjectProperty", "DatatypeProperty")
        for iri in said.subjects(RDF_TYPE, OWL + kind)
    }
    _check(properties, classes)
    individuals = {
        iri: next(c for c in said.objects(iri, RDF_TYPE) if c in classes)
        for iri in said.subjects(RDF_TYPE, OWL + "NamedIndividual")
        if any(c in classes for c in said.objects(iri, RDF_TYPE))
    }
    referred = {
        value
        for facts in said.by_subject.values()
        for predicate in (RDFS + "seeAlso", ODA + "qudtUnit")
        for value in facts.get(predicate, ())
    }
    return Schema(
        classes=classes,
        properties=_with_inverses(properties),
        units={iri: _unit(said, iri) for iri, kind in individuals.items() if kind == ODA + "Unit"},
        individuals=individuals,
        ancestors=ancestors,
        descendants=descendants,
        disjoint=disjoint_pairs(said),
        resources=frozenset(referred),
        axioms=count_axioms(said),
    )


def _class(said: Statements, iri: Term) -> ClassTerm:
    return ClassTerm(
        iri=iri,
        label=said.one(iri, _LABEL) or iri,
        comment=said.one(iri, _COMMENT) or "",
        parents=frozenset(p for p in said.objects(iri, _SUBCLASS) if not p.startswith("_:")),
        is_covered=bool(said.objects(iri, OWL + "disjointUnionOf")),
        iri_path=said.one(iri, ODA + "iriPath"),
        is_recorded=said.one(iri, _RECORDED) != "false",
    )


def _property(said: Statements, iri: Term, *, joins_entities: bool) -> Property:
    kinds = said.objects(iri, RDF_TYPE)
    return Property(
        iri=iri,
        label=said.one(iri, _LABEL) or iri,
        comment=said.one(iri, _COMMENT) or "",
        domains=_named(said, said.objects(iri, RDFS + "domain")),
        ranges=_named(said, said.objects(iri, RDFS + "range")),
        joins_entities=joins_entities,
        inverse=said.one(iri, OWL + "inverseOf"),
        is_transitive=OWL + "TransitiveProperty" in kinds,
        is_symmetric=OWL + "SymmetricProperty" in kinds,
        is_functional=OWL + "FunctionalProperty" in kinds,
        is_recorded=said.one(iri, _RECORDED) != "false",
        confined=_confined(said, iri),
    )


def _named(said: Statements, nodes: Iterable[str]) -> frozenset[Term]:
    """Class names in ``nodes``, those of unions included; owl:Nothing is no class."""
    found: set[Term] = set()
    for node in nodes:
        head = said.one(node, _UNION)
        found.update(said.members(head) if head is not None else (node,))
    return frozenset(found - {OWL + "Nothing"})


def _confined(said: Statements, iri: Term) -> dict[Term, frozenset[Term]]:
    """For each class whose objects of the property are restricted: to which classes."""
    found: dict[Term, frozenset[Term]] = {}
    for subject, facts in said.by_subject.items():
        for node in facts.get(_SUBCLASS, ()):
            allowed = said.objects(node, OWL + "allValuesFrom")
            if allowed and said.one(node, OWL + "onProperty") == iri:
                found[subject] = _named(said, allowed)
    return found


def _unit(said: Statements, iri: Term) -> Unit:
    try:
        return Unit(
            iri=iri,
            label=said.one(iri, _LABEL) or iri,
            symbol=said.one(iri, ODA + "symbol") or "",
            ucum_code=said.one(iri, ODA + "ucumCode") or "",
            quantity_kind=said.one(iri, ODA + "hasQuantityKind") or "",
            factor=float(said.one(iri, ODA + "conversionFactor") or "1"),
            offset=float(said.one(iri, ODA + "conversionOffset") or "0"),
            qudt=said.one(iri, ODA + "qudtUnit"),
        )
    except ValueError as error:
        raise OntologyFileError(f"{iri} has a conversion that is not a number") from error


def _ancestors(classes: dict[Term, ClassTerm]) -> dict[Term, frozenset[Term]]:
    found: dict[Term, frozenset[Term]] = {}
    for iri in classes:
        above: set[Term] = set()
        waiting = [iri]
        while waiting:
            at = waiting.pop()
            if at not in above:
                above.add(at)
                waiting.extend(classes[at].parents)
        found[iri] = frozenset(above)
    return found


def _with_inverses(properties: dict[Term, Property]) -> dict[Term, Property]:
    """Both properties of an inverse pair know each other, whichever of them says so."""
    known = dict(properties)
    for declared in properties.values():
        if declared.inverse is not None:
            other = known[declared.inverse]
            known[other.iri] = replace(other, inverse=declared.iri)
    return known


def _check(properties: dict[Term, Property], classes: dict[Term, ClassTerm]) -> None:
    for declared in properties.values():
        where = declared.iri.removeprefix(ODA)
        _must_know(classes, declared.domains, f"a domain of {where}")
        known = classes if declared.joins_entities else dict.fromkeys(DATATYPES)
        _must_know(known, declared.ranges, f"a range of {where}")
        if not declared.domains or not declared.ranges:
            raise OntologyFileError(f"{where} lacks a domain or a range")
        for allowed in declared.confined.values():
            _must_know(classes, allowed, f"a restriction on {where}")
        if declared.inverse is not None:
            _must_know(properties, (declared.inverse,), f"the inverse of {where}")


def _must_know(known: Iterable[Term], used: Iterable[Term], role: str) -> None:
    names = frozenset(known)
    for iri in used:
        if iri not in names:
            raise OntologyFileError(f"{iri}, {role}, is not declared")
