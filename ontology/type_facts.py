"""What patterns say of their terms, and which two statements contradict each other."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from ontology import shape
from ontology.literals import literal_text, pattern_fault
from ontology.paths import chains_between
from ontology.suggestions import properties_for, written
from ontology.type_space import Mask, TypeSpace, local
from ontology.violations import Rule, Violation
from ontology.vocabulary import RDF_TYPE


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement about what a term can be."""

    name: str
    """The variable's name; a constant as it is written; ``/n`` for a place within a path."""
    mask: Mask
    kind: str
    """``type``, ``domain``, ``range``, ``literal`` or ``value``."""
    path: shape.Path | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """Two places joined by one step, alternative or repetition of a path."""

    start: str
    path: shape.Path
    end: str


@dataclass(slots=True)
class Statements:
    """The facts and links of one group's patterns."""

    space: TypeSpace
    serial: Iterator[int]
    """Numbers for the places that have no name; never the same twice in one query."""
    facts: list[Fact] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    faults: list[Violation] = field(default_factory=list)

    def add(self, triple: shape.Triple, listed: dict[str, tuple[str, ...]]) -> None:
        """Take in one pattern; a listed predicate variable stands for its alternatives."""
        predicate = triple.predicate
        path: shape.Path
        if isinstance(predicate, shape.Var):
            path = shape.Alternative(tuple(map(shape.Iri, listed.get(predicate.name, ()))))
            self.facts.append(Fact(predicate.name, self.space.property_token, "value"))
        else:
            path = predicate
        if path == shape.Iri(RDF_TYPE) and isinstance(triple.object, shape.Iri):
            mask = self.space.instances.get(triple.object.value, 0)
            self.facts.append(Fact(self._place(triple.subject), mask, "type", triple.object))
            return
        if isinstance(triple.object, shape.Lit):
            fault = pattern_fault(triple.object)
            # A literal of the wrong kind is told of as such, by the facts below.
            if fault is not None and self._fits(path, triple.object):
                self.faults.append(fault)
        self._walk(self._place(triple.subject), path, self._place(triple.object))

    def _fits(self, path: shape.Path, literal: shape.Lit) -> bool:
        reached = self.space.forward(path, self.space.any)
        return bool(reached & self.space.of_constant(literal))

    def _place(self, term: shape.Term) -> str:
        if isinstance(term, shape.Var):
            return term.name
        is_literal = isinstance(term, shape.Lit)
        name = literal_text(term) if isinstance(term, shape.Lit) else written(term.value)
        # Each literal stands for itself; a named thing is the same wherever it is named.
        name = f"{name}\0{next(self.serial)}" if is_literal else f"{name}\0"
        kind = "literal" if is_literal else "type"
        self.facts.append(Fact(name, self.space.of_constant(term), kind))
        return name

    def _walk(self, start: str, path: shape.Path, end: str) -> None:
        match path:
            case shape.Sequence(parts):
                for part in parts[:-1]:
                    between = f"/{next(self.serial)}"
                    self._walk(start, part, between)
                    start = between
                self._walk(start, parts[-1], end)
            case shape.Inverse(shape.Sequence(parts)):
                turned = tuple(shape.Inverse(part) for part in reversed(parts))
                self._walk(start, shape.Sequence(turned), end)
            case shape.Inverse(shape.Inverse(inner)):
                self._walk(start, inner, end)
            case shape.Inverse(shape.Iri() as inner):
                self._walk(end, inner, start)
            case _:
                space = self.space
                self.facts.append(Fact(start, space.backward(path, space.any), "domain", path))
                self.facts.append(Fact(end, space.forward(path, space.any), "range", path))
                self.links.append(Link(start, path, end))


def contradiction(space: TypeSpace, facts: list[Fact], outer: Mask) -> Violation:
    """Why ``facts``, all of one place, cannot hold together (``outer``: known from outside)."""
    for one, other in combinations(facts, 2):
        if not one.mask & other.mask:
            return _of_pair(space, one, other)
    first = facts[-1]
    return _of_pair(space, Fact(first.name, outer, "type"), first)


