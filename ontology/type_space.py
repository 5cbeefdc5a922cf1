"""Sets of possible kinds of values as bit masks, and what properties do to them.

Each thing is taken to have one most specific class; a mask holds the kinds that a term may
still be of. Zero means that nothing can stand there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ontology import shape
from ontology.functions import (
    EPISODES_TYPE,
    MARKED_SAMPLE_TYPE,
    NUMBER_PAIR_TYPE,
    SAMPLE_TYPE,
    ValueKind,
)
from ontology.schema import Property, Schema, Term
from ontology.vocabulary import DATA, DATATYPES, RDF, RDF_TYPE, RDFS, XSD

Mask = int
Relation = tuple[tuple[Mask, Mask], ...]
"""Blocks of (kinds of subject, kinds of object) that a property may join."""

SUBCLASS_OF: Final = RDFS + "subClassOf"
BUILTIN_PROPERTIES: Final = frozenset(
    {RDF_TYPE, SUBCLASS_OF, *(RDFS + name for name in ("label", "comment", "seeAlso"))}
)
_KIND_TYPES: Final[dict[ValueKind, tuple[str, ...]]] = {
    ValueKind.NUMBER: tuple(XSD + name for name in ("integer", "decimal", "float", "double")),
    ValueKind.STRING: (XSD + "string",),
    ValueKind.BOOLEAN: (XSD + "boolean",),
    ValueKind.DATE_TIME: (XSD + "dateTime",),
    ValueKind.DATE: (XSD + "date",),
    ValueKind.TIME: (XSD + "time",),
    ValueKind.DURATION: (XSD + "duration", XSD + "dayTimeDuration"),
    ValueKind.SAMPLE: (SAMPLE_TYPE,),
    ValueKind.NUMBER_PAIR: (NUMBER_PAIR_TYPE,),
    ValueKind.MARKED_SAMPLE: (MARKED_SAMPLE_TYPE,),
    ValueKind.EPISODES: (EPISODES_TYPE,),
}


@dataclass(frozen=True, slots=True)
class TypeSpace:
    """The kinds of one schema."""

    schema: Schema
    instances: Mapping[Term, Mask]
    """By class: what is of the class or below it."""
    tokens: Mapping[Term, Mask]
    """By class: the class itself, as a value."""
    datatypes: Mapping[Term, Mask]
    kinds: Mapping[ValueKind, Mask]
    relations: Mapping[Term, Relation]
    entities: Mask
    literals: Mask
    resources: Mask
    property_token: Mask
    any: Mask
    iri_paths: tuple[tuple[str, Term], ...]

    def class_of_data(self, iri: Term) -> Term | None:
        """The class that an IRI of the data namespace tells of, or None if it is of no kind."""
        path = iri.removeprefix(DATA)
        for start, found in self.iri_paths:
            if path.startswith(start) and len(path) > len(start):
                return found
        return None

    def of_constant(self, term: shape.Iri | shape.Lit) -> Mask:
        """What a constant is."""
        if isinstance(term, shape.Lit):
            return self.datatypes.get(term.datatype, 0)
        iri = term.value
        if iri in self.tokens:
            return self.tokens[iri]
        if iri in self.schema.properties:
            return self.property_token
        if iri in self.schema.individuals:
            return self.instances[self.schema.individuals[iri]]
        if iri.startswith(DATA):
            known = self.class_of_data(iri)
            return self.instances[known] if known is not None else self.entities
        return self.resources & ~self.entities

    def forward(self, path: shape.Path, mask: Mask) -> Mask:
        """What may stand at the end of ``path`` if ``mask`` stands at its start."""
        return self._walk(path, mask, backward=False)

    def backward(self, path: shape.Path, mask: Mask) -> Mask:
        """What may stand at the start of ``path`` if ``mask`` stands at its end."""
        return self._walk(path, mask, backward=True)

    def _walk(self, path: shape.Path, mask: Mask, *, backward: bool) -> Mask:
        match path:
            case shape.Iri(iri):
                return _step(self.relations.get(iri, ()), mask, backward=backward)
            case shape.Inverse(inner):
                return self._walk(inner, mask, backward=not backward)
            case shape.Sequence(parts):
                for part in reversed(parts) if backward else parts:
                    mask = self._walk(part, mask, backward=backward)
                return mask
            case shape.Alternative(parts):
                found = 0
                for part in parts:
                    found |= self._walk(part, mask, backward=backward)
                return found
            case shape.Repeat(inner, may_be_empty, may_repeat):
                return self._repeated(inner, mask, may_be_empty, may_repeat, backward)
            case _:
                return 0

    def _repeated(
        self, path: shape.Path, mask: Mask, may_be_empty: bool, may_repeat: bool, backward: bool
    ) -> Mask:
        reached = self._walk(path, mask, backward=backward)
        while may_repeat:
            further = reached | self._walk(path, reached, backward=backward)
            if further == reached:
                break
            reached = further
        return reached | mask if may_be_empty else reached

    def names(self, mask: Mask) -> str:
        """The kinds of ``mask`` in words: the most general classes that lie within it."""
        if mask == self.any:
            return "anything"
        inside = {iri for iri, below in self.instances.items() if below and not below & ~mask}
        tops = [iri for iri in inside if not self.schema.classes[iri].parents & inside]
        words = [f"oda:{local(iri)}" for iri in sorted(tops)]
        words += [local(iri) for iri in DATATYPES if self.datatypes[iri] & mask]
        if any(token & mask for token in self.tokens.values()):
            words.append("a class")
        return " or ".join(words) if words else "nothing known"


def local(iri: Term) -> str:
    """The part of an IRI behind its last ``#`` or ``/``."""
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def _step(relation: Relation, mask: Mask, *, backward: bool) -> Mask:
    found = 0
    for subject, value in relation:
        if backward:
            if value & mask:
                found |= subject
        elif subject & mask:
            found |= value
    return found


