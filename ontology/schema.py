"""The schema as plain data: classes, properties, units, and where each property may stand."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Term = str
"""An absolute IRI."""


@dataclass(frozen=True, slots=True)
class ClassTerm:
    """One class."""

    iri: Term
    label: str
    comment: str
    parents: frozenset[Term]
    is_covered: bool
    """True where everything of the class is of one of its subclasses (a disjoint union)."""
    iri_path: str | None
    """How IRIs of its individuals begin behind the data namespace, e.g. ``node/``."""
    is_recorded: bool
    """False where no source provides individuals."""


@dataclass(frozen=True, slots=True)
class Property:
    """One property with the classes that it may join."""

    iri: Term
    label: str
    comment: str
    domains: frozenset[Term]
    ranges: frozenset[Term]
    """Classes, or datatypes where ``joins_entities`` is False."""
    joins_entities: bool
    """True for an object property, False for a property whose value is a literal."""
    inverse: Term | None = None
    is_transitive: bool = False
    is_symmetric: bool = False
    is_functional: bool = False
    is_recorded: bool = True
    """False where no source fills the property."""
    confined: Mapping[Term, frozenset[Term]] = field(default_factory=dict)
    """For a subject of the class, the only classes that its objects may have."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of measurement: value in the coherent SI unit = (value + offset) x factor."""

    iri: Term
    label: str
    symbol: str
    ucum_code: str
    quantity_kind: Term
    factor: float
    offset: float
    qudt: Term | None


@dataclass(frozen=True, slots=True)
class AxiomCount:
    """How large the ontology is, in OWL 2 axioms; annotations are not counted."""

    declarations: int
    """Declared classes, properties, datatypes and individuals."""
    logical: int
    """Subclass, disjointness, disjoint union, domain, range, inverse, characteristic, and
    assertions about individuals."""

    @property
    def total(self) -> int:
        """Declarations and logical axioms."""
        return self.declarations + self.logical


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """Everything a query may name. Compared by identity: it is loaded once."""

    classes: Mapping[Term, ClassTerm]
    properties: Mapping[Term, Property]
    units: Mapping[Term, Unit]
    individuals: Mapping[Term, Term]
    """Individuals that the ontology itself names, with their class."""
    ancestors: Mapping[Term, frozenset[Term]]
    """Each class with all classes above it, itself included."""
    descendants: Mapping[Term, frozenset[Term]]
    """Each class with all classes below it, itself included."""
    disjoint: frozenset[frozenset[Term]]
    """Pairs of classes declared disjoint, directly or as members of one list."""
    resources: frozenset[Term]
    """Names of other vocabularies that the ontology refers to, such as QUDT's units."""
    axioms: AxiomCount

    def are_disjoint(self, one: Term, other: Term) -> bool:
        """True where nothing can be of both classes, by the declared axioms."""
        return any(
            frozenset((above, beside)) in self.disjoint
            for above in self.ancestors[one]
            for beside in self.ancestors[other]
            if above != beside
        )

    def properties_of(self, iri: Term) -> tuple[Property, ...]:
        """Properties that things of the class may have, its own first, then by name."""
        above = self.ancestors[iri]
        below = self.descendants[iri]
        found = [p for p in self.properties.values() if p.domains & (above | below)]
        return tuple(sorted(found, key=lambda p: (not p.domains & above, p.iri)))

    def unit_with_code(self, ucum_code: str) -> Unit | None:
        """The unit with that UCUM code, if there is one."""
        return next((unit for unit in self.units.values() if unit.ucum_code == ucum_code), None)