def _of_pair(space: TypeSpace, one: Fact, other: Fact) -> Violation:
    order = {"type": 0, "literal": 0, "value": 1, "range": 2, "domain": 3}
    one, other = sorted((one, other), key=lambda fact: order[fact.kind])
    name = _shown(one.name)
    says = f"{name} {_text(space, one)}, but {_text(space, other)}"
    hint = _hint(space, one, other)
    where = path_text(other.path) if other.path is not None else name
    return Violation(_rule(space, one, other), where, says, hint)


def _rule(space: TypeSpace, one: Fact, other: Fact) -> Rule:
    if one.name.startswith("/") or not other.mask or not one.mask:
        return Rule.PATH_RANGE
    if one.kind == "literal":
        if other.kind == "domain":
            return Rule.LITERAL_SUBJECT
        is_object_property = not other.mask & space.literals
        return Rule.LITERAL_OBJECT if is_object_property else Rule.LITERAL_DATATYPE
    if other.kind == "domain" and not one.mask & ~space.literals:
        return Rule.LITERAL_SUBJECT
    if one.kind == "type" and other.kind == "domain":
        return Rule.DOMAIN
    if one.kind == "type" and other.kind == "range":
        return Rule.RANGE
    if not (one.mask | other.mask) & ~space.literals:
        return Rule.LITERAL_DATATYPE
    return Rule.TYPE_CONFLICT


def _text(space: TypeSpace, fact: Fact) -> str:
    kinds = space.names(fact.mask)
    match fact.kind:
        case "domain":
            return f"stands before {path_text(fact.path)}, which is of {kinds}"
        case "range":
            return f"stands after {path_text(fact.path)}, which leads to {kinds}"
        case _:
            return f"is {kinds}"


def _hint(space: TypeSpace, one: Fact, other: Fact) -> tuple[str, ...]:
    """Chains that lead to a property asked of the wrong thing, then the thing's own."""
    if other.kind != "domain" or not isinstance(other.path, shape.Iri):
        return ()
    schema, wanted = space.schema, other.path.value
    starts = list(_tops(space, one.mask))
    found: list[str] = []
    known = schema.properties.get(wanted)
    for start in starts:
        for target in sorted(known.domains) if known is not None else ():
            for chain in chains_between(schema, start, target)[:1]:
                steps = "/".join(written(step) for step in (*chain, wanted))
                found.append(steps)
    return (*dict.fromkeys(found), *properties_for(schema, local(wanted), starts))


def _tops(space: TypeSpace, mask: Mask) -> Iterator[str]:
    inside = {iri for iri, below in space.instances.items() if below and not below & ~mask}
    for iri in sorted(inside):
        if not space.schema.classes[iri].parents & inside:
            yield iri


def _shown(name: str) -> str:
    if name.startswith("/"):
        return "the middle of the path"
    if "\0" in name:
        return name.split("\0", maxsplit=1)[0]
    return "the blank node" if name.startswith("_:") else f"?{name}"


def path_text(path: shape.Path | None) -> str:
    """``path`` as it may be written."""
    match path:
        case None:
            return ""
        case shape.Iri(iri):
            return written(iri)
        case shape.Inverse(inner):
            return f"^{path_text(inner)}"
        case shape.Sequence(parts):
            return "/".join(path_text(part) for part in parts)
        case shape.Alternative(parts):
            return f"({'|'.join(path_text(part) for part in parts)})"
        case shape.Repeat(inner, may_be_empty, may_repeat):
            mark = "*" if may_be_empty and may_repeat else "+" if may_repeat else "?"
            return f"({path_text(inner)}){mark}"
        case shape.Negated(parts):
            return f"!({'|'.join(path_text(part) for part in parts)})"
