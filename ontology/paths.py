"""Shortest chains of properties between two classes, to show a query writer."""

from functools import lru_cache

from ontology.schema import Property, Schema, Term


@lru_cache(maxsize=512)
def chains_between(schema: Schema, start: Term, end: Term) -> tuple[tuple[Term, ...], ...]:
    """All shortest chains of recorded properties that lead from ``start`` to ``end``.

    Subclasses and superclasses count as reached; an empty chain where the classes already meet.
    Empty if there is no chain of at most six properties.
    """
    if end in schema.ancestors[start] or start in schema.ancestors[end]:
        return ((),)
    reached: dict[Term, tuple[tuple[Term, ...], ...]] = {start: ((),)}
    frontier = [start]
    for _ in range(6):
        further: dict[Term, list[tuple[Term, ...]]] = {}
        for at in frontier:
            for step, target in _steps(schema, at):
                if target not in reached:
                    chains = [(*chain, step) for chain in reached[at]]
                    further.setdefault(target, []).extend(chains)
        reached.update({target: tuple(dict.fromkeys(c)) for target, c in further.items()})
        arrived = [target for target in further if _meets(schema, target, end)]
        if arrived:
            return tuple(dict.fromkeys(c for target in arrived for c in reached[target]))
        frontier = list(further)
    return ()


def targets_of(schema: Schema, declared: Property, start: Term) -> frozenset[Term]:
    """Classes that an object property may lead to from a thing of class ``start``."""
    above = schema.ancestors[start]
    confining = [allowed for known, allowed in declared.confined.items() if known in above]
    if confining:
        return min(confining, key=len)
    inverse = schema.properties.get(declared.inverse or "")
    if inverse is not None and inverse.confined:
        return frozenset(known for known, allowed in inverse.confined.items() if allowed & above)
    return declared.ranges


def _steps(schema: Schema, at: Term) -> list[tuple[Term, Term]]:
    """Properties that a thing of class ``at`` may have, with the class each leads to."""
    return [
        (declared.iri, target)
        for declared in schema.properties.values()
        if declared.joins_entities and declared.is_recorded
        if declared.domains & schema.ancestors[at]
        for target in sorted(targets_of(schema, declared, at))
    ]


def _meets(schema: Schema, target: Term, end: Term) -> bool:
    return end in schema.ancestors[target] or target in schema.ancestors[end]