@lru_cache(maxsize=4)
def type_space(schema: Schema) -> TypeSpace:
    """The kinds of ``schema``; made once for each schema."""
    concrete = [iri for iri, known in schema.classes.items() if not known.is_covered]
    bit = {name: 1 << at for at, name in enumerate([*concrete, *DATATYPES])}
    size = len(bit)
    instances = {
        iri: sum(bit[below] for below in schema.descendants[iri] if below in bit)
        for iri in schema.classes
    }
    tokens = {iri: 1 << (size + at) for at, iri in enumerate(schema.classes)}
    property_token = 1 << (size + len(tokens))
    other = property_token << 1
    datatypes = {iri: bit[iri] for iri in DATATYPES}
    literals = sum(datatypes.values())
    entities = sum(bit[iri] for iri in concrete)
    resources = entities | sum(tokens.values()) | property_token | other
    kinds = {kind: sum(datatypes[iri] for iri in names) for kind, names in _KIND_TYPES.items()} | {
        ValueKind.RESOURCE: resources
    }
    relations = {
        iri: _relation(known, schema, instances, datatypes, bit)
        for iri, known in schema.properties.items()
    }
    text = datatypes[XSD + "string"] | datatypes[RDF + "langString"]
    relations[RDF_TYPE] = tuple(
        (bit[iri], sum(tokens[above] for above in schema.ancestors[iri])) for iri in concrete
    )
    relations[SUBCLASS_OF] = tuple(
        (token, sum(tokens[above] for above in schema.ancestors[iri] if above != iri))
        for iri, token in tokens.items()
    )
    relations[RDFS + "label"] = relations[RDFS + "comment"] = ((resources, text),)
    relations[RDFS + "seeAlso"] = ((resources, other),)
    paths = [(known.iri_path, iri) for iri, known in schema.classes.items() if known.iri_path]
    return TypeSpace(
        schema=schema,
        instances=instances,
        tokens=tokens,
        datatypes=datatypes,
        kinds=kinds,
        relations=relations,
        entities=entities,
        literals=literals,
        resources=resources,
        property_token=property_token,
        any=resources | literals,
        iri_paths=tuple(sorted(paths, reverse=True)),
    )


def _relation(
    known: Property,
    schema: Schema,
    instances: Mapping[Term, Mask],
    datatypes: Mapping[Term, Mask],
    bit: Mapping[Term, Mask],
) -> Relation:
    subjects = values = 0
    for iri in known.domains:
        subjects |= instances[iri]
    for iri in known.ranges:
        values |= instances[iri] if known.joins_entities else datatypes[iri]
    inverse = schema.properties.get(known.inverse or "")
    if inverse is not None and inverse.confined and not known.confined:
        mirrored = _relation(inverse, schema, instances, datatypes, bit)
        return tuple((value & subjects, subject & values) for subject, value in mirrored)
    blocks: list[tuple[Mask, Mask]] = []
    for iri, above in schema.ancestors.items():
        if iri in bit and bit[iri] & subjects and above & known.confined.keys():
            allowed = values
            for confining in above & known.confined.keys():
                allowed &= sum(
                    {
                        bit[c]
                        for a in known.confined[confining]
                        for c in schema.descendants[a]
                        if c in bit
                    }
                )
            blocks.append((bit[iri], allowed))
            subjects &= ~bit[iri]
    return (*blocks, (subjects, values)) if subjects else tuple(blocks)
